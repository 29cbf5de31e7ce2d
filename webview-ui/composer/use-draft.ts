/** What the next message says so far. Never a word is lost: it outlives the page, and comes back when sending fails. */
import { type Dispatch, type RefObject, type SetStateAction, useEffect, useRef, useState } from "react";
import type { Draft } from "../../src/shared/protocol.ts";
import type { Attachment } from "../host.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { lastMessageId, unsent } from "./draft.ts";
import type { WriterHandle } from "./writer.tsx";

export interface DraftOfComposer {
  text: string;
  setText(text: string): void;
  images: readonly Attachment[];
  setImages: Dispatch<SetStateAction<readonly Attachment[]>>;
  /** Writes it down, as when only the selection has changed. */
  keep(): void;
  submit(): void;
}

export function useDraft(writer: RefObject<WriterHandle | null>): DraftOfComposer {
  const { actions, store, kept } = usePanel();
  const [text, setText] = useState(kept.value.draft);
  const [images, setImages] = useState<readonly Attachment[]>(kept.value.images);
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
  }, [opened, store, writer]);

  return { text, setText, images, setImages, keep, submit };
}

function joined(first: string, second: string): string {
  return first !== "" && second !== "" ? `${first}\n${second}` : first + second;
}
