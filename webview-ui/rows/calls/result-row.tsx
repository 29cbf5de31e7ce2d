import { Markdown } from "../../markdown/markdown.tsx";
import { onDemand } from "../../on-demand.tsx";
import { usePanel, useView } from "../../panel.ts";
import { Visible } from "../../text/visible.tsx";
import { Button } from "../../toolkit/button.tsx";
import { isUnanswered } from "../open-end.ts";
import { CallHead, type CallProps, Comment } from "./call-head.tsx";

const PlanTools = onDemand(() => import("./plan-tools.tsx"));

/**
 * The agent's result: that of a finished task, or a plan. A proposed command runs only when the user presses its
 * button. `isUndone`: the user undid all that the task changed since their message.
 */
export function ResultRow({ row, presentation, isUndone }: CallProps & { isUndone: boolean }) {
  const { t, actions } = usePanel();
  const ready = row.state !== "streaming" && row.state !== "running";
  return (
    <div className="call result" data-undone={isUndone}>
      <CallHead row={row} presentation={presentation}>
        {isUndone ? <span className="detail">{t("The changes in this turn were undone")}</span> : null}
      </CallHead>
      <Markdown text={row.text} />
      {row.proposal ? (
        <>
          <pre className="command">
            <code>
              <Visible text={row.proposal} />
            </code>
          </pre>
          <Button disabled={!ready} onPress={() => actions.run("host/run-proposal", { callId: row.id })}>
            {t("Run this command")}
          </Button>
        </>
      ) : null}
      {presentation?.row === "plan" && row.state === "done" ? <PlanTools row={row} /> : null}
      <Comment row={row} />
    </div>
  );
}

/** A question from the agent; selecting an option sends it as the answer. The user types other answers in the composer. */
export function QuestionRow({ row, presentation }: CallProps) {
  const { t, actions } = usePanel();
  const open = useView((view) => isUnanswered(view, row.id)) && row.state !== "streaming";
  const options = row.options ?? [];
  const answer = (option: string) => {
    actions.send(option).catch(() => {
      // The action reports the failure; the options remain available.
    });
  };
  return (
    <div className="call">
      <CallHead row={row} presentation={presentation} />
      <Markdown text={row.text} />
      {options.length > 0 ? (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs to a form
        <div className="options" role="group" aria-label={t("Answers")}>
          {options.map((option, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a model may offer the same answer twice
            <Button key={index} disabled={!open} onPress={() => answer(option)}>
              {option}
            </Button>
          ))}
        </div>
      ) : null}
    </div>
  );
}
