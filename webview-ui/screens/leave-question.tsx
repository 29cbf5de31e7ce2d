/**
 * Asks whether to stop the unfinished task, for an action that would leave it. Goes away when the task is finished; if
 * that happens before the question is on the page, there is nothing to ask, and the action is done.
 */
import { useEffect, useRef } from "react";
import { usePanel } from "../panel.ts";
import { useIsWorking } from "../sessions/use-is-working.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  /** What the user chose to do instead. */
  to: "delete" | "edit" | "fork";
  /** The id of the unfinished task, if it is not the one on screen. */
  task?: string;
  /** Stops the task and does it. */
  leave(): void;
  stay(): void;
}

export default function LeaveQuestion({ to, task, leave, stay }: Props) {
  const { t } = usePanel();
  const finished = !useIsWorking(task);
  const box = useRef<HTMLDivElement>(null);
  // Who asked for the action has the focus again, unless something else has it or all of the panel has lost it.
  const asker = useRef(document.activeElement);
  useEffect(
    () => () => {
      const { current } = asker;
      const isFocusLost = document.hasFocus() && document.activeElement === document.body;
      if (isFocusLost && current instanceof HTMLElement) current.focus();
    },
    [],
  );
  const unasked = useRef(finished ? leave : null);
  useEffect(() => {
    const act = unasked.current;
    unasked.current = null;
    if (act) act();
    else if (finished) stay();
    else box.current?.querySelector<HTMLElement>("[data-testid=keep-working]")?.focus();
  }, [finished, stay]);
  if (finished) return null;
  const { question, verb } = {
    delete: {
      question: t("This task is not finished. Stop it and delete the session?"),
      verb: t("Stop and delete"),
    },
    edit: {
      question: t("The current task is not finished. Stop it and send the edited message?"),
      verb: t("Stop and send"),
    },
    fork: {
      question: t("The current task is not finished. Stop it and branch off here?"),
      verb: t("Stop and branch off"),
    },
  }[to];
  return (
    <div
      className="leave-question"
      role="alertdialog"
      aria-label={question}
      data-testid="leave-question"
      ref={box}
      onKeyDown={(event) => {
        if (event.key !== "Escape") return;
        event.stopPropagation();
        stay();
      }}
    >
      <p>{question}</p>
      <div className="buttons">
        <Button kind="primary" testId="keep-working" onPress={stay}>
          {t("Keep working")}
        </Button>
        <Button testId="stop-and-leave" onPress={leave}>
          {verb}
        </Button>
      </div>
    </div>
  );
}
