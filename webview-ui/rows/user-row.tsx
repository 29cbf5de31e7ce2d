import { type ReactNode, useCallback, useRef, useState } from "react";
import { findMentions } from "../../src/shared/mentions.ts";
import type { Row } from "../../src/shared/view/reducer.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { Icon } from "../toolkit/icon.tsx";
import { MessageEditor, useMessageDraft } from "./message-editor.tsx";

const LeaveQuestion = onDemand(() => import("../screens/leave-question.tsx"));
const SentImages = onDemand(() => import("../pictures/sent-images.tsx"));

/** The user's message as typed, with mentions highlighted; it can be edited and resent, or forked from. */
export function UserRow({ row }: { row: Extract<Row, { kind: "user" }> }) {
  const { t, actions } = usePanel();
  const [draft, setDraft] = useMessageDraft(row.id);
  const edit = useRef<HTMLButtonElement>(null);
  /** A branch would stop the unfinished task, and the user has not decided yet. */
  const [asking, setAsking] = useState(false);
  const branch = useRef<HTMLButtonElement>(null);
  const stay = useCallback(() => {
    setAsking(false);
    branch.current?.focus();
  }, []);
  const fork = async (stop = false) => {
    setAsking(false);
    const answer = await actions.ask("chat/fork", { messageId: row.id, ...(stop && { stop }) });
    if (answer?.working) setAsking(true);
  };
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
      {withMentions(row.text)}
      {row.images ? (
        <SentImages
          messageId={row.id}
          count={row.images}
          fallback={<div className="detail">{t("Images: {0}", row.images)}</div>}
        />
      ) : null}
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
          ref={branch}
          type="button"
          className="plain-icon"
          data-testid="fork-message"
          aria-label={t("Branch off before this message")}
          title={t("Branch off before this message")}
          onClick={() => void fork()}
        >
          <Icon name="fork" />
        </button>
      </div>
      {asking ? <LeaveQuestion to="fork" leave={() => void fork(true)} stay={stay} /> : null}
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
