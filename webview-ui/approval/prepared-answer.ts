import { useEffect, useRef, useState } from "react";
import type { PreparedAnswer } from "../../src/shared/permission/prepared-answer.ts";
import { usePanel } from "../panel.ts";

interface Prepared {
  answer: PreparedAnswer;
  prepare(change: Partial<PreparedAnswer>): void;
  /**
   * Whether what the card shows now is what the host keeps, which a card that is drawn anew has to ask for first. False: the card
   * changes to what is kept, so that a press meant something else.
   */
  isShown(): Promise<boolean>;
}

/**
 * What the user prepares in the card of a call. The host keeps it and has each change at once, so that an answer by a key, a command or
 * the title of a diff is the one that the card shows.
 */
export function usePreparedAnswer(callId: string): Prepared {
  const { actions } = usePanel();
  const [answer, setAnswer] = useState<PreparedAnswer>({ comment: "", left: [] });
  const [isKnown, setKnown] = useState(false);
  const isTouched = useRef(false);
  const asked = useRef<Promise<boolean>>(undefined);
  useEffect(() => {
    let isGone = false;
    asked.current = actions.preparedAnswer(callId).then((kept) => {
      if (isGone) return false;
      const isEmpty = kept === undefined || (kept.comment === "" && kept.left.length === 0);
      const isNew = !isEmpty && !isTouched.current;
      if (isNew) setAnswer(kept);
      setKnown(true);
      return !isNew;
    });
    return () => {
      isGone = true;
    };
  }, [actions, callId]);
  return {
    answer,
    prepare(change) {
      isTouched.current = true;
      const next = { ...answer, ...change };
      setAnswer(next);
      actions.prepareAnswer(callId, next);
    },
    isShown: async () => isKnown || (await asked.current) !== false,
  };
}
