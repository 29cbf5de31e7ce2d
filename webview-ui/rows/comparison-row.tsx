/** The answers of several models: side by side in a wide panel, stacked in a narrow one. */
import { presentationOf } from "../../src/shared/tool-presentation.ts";
import type { ComparisonRow as Comparison } from "../../src/shared/view/reducer.ts";
import { errorText } from "../../src/shared/words/error-words.ts";
import { callPhrase } from "../../src/shared/words/task-words.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { usePanel, useView } from "../panel.ts";
import { dollars, duration, shortCount } from "../text/numbers.ts";
import { Button } from "../toolkit/button.tsx";
import { Disclosure } from "./disclosure.tsx";
import { isOpenEnd } from "./open-end.ts";

type Answer = Comparison["answers"][number];

export function ComparisonRowView({ row }: { row: Comparison }) {
  const { t } = usePanel();
  const { answers, chosen } = row;
  const columns = (
    <div className="comparison" data-count={answers.length}>
      {answers.map((answer, index) => (
        <Column key={answer.name} row={row} index={index} answer={answer} />
      ))}
    </div>
  );
  const name = chosen === undefined ? undefined : answers[chosen]?.name;
  if (name === undefined) return columns;
  return (
    <Disclosure id={row.id} summary={t("{0} answers; continued with {1}", answers.length, name)}>
      {columns}
    </Disclosure>
  );
}

function Column({ row, index, answer }: { row: Comparison; index: number; answer: Answer }) {
  const { t, actions } = usePanel();
  const isOpen = useView((view) => isOpenEnd(view, row.id));
  const { name, text, outcome } = answer;
  const slash = name.indexOf("/");
  const choose = () => actions.run("chat/choose-answer", { comparison: row.id, index });
  return (
    <article
      className="compared"
      data-testid="compare-answer"
      data-chosen={row.chosen === index}
      aria-label={t("Answer of {0}", name)}
      aria-busy={outcome === undefined}
    >
      <header className="compared-head">
        <strong>{name.slice(slash + 1)}</strong>
        <span className="detail">{name.slice(0, slash)}</span>
      </header>
      {text === "" ? null : <Markdown text={text} />}
      <State answer={answer} />
      {isOpen && outcome !== undefined && text !== "" ? (
        <div className="buttons">
          <Button label={t("Continue with this answer: {0}", name)} onPress={choose}>
            {t("Continue with this answer")}
          </Button>
        </div>
      ) : null}
    </article>
  );
}

/** What the model is doing, or the time, tokens and cost of its answer. */
function State({ answer }: { answer: Answer }) {
  const { t } = usePanel();
  const faces = useView((view) => view.faces);
  const { outcome, usage, durationMs, error, call } = answer;
  if (outcome === undefined || !usage) {
    const doing = call && callPhrase(t, presentationOf(faces, call.tool), { ...call, state: "running" });
    return <p className="detail">{doing ?? t("Answering…")}</p>;
  }
  const figures = [
    ...(durationMs === undefined ? [] : [duration(t, durationMs)]),
    t("{0} tokens", shortCount(usage.inputTokens + usage.outputTokens)),
    ...(usage.cost === undefined ? [] : [dollars(usage.cost)]),
  ];
  const failure = error && errorText(t, error).text;
  return (
    <>
      {outcome === "failed" ? <p className="compared-failure">{failure ?? t("Failed")}</p> : null}
      {outcome === "stopped" ? <p className="detail">{t("Stopped.")}</p> : null}
      <p className="detail">{figures.join(" · ")}</p>
    </>
  );
}
