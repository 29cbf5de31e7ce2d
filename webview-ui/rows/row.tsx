/** One row of the transcript: selects the component for its kind, and contains rendering errors. */
import { memo, type ReactElement, useState } from "react";
import type { ToolPresentation } from "../../src/shared/tool-presentation.ts";
import { type Row, rowsOf } from "../../src/shared/view/reducer.ts";
import { rowName, rowSpeaker } from "../../src/shared/words/row-words.ts";
import ApprovalCard from "../approval/approval-card.tsx";
import { ErrorBoundary } from "../error-boundary.tsx";
import { Markdown } from "../markdown/markdown.tsx";
import { CopyButton } from "../markdown/tool-button.tsx";
import { usePanel } from "../panel.ts";
import { Visible } from "../text/visible.tsx";
import { Icon } from "../toolkit/icon.tsx";
import { ProgressRing } from "../toolkit/progress-ring.tsx";
import type { CallProps } from "./calls/call-head.tsx";
import { CommandRow } from "./calls/command-row.tsx";
import { QuestionRow, ResultRow } from "./calls/result-row.tsx";
import { ToolRow } from "./calls/tool-row.tsx";
import { CheckpointRow } from "./checkpoint-row.tsx";
import { ComparisonRowView } from "./comparison-row.tsx";
import { Disclosure } from "./disclosure.tsx";
import { ErrorRow } from "./error-row.tsx";
import { NoticeRow } from "./notice-row.tsx";
import { UserRow } from "./user-row.tsx";

/** The kind by which tests and custom styles identify a row. */
export function rowKind(row: Row, presentation: ToolPresentation | undefined): string {
  if (row.kind !== "call") return row.kind;
  if (row.state === "approval") return "approval";
  switch (presentation?.row) {
    case "command":
      return "command";
    case "plan":
    case "result":
      return "result";
    case undefined:
    case "tool":
    case "question":
    case "proposal":
      return "tool";
  }
}

function Call({
  row,
  presentation,
  isUndone,
  depth,
}: CallProps & Pick<RowProps, "isUndone" | "depth">): ReactElement {
  if (row.state === "approval") return <ApprovalCard row={row} presentation={presentation} />;
  switch (presentation?.row) {
    case "command":
      return <CommandRow row={row} presentation={presentation} folded={depth > 0} />;
    case "proposal":
    case "plan":
    case "result":
      return <ResultRow row={row} presentation={presentation} isUndone={isUndone} />;
    case "question":
      return <QuestionRow row={row} presentation={presentation} />;
    case undefined:
    case "tool":
      return <ToolRow row={row} presentation={presentation} />;
  }
}

interface RowProps {
  row: Row;
  /** For a call, the presentation of its tool. */
  presentation: ToolPresentation | undefined;
  /** For the row that ends a turn: the name of the model that wrote it. */
  answeredBy: string | undefined;
  /** The row ends the conversation so far. */
  isLast: boolean;
  /** The user undid all that its turn changed. */
  isUndone: boolean;
  /** How many folds the row is in. */
  depth: number;
}

function Content({
  row,
  presentation,
  isUndone,
  depth,
}: Pick<RowProps, "row" | "presentation" | "isUndone" | "depth">): ReactElement {
  switch (row.kind) {
    case "user":
      return <UserRow row={row} />;
    case "text":
      return <TextRow row={row} />;
    case "reasoning":
      return <ReasoningRow row={row} />;
    case "call":
      return <Call row={row} presentation={presentation} isUndone={isUndone} depth={depth} />;
    case "checkpoint":
      return <CheckpointRow row={row} />;
    case "comparison":
      return <ComparisonRowView row={row} />;
    case "error":
      return <ErrorRow row={row} />;
    case "notice":
      return <NoticeRow row={row} />;
  }
}

export const RowView = memo(function RowView(props: RowProps) {
  const { row, presentation, answeredBy, isLast, isUndone, depth } = props;
  const { t, modelAsked } = usePanel();
  // Of a row that has the focus, a screen reader says the name alone.
  const [hasFocus, setHasFocus] = useState(false);
  return (
    <article
      className="row"
      onFocus={({ target, currentTarget }) => setHasFocus(target === currentTarget)}
      onBlur={() => setHasFocus(false)}
      data-testid="row"
      data-kind={rowKind(row, presentation)}
      data-row={row.id}
      data-depth={depth}
      aria-label={(hasFocus ? rowName : rowSpeaker)(t, row, presentation)}
    >
      <ErrorBoundary fallback={() => <p className="detail">{t("This item cannot be shown.")}</p>}>
        <Content row={row} presentation={presentation} isUndone={isUndone} depth={depth} />
      </ErrorBoundary>
      {answeredBy === undefined ? null : (
        <p className="answered-by" data-testid="answered-by">
          <span className="only-heard">{t("Answered by")}: </span>
          <Visible text={answeredBy} />
          {isLast ? <RetryButton /> : null}
          {isLast ? (
            <button
              type="button"
              className="link ask-another"
              data-testid="ask-another"
              onClick={() => modelAsked.fire()}
            >
              {t("Ask another model…")}
            </button>
          ) : null}
        </p>
      )}
    </article>
  );
});

/** Sends the user's last message again. The answer before stays in the history. */
function RetryButton() {
  const { t, actions, store } = usePanel();
  const press = () => {
    const row = rowsOf(store.state.view).findLast(({ kind }) => kind === "user");
    if (row?.kind === "user") void actions.askAway("chat/edit", { messageId: row.id, text: row.text });
  };
  return (
    <button
      type="button"
      className="link"
      data-testid="answer-again"
      title={t("Sends your message again. This answer stays in the history as a separate session.")}
      onClick={press}
    >
      {t("Retry")}
    </button>
  );
}

/** The model's reasoning: collapsed, because it is not addressed to the user. */
function ReasoningRow({ row }: { row: Extract<Row, { kind: "reasoning" }> }) {
  const { t } = usePanel();
  return (
    <div className="reasoning">
      <Disclosure
        id={row.id}
        icon={row.streaming ? <ProgressRing /> : <Icon name="thought" />}
        summary={row.streaming ? t("Thinking…") : t("Thought")}
      >
        <Markdown text={row.text} />
      </Disclosure>
    </div>
  );
}

function TextRow({ row }: { row: Extract<Row, { kind: "text" }> }) {
  const { t } = usePanel();
  return (
    <div className="text">
      <Markdown text={row.text} />
      <div className="text-tools">
        <CopyButton
          icon="copy"
          label={t("Copy as Markdown")}
          copy={() => navigator.clipboard.writeText(row.text)}
        />
      </div>
    </div>
  );
}
