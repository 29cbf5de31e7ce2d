/** The `@` picker's state: which mention is being typed, what the host found for it, and which hit is active. */
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState } from "react";
import type { FileHit } from "../../src/shared/protocol.ts";
import { usePanel } from "../panel.ts";
import { Latest } from "./latest.ts";
import { choose, type MentionDraft, mentionAt } from "./mention.ts";

/** Keys that choose the active hit, and whether a folder is entered by them. */
const choosing: Readonly<Record<string, { into: boolean }>> = { Enter: { into: false }, Tab: { into: true } };

export interface Mentions {
  open: boolean;
  hits: readonly FileHit[];
  active: number;
  listId: string;
  activeId: string;
  optionId(index: number): string;
  /** Tells where the cursor is; without the focus nothing opens. */
  look(text: string, cursor: number, focused: boolean): void;
  close(): void;
  choose(index: number): void;
  setActive(index: number): void;
  /** True when the key was meant for the picker. */
  onKey(event: KeyboardEvent): boolean;
}

/** `send` is called for an Enter that was held back for an answer which then had nothing to choose. */
export function useMentions(
  text: string,
  edit: (text: string, cursor: number) => void,
  send: () => void,
): Mentions {
  const { actions } = usePanel();
  const listId = useId();
  const [hits, setHits] = useState<readonly FileHit[]>([]);
  const [active, setActive] = useState(0);
  const draft = useRef<MentionDraft | null>(null);
  /** Start of the mention that the person closed the picker on; it stays closed for that one. */
  const dismissed = useRef(-1);
  /** A choosing key pressed before the hits were there: it takes the first one when they come. */
  const early = useRef<{ into: boolean } | null>(null);
  const now = useRef({ text, edit, send });
  now.current = { text, edit, send };

  const put = useCallback((hit: FileHit, into: boolean) => {
    if (!draft.current) return;
    const edited = choose(now.current.text, draft.current, hit, into);
    draft.current = null;
    setHits([]);
    now.current.edit(edited.text, edited.cursor);
  }, []);

  const latest = useMemo(
    () =>
      new Latest<readonly FileHit[]>((found) => {
        const first = found[0];
        const key = early.current;
        if (key && !latest.pending) {
          early.current = null;
          if (first) return put(first, key.into);
          if (!key.into) now.current.send();
        }
        setHits(draft.current ? found : []);
        setActive(0);
      }),
    [put],
  );

  const close = useCallback(() => {
    latest.cancel();
    early.current = null;
    draft.current = null;
    setHits([]);
  }, [latest]);

  const look = useCallback(
    (text: string, cursor: number, focused: boolean) => {
      const next = focused ? mentionAt(text, cursor) : null;
      if (next?.start !== dismissed.current) dismissed.current = -1;
      if (!next || next.start === dismissed.current) {
        if (draft.current) close();
        return;
      }
      const same = draft.current?.query === next.query && draft.current.start === next.start;
      draft.current = next;
      if (!same) void latest.ask(() => actions.findFiles(next.query), []);
    },
    [actions, latest, close],
  );

  const open = hits.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;
  const onKey = (event: KeyboardEvent): boolean => {
    if (!draft.current || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const choice = choosing[event.key];
    if (choice && latest.pending) {
      early.current = choice;
      return true;
    }
    if (!open) return false;
    const hit = hits[active];
    if (choice && hit) put(hit, choice.into);
    else if (event.key === "ArrowDown") setActive((active + 1) % hits.length);
    else if (event.key === "ArrowUp") setActive((active + hits.length - 1) % hits.length);
    else if (event.key === "Escape") {
      dismissed.current = draft.current.start;
      close();
    } else return false;
    return true;
  };

  return {
    open,
    hits,
    active,
    listId,
    activeId: optionId(active),
    optionId,
    look,
    close,
    choose(index) {
      const hit = hits[index];
      if (hit) put(hit, false);
    },
    setActive,
    onKey,
  };
}
