import type { ReactNode } from "react";
import type { Row } from "../../src/shared/view.ts";
import { usePanel } from "../panel.ts";

const mention = /(?:^|(?<=\s))@(?:"\/[^"\n]+"|\/[^\s"]+)/g;

/** The person's words as they typed them, mentions set off. */
export function UserRow({ row }: { row: Extract<Row, { kind: "user" }> }) {
  const { t } = usePanel();
  return (
    <div className="user">
      <span className="only-heard">{t("You")}: </span>
      {withMentions(row.text)}
      {row.images ? <div className="detail">{t("Images: {0}", row.images)}</div> : null}
    </div>
  );
}

function withMentions(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(mention)) {
    nodes.push(text.slice(end, match.index));
    nodes.push(
      <span key={match.index} className="mention">
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  nodes.push(text.slice(end));
  return nodes;
}
