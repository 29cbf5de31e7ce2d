/** The row of a call that started a subtask: its state and cost and, when unfolded, its calls. */

import { presentationOf } from "../../../src/shared/tool-presentation.ts";
import { type ChildStep, type ChildTask, isUnderWay } from "../../../src/shared/view/child-task.ts";
import { callStateText } from "../../../src/shared/words/outcome-words.ts";
import { childStateText } from "../../../src/shared/words/session-words.ts";
import { callPhrase } from "../../../src/shared/words/task-words.ts";
import { usePanel, useView } from "../../panel.ts";
import { factLine } from "../../text/facts.ts";
import { dollars } from "../../text/numbers.ts";
import { Visible } from "../../text/visible.tsx";
import { Icon } from "../../toolkit/icon.tsx";
import { ProgressRing } from "../../toolkit/progress-ring.tsx";
import { Disclosure } from "../disclosure.tsx";

export default function ChildRow({ row, task }: { row: string; task: ChildTask }) {
  const { t, actions, store } = usePanel();
  const { id, title, kind, state, requests, cost, steps, more, branch } = task;
  const count = steps.length + more;
  const facts = [
    childStateText(t, state),
    kind === "explore" ? t("reads only") : t("in its own worktree"),
    requests === 1 ? t("1 request") : t("{0} requests", requests),
    ...(cost === undefined ? [] : [dollars(cost)]),
  ];
  const open = async () => {
    const answer = await actions.ask("history/open", { id });
    // The user can take it over in that view.
    if (answer?.elsewhere) store.show("history");
  };
  return (
    <div className="child" data-testid="child-task" data-state={state}>
      <p className="child-facts">
        <span className="detail">{factLine(facts)}</span>
        <span className="child-actions">
          <button
            type="button"
            className="link"
            data-testid="open-child"
            aria-label={t("Open {0}", title)}
            onClick={() => void open()}
          >
            {t("Open")}
          </button>
          {isUnderWay(task) ? (
            <button
              type="button"
              className="link"
              data-testid="stop-child"
              aria-label={t("Stop {0}", title)}
              onClick={() => actions.run("sessions/stop", { id })}
            >
              {t("Stop")}
            </button>
          ) : null}
        </span>
      </p>
      {branch === undefined ? null : (
        <p className="detail child-branch">
          <Icon name="branch" />
          <span>
            <Visible text={isUnderWay(task) ? branch : t("{0} has changes that were not applied", branch)} />
          </span>
        </p>
      )}
      {count === 0 ? null : (
        <Disclosure id={`${row} steps`} summary={count === 1 ? t("1 step") : t("{0} steps", count)}>
          <ol className="child-steps" start={more + 1}>
            {steps.map((step) => (
              <Step key={step.id} step={step} />
            ))}
          </ol>
        </Disclosure>
      )}
    </div>
  );
}

function Step({ step }: { step: ChildStep }) {
  const { t } = usePanel();
  const presentation = useView((view) => presentationOf(view.faces, step.tool));
  const busy = step.state === "streaming" || step.state === "running";
  const words = callStateText(t, step.state);
  return (
    <li data-state={step.state}>
      {busy ? <ProgressRing /> : null}
      <span className="child-step">
        <Visible text={callPhrase(t, presentation, step).replace(/\s+/g, " ")} />
      </span>
      {words === "" ? null : <span className="detail">{words}</span>}
    </li>
  );
}
