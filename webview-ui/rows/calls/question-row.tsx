import { Markdown } from "../../markdown/markdown.tsx";
import { usePanel, useView } from "../../panel.ts";
import { Button } from "../../toolkit/button.tsx";
import { isUnanswered } from "../open-end.ts";
import { CallHead, type CallProps } from "./call-head.tsx";

/** A question from the agent; selecting an option sends it as the answer. The user types other answers in the composer. */
export function QuestionRow({ row, face }: CallProps) {
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
      <CallHead row={row} face={face} />
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
