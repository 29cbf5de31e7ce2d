/** What the user said while the agent worked, until it is taken. It answers nothing by itself. */
import type { QueueItem } from "../../shared/event.ts";
import type { PendingInput } from "../loop/task.ts";
import type { Said } from "../loop/turn.ts";

interface Queued extends Said {
  id: string;
}

export class Queue implements PendingInput<Queued> {
  readonly #changed: (items: QueueItem[]) => void;
  #items: readonly Queued[] = [];

  /** `changed` is told what waits, whenever that changes. */
  constructor(changed: (items: QueueItem[]) => void) {
    this.#changed = changed;
  }

  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  get waiting(): readonly Said[] {
    return this.#items;
  }

  add(id: string, said: Said): void {
    this.#set([...this.#items, { ...said, id }]);
  }

  remove(id: string): void {
    this.#set(this.#items.filter((item) => item.id !== id));
  }

  /** All of it, which then waits no more. */
  take(): readonly Queued[] {
    const taken = this.#items;
    this.clear();
    return taken;
  }

  /** Puts back what was taken, before what came since. */
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
