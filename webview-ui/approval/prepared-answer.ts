import { useEffect, useRef, useState } from "react";
import type { PreparedAnswer } from "../../src/shared/permission/prepared-answer.ts";
import { usePanel } from "../panel.ts";

interface Prepared {
  answer: PreparedAnswer;
  prepare(change: Partial<PreparedAnswer>): void;
  /**
   * Resolves to whether the card shows what the host keeps. A new card asks the host first. False: the card changes, so the user
   * pressed a button for something that is not kept.
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
