import { type ReactNode, useRef } from "react";
import { findMentions } from "../../src/shared/mentions.ts";
import type { Row } from "../../src/shared/view/reducer.ts";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { MessageEditor, useMessageDraft } from "./message-editor.tsx";

/** The user's message as typed, with mentions highlighted; it can be edited and resent, or forked from. */
export function UserRow({ row }: { row: Extract<Row, { kind: "user" }> }) {
  const { t, actions } = usePanel();
  const [draft, setDraft] = useMessageDraft(row.id);
  const edit = useRef<HTMLButtonElement>(null);
  const end = () => {
    setDraft(null);
    // The button returns to the page after this render.
    requestAnimationFrame(() => edit.current?.focus());
  };
  if (draft !== null) {
    return (
      <div className="user changing">
        <MessageEditor id={row.id} draft={draft} change={setDraft} end={end} />
        {row.images ? <div className="detail">{t("Images: {0}", row.images)}</div> : null}
      </div>
    );
  }
  return (
    <div className="user">
      <span className="only-heard">{t("You")}: </span>
      {withMentions(row.text)}
      {row.images ? <div className="detail">{t("Images: {0}", row.images)}</div> : null}
      <div className="user-actions">
        <button
          ref={edit}
          type="button"
          className="plain-icon"
          data-testid="edit-message"
          aria-label={t("Edit and resend")}
          title={t("Edit and resend")}
          onClick={() => setDraft({ text: row.text, images: [] })}
        >
          <Icon name="edit" />
        </button>
        <button
          type="button"
          className="plain-icon"
          data-testid="fork-message"
          aria-label={t("Branch off before this message")}
          title={t("Branch off before this message")}
          onClick={() => actions.run("chat/fork", { messageId: row.id })}
        >
          <Icon name="branch" />
        </button>
      </div>
    </div>
  );
}

function withMentions(text: string): ReactNode[] {
  const nodes: ReactNode[] = [];
  let end = 0;
  for (const mention of findMentions(text)) {
    nodes.push(text.slice(end, mention.start));
    nodes.push(
      <span key={mention.start} className="mention">
        {text.slice(mention.start, mention.end)}
      </span>,
    );
    end = mention.end;
  }
  nodes.push(text.slice(end));
  return nodes;
}
