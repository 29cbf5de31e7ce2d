/** A message of the person's, open for change. What they type outlives the row's way out of sight. */
import { useLayoutEffect, useRef, useState } from "react";
import { isComposing } from "../composer/composing.ts";
import { usePanel } from "../panel.ts";
import { Button } from "../toolkit/button.tsx";

/** Texts under change, by message. */
const drafts = new Map<string, string>();

export function useMessageDraft(id: string): [draft: string | null, set: (draft: string | null) => void] {
  const [draft, setDraft] = useState<string | null>(() => drafts.get(id) ?? null);
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
  draft: string;
  change(draft: string): void;
  end(): void;
}

export function MessageEditor({ id, draft, change, end }: Props) {
  const { t, actions } = usePanel();
  const [sending, setSending] = useState(false);
  const box = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    const { current } = box;
    current?.focus();
    current?.setSelectionRange(current.value.length, current.value.length);
  }, []);
  const send = async () => {
    if (draft.trim() === "" || sending) return;
    setSending(true);
    // A failure is reported, and the text stays.
    const taken = await actions.ask("chat/edit", { messageId: id, text: draft });
    setSending(false);
    if (taken) end();
  };
  return (
    <div className="message-editor">
      <textarea
        ref={box}
        className="text-field"
        data-testid="edit-text"
        aria-label={t("Your message, to be sent anew")}
        rows={Math.min(12, draft.split("\n").length + 1)}
        value={draft}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === "Escape") {
            event.stopPropagation();
            end();
          } else if (event.key === "Enter" && !event.shiftKey && !event.altKey) {
            event.preventDefault();
            void send();
          }
        }}
      />
      <p className="detail">
        {t("What came after it stays in the history, as a task of its own. Files stay as they are.")}
      </p>
      <div className="buttons">
        <Button
          kind="primary"
          testId="edit-send"
          disabled={draft.trim() === "" || sending}
          onPress={() => void send()}
        >
          {t("Send")}
        </Button>
        <Button testId="edit-cancel" onPress={end}>
          {t("Cancel")}
        </Button>
      </div>
    </div>
  );
}
