/** Messages that the user sent while the agent worked. Queueing a message never answers a call. */
import type { QueueItem } from "../../shared/event.ts";
import { joinedPrompts } from "../context/server-prompts.ts";
import type { PendingInput } from "../loop/task.ts";
import type { UserContent } from "../loop/turn.ts";

/** The messages as one. */
export function combined(queued: readonly UserContent[]): UserContent {
  const supplied = queued.flatMap((item) => item.supplied ?? []);
  return {
    text: queued.map((item) => item.text).join("\n\n"),
    images: queued.flatMap((item) => item.images),
    ...(supplied.length === 0 ? {} : { supplied: joinedPrompts(supplied) }),
  };
}

interface Queued extends UserContent {
  id: string;
}

export class Queue implements PendingInput<Queued> {
  readonly #changed: (items: QueueItem[]) => void;
  #items: readonly Queued[] = [];

  /** `changed` is called with the queued items after each change. */
  constructor(changed: (items: QueueItem[]) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get waiting(): readonly UserContent[] {
    return this.#items;
  }

  add(id: string, input: UserContent): void {
    this.#set([...this.#items, { ...input, id }]);
  }

  remove(id: string): void {
    this.#set(this.#items.filter((item) => item.id !== id));
  }

  /** Removes and returns all items. */
  take(): readonly Queued[] {
    const taken = this.#items;
    this.clear();
    return taken;
  }

  /** Puts taken items back, before newer ones. */
  putBack(items: readonly Queued[]): void {
    if (items.length > 0) this.#set([...items, ...this.#items]);
  }

  clear(): void {
    if (!this.isEmpty) this.#set([]);
  }

  #set(items: readonly Queued[]): void {
    this.#items = items;
    this.#changed(items.map(({ id, text }) => ({ id, text })));
  }
}
