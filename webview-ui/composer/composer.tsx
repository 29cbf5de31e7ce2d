/** The input for the next message. */
import { type KeyboardEvent, useEffect, useRef } from "react";
import { usePanel, useView } from "../panel.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { ModelEffort } from "./effort-select.tsx";
import { ModelButton } from "./model-button.tsx";
import { useDraft } from "./use-draft.ts";
import { Writer, type WriterHandle } from "./writer.tsx";

export function Composer() {
  const { t, store, kept, composer } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  const writer = useRef<WriterHandle>(null);
  const { text, setText, images, setImages, keep, submit } = useDraft(writer);

  useEffect(() => (writer.current ? composer.attach(writer.current) : undefined), [composer]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" || text !== "") return;
    const last = lastOwnMessage(store.state.view);
    if (last === "") return;
    event.preventDefault();
    writer.current?.edit(last, last.length);
  };

  return (
    <Writer
      ref={writer}
      text={text}
      setText={setText}
      images={images}
      setImages={setImages}
      selection={kept.value.selection}
      testId="chat-input"
      label={t("Message")}
      placeholder={
        busy
          ? t("Press Enter to queue a message")
          : t("Describe a task. Enter to send, @ for files, / for commands")
      }
      submit={submit}
      onKey={onKey}
      onSelect={keep}
    >
      <ModelButton />
      <ModelEffort />
      <ComposerButtons
        hasSomething={text.trim() !== "" || images.length > 0}
        text={() => text}
        submit={submit}
      />
    </Writer>
  );
}

function lastOwnMessage(view: { settled: readonly { kind: string }[] }): string {
  const row = view.settled.findLast((other) => other.kind === "user");
  return row && "text" in row && typeof row.text === "string" ? row.text : "";
}
