/** The draft of the next message. It survives a reload of the page, and is restored when a message cannot be sent. */
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
import type { WriterHandle } from "../composer/writer.tsx";
import { type DraftAttachment, draftOf, type PersistedState } from "../host.ts";
import { usePanel, usePanelState } from "../panel.ts";
import { joined, lastMessageId, restored, type UnsentDraft, unsent } from "./draft.ts";

export interface DraftOfComposer {
  text: string;
  setText(text: string): void;
  images: readonly DraftAttachment[];
  setImages: Dispatch<SetStateAction<readonly DraftAttachment[]>>;
  /** Stores it, for example when only the selection has changed. */
  keep(): void;
  submit(): void;
  /** The draft of an earlier page, if the user wrote something else before it was restored. */
  aside: UnsentDraft | null;
  /** Exchanges it with the content of the composer. */
  restoreAside(): void;
  dropAside(): void;
}

export function useDraft(writer: RefObject<WriterHandle | null>): DraftOfComposer {
  const { actions, store, kept } = usePanel();
  const opened = usePanelState((state) => state.opened);
  const [text, showText] = useState(kept.value.draft);
  const [images, showImages] = useState<readonly DraftAttachment[]>(kept.value.images);
  const [aside, showAside] = useState<UnsentDraft | null>(kept.value.aside);
  const setAside = useCallback(
    (next: UnsentDraft | null) => {
      showAside(next);
      kept.update({ aside: next && { text: next.text, images: [...next.images] } });
    },
    [kept],
  );
  /** The current state, even if React has not rendered it: one key press may both send the message and store the draft. */
  const latest = useRef({ text, images });
  const setText = useCallback((next: string) => {
    latest.current = { ...latest.current, text: next };
    showText(next);
  }, []);
  const setImages = useCallback((change: SetStateAction<readonly DraftAttachment[]>) => {
    const next = typeof change === "function" ? change(latest.current.images) : change;
    latest.current = { ...latest.current, images: next };
    showImages(next);
  }, []);
  /** Sent messages that the host has not acknowledged; they are part of the draft until it has. */
  const unacknowledged = useRef({ text: "", images: [] as readonly DraftAttachment[] });
  /** Id of the user's last message when the first of them was sent. */
  const sentAfter = useRef(kept.value.draftAfter);
  /**
   * The state that the previous page stored; undefined once the host has answered. Messages that the previous page sent are not
   * shown until then, because the host has most likely received them.
   */
  const before = useRef<PreviousPage | undefined>({ ...kept.value, sends: [] });

  const edit = (next: string) => writer.current?.edit(next, next.length);
  const submit = () => {
    const sent = { text, images };
    if (sent.text.trim() === "" && sent.images.length === 0) return;
    const { current: all } = unacknowledged;
    if (all.text === "" && all.images.length === 0) sentAfter.current = lastMessageId(store.state.view);
    unacknowledged.current = { text: joined(all.text, sent.text), images: [...all.images, ...sent.images] };
    const { length } = sent.images;
    const arrived = store.sending({
      text: sent.text,
      images: length,
      after: lastMessageId(store.state.view),
    });
    edit("");
    setImages([]);
    writer.current?.closeMenus();
    const settle = () => {
      arrived();
      const { text, images } = unacknowledged.current;
      unacknowledged.current = {
        text: text === sent.text ? "" : text.replace(sent.text, "").trim(),
        images: images.filter((image) => !sent.images.includes(image)),
      };
      keep();
    };
    const send = () =>
      actions.send(sent.text, sent.images).then(settle, () => {
        // The host rejected the message, so it is restored before what has been typed since.
        edit(joined(sent.text, latest.current.text));
        setImages((since) => [...sent.images, ...since]);
        settle();
      });
    if (before.current) before.current.sends.push({ text: sent.text, send, drop: settle });
    else void send();
  };

  const keep = useCallback(() => {
    const isCompared = before.current === undefined;
    const { text: draft } = latest.current;
    const images = [...latest.current.images];
    const pending = joined(before.current?.pending ?? "", unacknowledged.current.text);
    const pendingImages = [...(before.current?.pendingImages ?? []), ...unacknowledged.current.images];
    const isSent = pending !== "" || pendingImages.length > 0;
    const settledAfter = isSent ? sentAfter.current : lastMessageId(store.state.view);
    const draftAfter = isCompared ? settledAfter : kept.value.draftAfter;
    const stored = { draft, pending, draftAfter, images, pendingImages };
    // Only a change makes the draft newer. Opening the page does not.
    const at = isSame(stored, kept.value) ? {} : { draftAt: Date.now() };
    const withoutImages = kept.value.withoutImages && !isCompared;
    kept.update({ ...stored, ...at, withoutImages, selection: writer.current?.selection ?? [0, 0] });
    // The host may have a newer draft, so nothing is sent to it before it has answered.
    if (isCompared) actions.keepDraft(draftOf(kept.value));
  }, [actions, store, kept, writer]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the draft is stored when its text or images change
  useEffect(keep, [keep, text, images]);

  useEffect(() => {
    const previous = before.current;
    if (!opened || !previous) return;
    before.current = undefined;
    const { view, draft } = store.state;
    sentAfter.current = lastMessageId(view);
    const newest = draft ?? kept.remembered;
    const rest = unsent(view, newest.text, newest.after);
    const { text, images } = latest.current;
    const wasSent = previous.draft !== "" && unsent(view, previous.draft, previous.draftAfter) === "";
    // The host knows all images; the page knows which of them it had not sent.
    const notSent = newest.at === kept.remembered.at && !wasSent ? previous.images : [];
    const reported = { text: rest, images: rest === newest.text ? (newest.images ?? []) : notSent };
    const shown = { text: previous.draft, images: previous.images };
    const next = restored(reported, shown, { text, images, hasSent: previous.sends.length > 0 });
    if (draft || rest !== newest.text) setImages(next.images);
    if (next.aside) setAside(next.aside);
    if (next.text !== text) writer.current?.edit(next.text, next.text.length);
    keep();
    for (const { text, send, drop } of previous.sends) {
      if (wasSent && text === previous.draft) drop();
      else send();
    }
  }, [opened, store, kept, writer, keep, setImages, setAside]);

  const restoreAside = () => {
    if (!aside) return;
    const before = latest.current;
    setAside(before.text.trim() === "" && before.images.length === 0 ? null : before);
    writer.current?.fill(aside.text);
    setImages(aside.images);
  };
  const dropAside = () => {
    setAside(null);
    writer.current?.focus();
  };

  return { text, setText, images, setImages, keep, submit, aside, restoreAside, dropAside };
}

type StoredDraft = Pick<PersistedState, "draft" | "pending" | "draftAfter" | "images" | "pendingImages">;

interface PreviousPage extends StoredDraft {
  /** Messages that the user sent before the host answered. They wait, because the previous page may have sent them already. */
  sends: { text: string; send(): void; drop(): void }[];
}

function isSame(one: StoredDraft, other: StoredDraft): boolean {
  return (
    one.draft === other.draft &&
    one.pending === other.pending &&
    one.draftAfter === other.draftAfter &&
    sameList(one.images, other.images) &&
    sameList(one.pendingImages, other.pendingImages)
  );
}
