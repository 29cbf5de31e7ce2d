/** The editor for one of the user's messages. Its text survives when the row scrolls out of view. */
import { useCallback, useEffect, useRef, useState } from "react";
import { Writer, type WriterHandle } from "../composer/writer.tsx";
import type { DraftAttachment } from "../host.ts";
import { onDemand } from "../on-demand.tsx";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

const LeaveQuestion = onDemand(() => import("../screens/leave-question.tsx"));

export interface MessageDraft {
  text: string;
  /** Images added to those of the message. */
  images: readonly DraftAttachment[];
}

/** Drafts of messages being edited, by message id. */
const drafts = new Map<string, MessageDraft>();

export function useMessageDraft(id: string): [MessageDraft | null, (draft: MessageDraft | null) => void] {
  const [draft, setDraft] = useState<MessageDraft | null>(() => drafts.get(id) ?? null);
  return [
    draft,
    (next) => {
      if (next === null) drafts.delete(id);
      else drafts.set(id, next);
      setDraft(next);
    },
  ];
}

interface Props {
  id: string;
  draft: MessageDraft;
  change(draft: MessageDraft): void;
  end(): void;
}

export function MessageEditor({ id, draft, change, end }: Props) {
  const { t, actions } = usePanel();
  const [sending, setSending] = useState(false);
  /** Sending would stop the unfinished task, and the user has not decided yet. */
  const [asking, setAsking] = useState(false);
  const writer = useRef<WriterHandle>(null);
  useEffect(() => writer.current?.focus(), []);
  /** Accumulates changes that arrive before the next render. */
  const now = useRef(draft);
  now.current = draft;
  const update = (part: Partial<MessageDraft>) => {
    now.current = { ...now.current, ...part };
    change(now.current);
  };
  const { text, images } = draft;
  const canSend = text.trim() !== "" && !sending;
  const stay = useCallback(() => {
    setAsking(false);
    writer.current?.focus();
  }, []);
  const send = async (stop = false) => {
    if (!canSend) return;
    setAsking(false);
    writer.current?.closeMenus();
    setSending(true);
    // A failure is reported, and the text is kept.
    const added = images.length > 0 ? { images: [...images] } : {};
    const edit = { messageId: id, text, ...added, ...(stop && { stop }) };
    const answer = await actions.askAway("chat/edit", edit);
    setSending(false);
    if (answer?.working) setAsking(true);
    else if (answer && !answer.canceled) end();
  };
  return (
    <div className="message-editor">
      <Writer
        ref={writer}
        text={text}
        setText={(next) => update({ text: next })}
        images={images}
        setImages={(next) => update({ images: typeof next === "function" ? next(now.current.images) : next })}
        selection={[text.length, text.length]}
        testId="edit-text"
        label={t("Edit your message")}
        submit={() => void send()}
        onKey={(event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          end();
        }}
      >
        <Button testId="edit-cancel" onPress={end}>
          {t("Cancel")}
        </Button>
        <Button kind="primary" testId="edit-send" disabled={!canSend} onPress={() => void send()}>
          {t("Send")}
        </Button>
      </Writer>
      {asking ? <LeaveQuestion to="edit" leave={() => void send(true)} stay={stay} /> : null}
      <p className="detail edit-note">
        {t(
          "Later messages stay in the history as a separate session. If files changed since, you are asked whether to restore them.",
        )}
      </p>
    </div>
  );
}
