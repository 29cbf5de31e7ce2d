/** Messages that a server must complete before they are queued, in the order in which the user sent them. */
import { throwIfAborted } from "../../errors.ts";
import { SerialQueue } from "../../serial-queue.ts";

export class Incoming {
  readonly #queue = new SerialQueue();
  #controller = new AbortController();

  get isEmpty(): boolean {
    return this.#queue.over === undefined;
  }

  /** Runs `work` after that of earlier messages, whether or not they could be sent. Rejects with Interrupt if `cancel` is called. */
  run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.#controller;
    return this.#queue.run(() => {
      throwIfAborted(signal);
      return work(signal);
    });
  }

  cancel(): void {
    this.#controller.abort();
    this.#controller = new AbortController();
  }
}
