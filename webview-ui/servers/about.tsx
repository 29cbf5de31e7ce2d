/** A description that a server provides: its first line, and the full text in a fold. */
import { usePanel } from "../panel.ts";
import { Disclosure } from "../rows/disclosure.tsx";
import { Visible } from "../text/visible.tsx";

/** Characters of a description that need no fold. */
const SHORT_TEXT = 120;

export function About({ text, id }: { text: string; id: string }) {
  const { t } = usePanel();
  const plain = text.trim();
  if (plain === "") return null;
  const first = plain.split("\n", 1)[0] ?? "";
  if (plain === first && plain.length <= SHORT_TEXT) {
    return (
      <p className="detail server-description">
        <Visible text={plain} />
      </p>
    );
  }
  const shown = first.length > SHORT_TEXT ? `${first.slice(0, SHORT_TEXT)}…` : first;
  return (
    <div className="detail server-description">
      <Visible text={shown} />
      <Disclosure id={`server ${id}`} summary={t("Full description")}>
        <p className="server-text">
          <Visible text={plain} />
        </p>
      </Disclosure>
    </div>
  );
}
