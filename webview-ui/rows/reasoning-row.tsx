import type { Row } from "../../src/shared/view/reducer.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { usePanel } from "../panel.ts";
import { Fold } from "./fold.tsx";

/** The model's reasoning: collapsed, because it is not addressed to the user. */
export function ReasoningRow({ row }: { row: Extract<Row, { kind: "reasoning" }> }) {
  const { t } = usePanel();
  return (
    <div className="reasoning">
      <Fold id={row.id} summary={row.streaming ? t("Thinking…") : t("Thought")}>
        <Markdown text={row.text} />
      </Fold>
    </div>
  );
}
