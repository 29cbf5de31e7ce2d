import type { Row } from "../../src/shared/view/reducer.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { usePanel } from "../panel.ts";

export function TextRow({ row }: { row: Extract<Row, { kind: "text" }> }) {
  const { t } = usePanel();
  return (
    <div className="text">
      <span className="only-heard">{t("Agent")}: </span>
      <Markdown text={row.text} />
    </div>
  );
}
