import { useEffect, useRef, useState } from "react";
import type { PreparedAnswer } from "../../src/shared/permission/prepared-answer.ts";
import { usePanel } from "../panel.ts";

interface Prepared {
  answer: PreparedAnswer;
  /** False until the host has told what it keeps: a card that is drawn anew shows it before it can be answered. */
  isKnown: boolean;
  prepare(change: Partial<PreparedAnswer>): void;
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
  useEffect(() => {
    let isGone = false;
    actions.preparedAnswer(callId).then((kept) => {
      if (isGone) return;
      if (kept && !isTouched.current) setAnswer(kept);
      setKnown(true);
    });
    return () => {
      isGone = true;
    };
  }, [actions, callId]);
  return {
    answer,
    isKnown,
    prepare(change) {
      isTouched.current = true;
      const next = { ...answer, ...change };
      setAnswer(next);
      actions.prepareAnswer(callId, next);
    },
  };
}
