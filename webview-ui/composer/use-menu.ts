/** State of a menu that opens over the composer: the text being typed, the items found for it, and the active item. */
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState } from "react";

/** Text being typed that a menu completes. Indices are UTF-16 units of the composer's text. */
export interface MenuDraft {
  /** Index of the character that opened the menu. */
  start: number;
  /** Index after its last typed character: the cursor. */
  end: number;
  /** The typed part of the item's name. */
  query: string;
}

export interface TextWithCursor {
  text: string;
  cursor: number;
}

/** Where a menu's items come from. Must be the same object on every render. */
export interface MenuSource<Item> {
  /** The draft that ends at `cursor`, if one is being typed there. */
  at(text: string, cursor: number): MenuDraft | null;
  find(query: string): Promise<readonly Item[]>;
  /** Replaces the draft with an item. `into`: continue choosing inside the item, if it has content. */
  put(text: string, draft: MenuDraft, item: Item, into: boolean): TextWithCursor;
  /** The item is already typed in full, so Enter has nothing to choose. */
  isWhole?(draft: MenuDraft, item: Item): boolean;
}

interface MenuState<Item> {
  items: readonly Item[];
  active: number;
}

/** Keys that choose the active item. The value says whether they also continue inside the item. */
const CHOOSING: Readonly<Record<string, { into: boolean }>> = { Enter: { into: false }, Tab: { into: true } };

export interface Menu<Item> {
  open: boolean;
  /** The cursor is at text that the menu completes, whether or not there are matches. */
  readonly drafting: boolean;
  items: readonly Item[];
  active: number;
  /** The query that the items match. */
  query: string;
  listId: string;
  activeId: string;
  optionId(index: number): string;
  /** Updates the cursor position; without the focus no menu opens. */
  look(text: string, cursor: number, focused: boolean): void;
  close(): void;
  /** Closes the menu, and keeps it closed for the draft that ends at `cursor` in that text. */
  dismiss(text: string, cursor: number): void;
  choose(index: number): void;
  setActive(index: number): void;
  /** True when the menu handled the key. */
  onKey(event: KeyboardEvent): boolean;
}

/** `send` is called when the user pressed Enter before the items arrived, and there turned out to be nothing to choose. */
export function useMenu<Item>(
  source: MenuSource<Item>,
  text: string,
  edit: (text: string, cursor: number) => void,
  send: () => void,
): Menu<Item> {
  const listId = useId();
  const [{ items, active }, setShown] = useState<MenuState<Item>>({ items: [], active: 0 });
  /** What `setShown` last received: a key can arrive before it is rendered. */
  const newest = useRef<MenuState<Item>>({ items: [], active: 0 });
  const show = useCallback((items: readonly Item[], active = 0) => {
    newest.current = { items, active };
    setShown(newest.current);
  }, []);
  const draft = useRef<MenuDraft | null>(null);
  /** Start of the draft for which the user closed the menu; the menu stays closed for that draft. */
  const dismissed = useRef(-1);
  /** A choosing key that was pressed before the items arrived. It chooses the first item when they arrive. */
  const early = useRef<{ into: boolean } | null>(null);
  const now = useRef({ text, edit, send });
  now.current = { text, edit, send };

  const put = useCallback(
    (item: Item, into: boolean) => {
      if (!draft.current) return;
      const edited = source.put(now.current.text, draft.current, item, into);
      draft.current = null;
      show([]);
      now.current.edit(edited.text, edited.cursor);
    },
    [source, show],
  );

  /** Whether Enter has something to choose. */
  const completes = useCallback(
    (item: Item) => draft.current !== null && !(source.isWhole?.(draft.current, item) ?? false),
    [source],
  );

  const latest = useMemo(
    () =>
      new Latest<readonly Item[]>((answer) => {
        const first = answer[0];
        const key = early.current;
        if (key && !latest.pending) {
          early.current = null;
          if (first && (key.into || completes(first))) return put(first, key.into);
          if (!key.into) now.current.send();
        }
        show(draft.current ? answer : []);
      }),
    [put, completes, show],
  );

  const close = useCallback(() => {
    latest.cancel();
    early.current = null;
    draft.current = null;
    show([]);
  }, [latest, show]);

  const look = useCallback(
    (text: string, cursor: number, focused: boolean) => {
      const next = focused ? source.at(text, cursor) : null;
      if (next?.start !== dismissed.current) dismissed.current = -1;
      if (!next || next.start === dismissed.current) {
        if (draft.current) close();
        return;
      }
      const same = draft.current?.query === next.query && draft.current.start === next.start;
      draft.current = next;
      if (same) return;
      // If the user continues to type after the choosing key, the key no longer applies: its answer must not send the message.
      early.current = null;
      void latest.ask(() => source.find(next.query), []);
    },
    [source, latest, close],
  );

  const open = items.length > 0;
  const optionId = (index: number) => `${listId}-${index}`;
  const onKey = (event: KeyboardEvent): boolean => {
    if (!draft.current || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const choice = CHOOSING[event.key];
    if (choice && latest.pending) {
      early.current = choice;
      return true;
    }
    const { items, active } = newest.current;
    const item = items[active];
    if (item === undefined) return false;
    if (choice) {
      if (!choice.into && !completes(item)) return false;
      put(item, choice.into);
    } else if (event.key === "ArrowDown") show(items, (active + 1) % items.length);
    else if (event.key === "ArrowUp") show(items, (active + items.length - 1) % items.length);
    else if (event.key === "Escape") {
      dismissed.current = draft.current.start;
      close();
    } else return false;
    return true;
  };

  return {
    open,
    get drafting() {
      return draft.current !== null;
    },
    items,
    active,
    query: draft.current?.query ?? "",
    listId,
    activeId: optionId(active),
    optionId,
    look,
    close,
    dismiss(text, cursor) {
      close();
      dismissed.current = source.at(text, cursor)?.start ?? -1;
    },
    choose(index) {
      const item = items[index];
      if (item !== undefined) put(item, false);
    },
    setActive: (index) => show(newest.current.items, index),
    onKey,
  };
}

/**
 * Runs queries whose answers may arrive out of order, and drops an answer that is older than one already delivered. `pending`
 * is true until the newest question is answered.
 */
export class Latest<A> {
  #asked = 0;
  #answered = 0;
  readonly #deliver: (answer: A) => void;

  constructor(deliver: (answer: A) => void) {
    this.#deliver = deliver;
  }

  get pending(): boolean {
    return this.#answered < this.#asked;
  }

  /** Asks a question. If it rejects, `fallback` is delivered as its answer. */
  async ask(question: () => Promise<A>, fallback: A): Promise<void> {
    const number = ++this.#asked;
    let answer = fallback;
    try {
      answer = await question();
    } catch {
      // The host could not answer; an empty list is better than a stale one.
    }
    if (number <= this.#answered) return;
    this.#answered = number;
    this.#deliver(answer);
  }

  /** Drops answers that have not arrived yet. */
  cancel(): void {
    this.#answered = ++this.#asked;
  }
}
