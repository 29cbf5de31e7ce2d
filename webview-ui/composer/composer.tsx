/** The input for the next message. */
import { type KeyboardEvent, lazy, Suspense, useEffect, useRef, useState } from "react";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { Recall } from "../drafts/recall.ts";
import { useDraft } from "../drafts/use-draft.ts";
import { Foot } from "../foot/foot.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { namesSelection } from "./names-selection.ts";
import { Writer, type WriterHandle } from "./writer.tsx";

const CurrentFileChip = lazy(() => import("./menus/current-file-chip.tsx"));
const AsideLine = lazy(() => import("../drafts/aside-line.tsx"));

const DIRECTIONS: Readonly<Record<string, "older" | "newer">> = { ArrowUp: "older", ArrowDown: "newer" };

export function Composer() {
  const { t, store, kept, composer } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  const current = usePanelState((state) => (state.setup?.hasWorkspace ? state.current : null));
  const writer = useRef<WriterHandle>(null);
  const { text, setText, images, setImages, keep, submit, ...draft } = useDraft(writer);

  useEffect(() => (writer.current ? composer.attach(writer.current) : undefined), [composer]);

  const [recall] = useState(() => new Recall());
  const onKey = (event: KeyboardEvent) => {
    const direction = DIRECTIONS[event.key];
    const [start, end] = writer.current?.selection ?? [0, 0];
    if (!direction || start !== end) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const recalled = recall.step(direction, { text, cursor: start }, ownMessages(store.state.view));
    if (recalled === undefined) return;
    event.preventDefault();
    writer.current?.recall(recalled);
  };

  return (
    <>
      {draft.aside === null ? null : (
        <Suspense>
          <AsideLine aside={draft.aside} restore={draft.restoreAside} drop={draft.dropAside} />
        </Suspense>
      )}
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
        firstChip={
          // If two chips are for the same lines, the one that the user added stays.
          current && !namesSelection(text, current) ? <CurrentFileChip current={current} /> : null
        }
      >
        <Foot />
        <ComposerButtons
          hasSomething={text.trim() !== "" || images.length > 0}
          text={() => text}
          submit={submit}
        />
      </Writer>
    </>
  );
}

/** The user's messages that the panel has loaded, oldest first. */
function ownMessages(view: ChatView): string[] {
  return rowsOf(view).flatMap((row) => (row.kind === "user" ? [row.text] : []));
}
