/**
 * Asks whether to stop the unfinished task, for an action that would leave it. Disappears when the task is finished. If that
 * happens before the question is on the page, the action is performed without asking.
 */
import { useEffect, useRef } from "react";
import { isWorking } from "../../src/shared/view/session-item.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

interface Props {
  /** The action that would leave the task. */
  to: "delete" | "edit" | "fork";
  /** The id of the unfinished session, if it is not the active session. */
  task?: string;
  /** Stops the task and performs the action. */
  leave(): void;
  stay(): void;
}

export default function LeaveQuestion({ to, task, leave, stay }: Props) {
  const { t } = usePanel();
  const finished = !useIsWorking(task);
  const box = useRef<HTMLDivElement>(null);
  // Returns the focus to the element that started the action, unless another element has it or the panel has lost it.
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

/** Whether a turn of the session is under way. `id`: absent for the active session. */
function useIsWorking(id?: string): boolean {
  const isShown = useView((view) => id === undefined || view.session?.id === id);
  const shownWorks = useView((view) => view.status !== "idle");
  const otherWorks = usePanelState(({ sessions }) =>
    sessions.some((item) => item.id === id && isWorking(item)),
  );
  return isShown ? shownWorks : otherWorks;
}
