/** The editor of a queued message. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { QueueItem } from "../../src/shared/event.ts";
import { isClaimedKey } from "../keys/claimed-key.ts";
import { usePanel } from "../panel.ts";
import { PlainArea } from "../toolkit/plain-area.tsx";

interface QueueEditorProps {
  item: QueueItem;
  end(): void;
}

export function QueueEditor({ item, end }: QueueEditorProps) {
  const { t, actions, composer } = usePanel();
  const [text, setText] = useState(item.text);
  const box = useRef<HTMLTextAreaElement>(null);
  /** The changed text, until it is saved or dropped; null: there is none. */
  const unsaved = useRef<string | null>(null);
  useEffect(() => {
    box.current?.focus();
    box.current?.setSelectionRange(item.text.length, item.text.length);
    return () => {
      // The agent received the message in the meantime, so the changed text moves to the composer.
      if (unsaved.current) composer.insert(unsaved.current);
    };
  }, [composer, item.text.length]);
  const finish = () => {
    unsaved.current = null;
    end();
  };
  const save = () => {
    if (unsaved.current !== null && text !== item.text)
      actions.run("chat/edit-queued", { id: item.id, text });
    finish();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isClaimedKey(event)) return;
    if (event.key === "Escape") finish();
    else if (event.key === "Enter" && !event.shiftKey) save();
    else return;
    event.preventDefault();
    composer.focus();
  };
  return (
    <PlainArea
      ref={box}
      className="queue-editor"
      testId="queue-text"
      aria-label={t("Edit queued message")}
      rows={Math.min(6, text.split("\n").length)}
      value={text}
      onChange={(event) => {
        unsaved.current = event.target.value;
        setText(event.target.value);
      }}
      onBlur={save}
      onKeyDown={onKeyDown}
    />
  );
}
