import type { Row } from "../../src/shared/view/reducer.ts";
import { Markdown } from "../markdown/markdown.tsx";
import { CopyButton } from "../markdown/tool-button.tsx";
import { usePanel } from "../panel.ts";

export function TextRow({ row }: { row: Extract<Row, { kind: "text" }> }) {
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
