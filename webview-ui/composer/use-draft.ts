/** What the next message says so far. Never a word is lost: it outlives the page, and comes back when sending fails. */
import {
  type Dispatch,
  type RefObject,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from "react";
import { sameList } from "../actions.ts";
import { type Attachment, draftOf, type Kept } from "../host.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { joined, lastMessageId, unsent, withTyped } from "./draft.ts";
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
  const opened = usePanelState((state) => state.opened);
  const [text, showText] = useState(kept.value.draft);
  const [images, showImages] = useState<readonly Attachment[]>(kept.value.images);
  /** What is shown once React has come to it: a key that sends may also be one that asks to keep the draft. */
  const latest = useRef({ text, images });
  const setText = useCallback((next: string) => {
    latest.current = { ...latest.current, text: next };
    showText(next);
  }, []);
  const setImages = useCallback((change: SetStateAction<readonly Attachment[]>) => {
    const next = typeof change === "function" ? change(latest.current.images) : change;
    latest.current = { ...latest.current, images: next };
    showImages(next);
  }, []);
  /** Sent, and not acknowledged by the host yet: part of the draft until it is. */
  const unacknowledged = useRef({ text: "", images: [] as readonly Attachment[] });
  /** The person's last message when the first of that was sent: it will be the last one itself, before the host says so. */
  const sentAfter = useRef(kept.value.draftAfter);
  /**
   * What the page before this one left, until the host has said what became of it. What that page had sent is not shown
   * meanwhile: most likely it arrived.
   */
  const before = useRef<Before | undefined>({ ...kept.value, sends: [] });

  const edit = (next: string) => writer.current?.edit(next, next.length);
  const submit = () => {
    const sent = { text, images };
    if (sent.text.trim() === "" && sent.images.length === 0) return;
    const { current: all } = unacknowledged;
    if (all.text === "" && all.images.length === 0) sentAfter.current = lastMessageId(store.state.view);
    unacknowledged.current = { text: joined(all.text, sent.text), images: [...all.images, ...sent.images] };
    edit("");
    setImages([]);
    writer.current?.closeMenus();
    const settle = () => {
      const { text, images } = unacknowledged.current;
      unacknowledged.current = {
        text: text === sent.text ? "" : text.replace(sent.text, "").trim(),
        images: images.filter((image) => !sent.images.includes(image)),
      };
      keep();
    };
    const send = () =>
      actions.send(sent.text, sent.images).then(settle, () => {
        // The host did not take it: back it goes, before what has been typed since.
        edit(joined(sent.text, latest.current.text));
        setImages((since) => [...sent.images, ...since]);
        settle();
      });
    if (before.current) before.current.sends.push({ text: sent.text, send, drop: settle });
    else void send();
  };

  const keep = () => {
    const compared = before.current === undefined;
    const { text: draft } = latest.current;
    const images = [...latest.current.images];
    const pending = joined(before.current?.pending ?? "", unacknowledged.current.text);
    const pendingImages = [...(before.current?.pendingImages ?? []), ...unacknowledged.current.images];
    const isSent = pending !== "" || pendingImages.length > 0;
    const settledAfter = isSent ? sentAfter.current : lastMessageId(store.state.view);
    const draftAfter = compared ? settledAfter : kept.value.draftAfter;
    const said = { draft, pending, draftAfter, images, pendingImages };
    // A page that only looks at what was left does not make it newer.
    const at = isSame(said, kept.value) ? {} : { draftAt: Date.now() };
    const withoutImages = kept.value.withoutImages && !compared;
    kept.update({ ...said, ...at, withoutImages, selection: writer.current?.selection ?? [0, 0] });
    // Not before the host has said what it kept: it may know of more.
    if (compared) actions.keepDraft(draftOf(kept.value));
  };
  const keepLatest = useRef(keep);
  keepLatest.current = keep;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is written when what it holds changes
  useEffect(keep, [text, images]);

  useEffect(() => {
    const left = before.current;
    if (!opened || !left) return;
    before.current = undefined;
    const { view, draft } = store.state;
    sentAfter.current = lastMessageId(view);
    const newest = draft ?? kept.remembered;
    const rest = unsent(view, newest.text, newest.after);
    const { text, images } = latest.current;
    const wasSaid = left.draft !== "" && unsent(view, left.draft, left.draftAfter) === "";
    if (draft || rest !== newest.text) {
      // The host knows which pictures there are, the page which of them it had not sent.
      const notSent = newest.at === kept.remembered.at && !wasSaid ? left.images : [];
      const still = rest === newest.text ? (newest.images ?? []) : notSent;
      const removed = left.images.filter((image) => !images.includes(image)).map(({ data }) => data);
      const added = images.filter((image) => !left.images.includes(image));
      setImages([...still.filter(({ data }) => !removed.includes(data)), ...added]);
    }
    const next = withTyped(rest, left.draft, text);
    if (next !== text) writer.current?.edit(next, next.length);
    keepLatest.current();
    for (const { text, send, drop } of left.sends) {
      if (wasSaid && text === left.draft) drop();
      else send();
    }
  }, [opened, store, kept, writer, setImages]);

  return { text, setText, images, setImages, keep, submit };
}

type Said = Pick<Kept, "draft" | "pending" | "draftAfter" | "images" | "pendingImages">;

interface Before extends Said {
  /** What the person sends meanwhile; it waits for the host, as it may be what the page before had sent. */
  sends: { text: string; send(): void; drop(): void }[];
}

function isSame(one: Said, other: Said): boolean {
  return (
    one.draft === other.draft &&
    one.pending === other.pending &&
    one.draftAfter === other.draftAfter &&
    sameList(one.images, other.images) &&
    sameList(one.pendingImages, other.pendingImages)
  );
}
