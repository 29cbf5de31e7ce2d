/**
 * Messages that the user sent while the agent worked. Queueing a message never answers a call, because only `Approvals.decide`
 * (`loop/calls/approvals.ts`) approves or rejects one, and `Session.send` does not call it. A command that a message approves
 * (`Session.runBlocked`) is approved when the message is read; removed or edited before, it approves nothing.
 */
import type { QueueItem } from "../../../shared/event.ts";
import { joinedPrompts } from "../../context/server-prompts.ts";
import type { PendingInput, UserContent } from "../../loop/turn.ts";

/** Joins the messages to one. */
export function combined(queued: readonly UserContent[]): UserContent {
  const supplied = queued.flatMap((item) => item.supplied ?? []);
  const approved = queued.flatMap((item) => item.approved ?? []);
  return {
    text: queued.map((item) => item.text).join("\n\n"),
    ...(approved.length === 0 ? {} : { approved }),
    images: queued.flatMap((item) => item.images),
    ...(supplied.length === 0 ? {} : { supplied: joinedPrompts(supplied) }),
  };
}

interface QueuedMessage extends UserContent {
  id: string;
}

export class Queue implements PendingInput<QueuedMessage> {
  readonly #changed: (items: QueueItem[]) => void;
  #items: readonly QueuedMessage[] = [];

  /** `changed` is called with the queued items after each change. */
  constructor(changed: (items: QueueItem[]) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get waiting(): readonly QueuedMessage[] {
    return this.#items;
  }

  add(id: string, input: UserContent): void {
    this.#set([...this.#items, { ...input, id }]);
  }

  remove(id: string): void {
    this.#set(this.#items.filter((item) => item.id !== id));
  }

  /** Replaces an item's message in its place. False: it is no longer queued. */
  replace(id: string, input: UserContent): boolean {
    const isQueued = this.#items.some((item) => item.id === id);
    if (isQueued) this.#set(this.#items.map((item) => (item.id === id ? { ...input, id } : item)));
    return isQueued;
  }

  /** Moves an item to that index, or as far as possible. False: it is no longer queued. */
  move(id: string, index: number): boolean {
    const item = this.#items.find((other) => other.id === id);
    if (!item) return false;
    const others = this.#items.filter((other) => other !== item);
    this.#set([...others.slice(0, index), item, ...others.slice(index)]);
    return true;
  }

  /** Removes and returns all items. */
  take(): readonly QueuedMessage[] {
    const items = this.#items;
    this.clear();
    return items;
  }

  /** Puts items back that `take` returned, before newer ones. */
  putBack(items: readonly QueuedMessage[]): void {
    if (items.length > 0) this.#set([...items, ...this.#items]);
  }

  clear(): void {
    if (!this.isEmpty) this.#set([]);
  }

  #set(items: readonly QueuedMessage[]): void {
    this.#items = items;
    this.#changed(items.map(({ id, text }) => ({ id, text })));
  }
}
