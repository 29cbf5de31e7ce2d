import { useRef, useState } from "react";
import {
  type AnswerDraft,
  type PreparedAnswer,
  UNPREPARED,
} from "../../src/shared/permission/prepared-answer.ts";
import type { CallRow } from "../../src/shared/view/reducer.ts";
import { usePanel } from "../panel.ts";

export interface PreparedAnswerState {
  answer: AnswerDraft;
  prepare(change: Partial<PreparedAnswer>): void;
}

/**
 * The answer that the user prepares in the card of a call. The host stores it and receives each change immediately. So an
 * answer by a key, a command or the title of a diff is the one that the card shows, and every card of the call shows the same.
 */
export function usePreparedAnswer({
  id,
  prepared: stored = UNPREPARED,
}: Pick<CallRow, "id" | "prepared">): PreparedAnswerState {
  const { actions } = usePanel();
  /** What the user entered here, until the host has received all of it. */
  const [entered, setEntered] = useState<PreparedAnswer>();
  const latest = useRef<PreparedAnswer>(undefined);
  const answer = { ...stored, ...entered };
  return {
    answer,
    prepare(change) {
      const { comment, left } = { ...stored, ...latest.current, ...change };
      const next = { comment, left };
      latest.current = next;
      setEntered(next);
      void actions.prepareAnswer(id, next).then((isStored) => {
        // If the host did not accept the text, it stays in the field.
        if (!isStored || latest.current !== next) return;
        latest.current = undefined;
        setEntered(undefined);
      });
    },
  };
}
