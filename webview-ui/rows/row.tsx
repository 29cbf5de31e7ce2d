/** One row of the transcript: picks the component for its kind, and keeps a broken one from taking the rest along. */
import { memo } from "react";
import type { CallRow, Row } from "../../src/shared/view/reducer.ts";
import { ErrorBoundary } from "../error-boundary.tsx";
import { usePanel } from "../panel.ts";
import { CheckpointRow } from "./checkpoint-row.tsx";
import { CommandRow } from "./command-row.tsx";
import { ErrorRow } from "./error-row.tsx";
import { NoticeRow } from "./notice-row.tsx";
import { QuestionRow } from "./question-row.tsx";
import { ReasoningRow } from "./reasoning-row.tsx";
import { ResultRow } from "./result-row.tsx";
import { TextRow } from "./text-row.tsx";
import { ToolRow } from "./tool-row.tsx";
import { UserRow } from "./user-row.tsx";

/** The kind that tests and people's own styles know a row by. */
export function kindOf(row: Row): string {
  if (row.kind !== "call") return row.kind;
  if (row.state === "approval") return "approval";
  if (row.tool === "execute_command") return "command";
  return row.tool === "attempt_completion" || row.tool === "plan_mode_respond" ? "result" : "tool";
}

function Call({ row }: { row: CallRow }) {
  switch (row.tool) {
    case "execute_command":
      return <CommandRow row={row} />;
    case "attempt_completion":
    case "plan_mode_respond":
    case "new_task":
    case "condense":
      return <ResultRow row={row} />;
    case "ask_followup_question":
      return <QuestionRow row={row} />;
    default:
      return <ToolRow row={row} />;
  }
}

function Content({ row }: { row: Row }) {
  switch (row.kind) {
    case "user":
      return <UserRow row={row} />;
    case "text":
      return <TextRow row={row} />;
    case "reasoning":
      return <ReasoningRow row={row} />;
    case "call":
      return <Call row={row} />;
    case "checkpoint":
      return <CheckpointRow row={row} />;
    case "error":
      return <ErrorRow row={row} />;
    case "notice":
      return <NoticeRow row={row} />;
  }
}

export const RowView = memo(function RowView({ row }: { row: Row }) {
  const { t } = usePanel();
  return (
    <div className="row" data-testid="row" data-kind={kindOf(row)} data-row={row.id}>
      <ErrorBoundary fallback={() => <p className="detail">{t("This row cannot be shown.")}</p>}>
        <Content row={row} />
      </ErrorBoundary>
    </div>
  );
});
