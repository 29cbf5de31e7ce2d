/** The next message. It never loses a word: the draft outlives the page, and comes back when sending fails. */
import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { Draft } from "../../src/shared/protocol.ts";
import type { Attachment } from "../host.ts";
import { usePanel, usePanelState, useView } from "../panel.ts";
import { ComposerButtons } from "./composer-buttons.tsx";
import { lastMessageId, unsent } from "./draft.ts";
import { Writer, type WriterHandle } from "./writer.tsx";

export function Composer() {
  const { t, actions, store, kept, composer } = usePanel();
  const busy = useView((view) => view.status !== "idle");
  const [text, setText] = useState(kept.value.draft);
  const [images, setImages] = useState<readonly Attachment[]>(kept.value.images);
  const writer = useRef<WriterHandle>(null);
  /** Sent, and not acknowledged by the host yet: part of the draft until it is. */
  const unacknowledged = useRef("");
  const unacknowledgedImages = useRef<readonly Attachment[]>([]);

  const edit = (next: string) => writer.current?.edit(next, next.length);
  const submit = () => {
    const sent = text;
    if (sent.trim() === "" && images.length === 0) return;
    const sentImages = images;
    unacknowledged.current = joined(unacknowledged.current, sent);
    unacknowledgedImages.current = [...unacknowledgedImages.current, ...sentImages];
    edit("");
    setImages([]);
    writer.current?.closeMenus();
    const settle = () => {
      unacknowledged.current =
        unacknowledged.current === sent ? "" : unacknowledged.current.replace(sent, "").trim();
      unacknowledgedImages.current = unacknowledgedImages.current.filter(
        (image) => !sentImages.includes(image),
      );
      keep();
    };
    actions.send(sent, sentImages).then(settle, () => {
      // The host did not take it: back it goes, before what has been typed since.
      edit(joined(sent, latest.current.text));
      setImages((since) => [...sentImages, ...since]);
      settle();
    });
  };
  const latest = useRef({ text, images });
  latest.current = { text, images };

  const keep = () => {
    const { text } = latest.current;
    const images = [...unacknowledgedImages.current, ...latest.current.images];
    const draft = joined(unacknowledged.current, text);
    // What is on its way will be the last message itself, before the host says that it took it.
    const draftAfter =
      unacknowledged.current === "" && unacknowledgedImages.current.length === 0 && store.state.opened
        ? lastMessageId(store.state.view)
        : kept.value.draftAfter;
    const selection = writer.current?.selection ?? [0, 0];
    kept.update({ draft, draftAfter, selection, images });
    // Not before the host has said what it kept: it may know of more.
    if (store.state.opened) actions.keepDraft({ text: draft, after: draftAfter, images });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is written when what it holds changes
  useEffect(keep, [text, images]);

  const opened = usePanelState((state) => state.opened);
  /** The page's own draft; undefined once it has been compared with what the host knows. */
  const own = useRef<Draft | undefined>({
    text: kept.value.draft,
    after: kept.value.draftAfter,
    images: kept.value.images,
  });
  useEffect(() => {
    const mine = own.current;
    if (!opened || !mine) return;
    own.current = undefined;
    const { view, draft } = store.state;
    const newest = draft ?? mine;
    const rest = unsent(view, newest.text, newest.after);
    const { text } = latest.current;
    // What has been typed since comes after what the host knows and the page did not.
    const next = text === mine.text ? rest : rest === mine.text ? text : joined(rest, text);
    if (next !== text) writer.current?.edit(next, next.length);
    if (draft || rest !== newest.text) setImages(rest === newest.text ? newest.images : []);
  }, [opened, store]);

  useEffect(() => (writer.current ? composer.attach(writer.current) : undefined), [composer]);

  const onKey = (event: KeyboardEvent) => {
    if (event.key !== "ArrowUp" || text !== "") return;
    const last = lastOwnMessage(store.state.view);
    if (last === "") return;
    event.preventDefault();
    edit(last);
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
          ? t("Enter queues your message for the agent")
          : t("What should be done? Enter sends, @ names a file, / a command")
      }
      submit={submit}
      onKey={onKey}
      onSelect={keep}
    >
      <ComposerButtons hasSomething={text.trim() !== "" || images.length > 0} submit={submit} />
    </Writer>
  );
}

function joined(first: string, second: string): string {
  return first !== "" && second !== "" ? `${first}\n${second}` : first + second;
}

function lastOwnMessage(view: { settled: readonly { kind: string }[] }): string {
  const row = view.settled.findLast((other) => other.kind === "user");
  return row && "text" in row && typeof row.text === "string" ? row.text : "";
}
