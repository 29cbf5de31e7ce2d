/** The input for the next message. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { CurrentFile } from "../../src/shared/view/current-file.ts";
import { type ChatView, rowsOf } from "../../src/shared/view/reducer.ts";
import { useDraft } from "../drafts/use-draft.ts";
import { Foot } from "../foot/foot.tsx";
import { onDemand } from "../on-demand.tsx";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { useRunCommand } from "./panel-commands.ts";
import { Writer, type WriterHandle } from "./writer.tsx";

const CurrentFileChip = onDemand(() => import("./menus/current-file-chip.tsx"));
const AsideLine = onDemand(() => import("../drafts/aside-line.tsx"));

const DIRECTIONS: Readonly<Record<string, "older" | "newer">> = { ArrowUp: "older", ArrowDown: "newer" };

export function Composer() {
  const { t, store, kept, composer } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  const current = usePanelState((state) => (state.setup?.hasWorkspace ? state.current : null));
  const writer = useRef<WriterHandle>(null);
  const { text, setText, images, setImages, keep, submit: send, ...draft } = useDraft(writer);
  const run = useRunCommand();
  const submit = () => {
    if (!run(text)) return send();
    writer.current?.edit("", 0);
    writer.current?.closeMenus();
  };

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
        <AsideLine aside={draft.aside} restore={draft.restoreAside} drop={draft.dropAside} />
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
        run={run}
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

/** Whether the text mentions exactly the lines that are selected in the current file. */
function namesSelection(text: string, { path, lines }: CurrentFile): boolean {
  if (!lines) return false;
  const named = `${path}:${lines.start}-${lines.end}`;
  const single = lines.start === lines.end ? `${path}:${lines.start}` : named;
  return [named, single].some((each) => {
    const at = text.indexOf(each);
    return at >= 0 && !/[\d-]/.test(text.charAt(at + each.length));
  });
}

/** Walks through the user's earlier messages in the composer, as a shell does. */
class Recall {
  /** What the composer contained before the walk. */
  #draft = "";
  /** Index into the messages, newest first; -1: no walk. */
  #at = -1;
  #shown = "";

  /**
   * The text that replaces `text` for ArrowUp ("older") or ArrowDown ("newer"); undefined: the key moves the cursor. A walk
   * begins with the cursor at the start of the text and continues from the first or last line. It ends at the draft, or when the
   * user changes the text.
   *
   * @param messages The user's messages, oldest first.
   */
  step(
    direction: "older" | "newer",
    { text, cursor }: { text: string; cursor: number },
    messages: readonly string[],
  ): string | undefined {
    if (text !== this.#shown) this.#at = -1;
    const isWalking = this.#at >= 0;
    const line = direction === "older" ? text.slice(0, cursor) : text.slice(cursor);
    if (isWalking ? line.includes("\n") : direction === "newer" || cursor > 0) return undefined;
    const newest = distinct(messages);
    const next = direction === "older" ? this.#at + 1 : this.#at - 1;
    if (next >= newest.length) return undefined;
    if (!isWalking) this.#draft = text;
    this.#at = next;
    this.#shown = newest[next] ?? this.#draft;
    return this.#shown;
  }
}

/** Newest first, without repetitions in a row. */
function distinct(messages: readonly string[]): string[] {
  const texts = messages.filter((text, index) => text.trim() !== "" && text !== messages[index + 1]);
  return texts.reverse();
}
