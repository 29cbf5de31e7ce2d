/** Queues and sends messages that wait, and lets the user change them. The id of a message that is no longer queued has no effect. */

import { SerialQueue } from "../../async.ts";
import { throwIfAborted } from "../../errors.ts";
import type { ForegroundCalls } from "../../loop/calls/background-list.ts";
import { mayBePrompt } from "../../loop/from-servers.ts";
import type { Task } from "../../loop/task.ts";
import type { UserContent } from "../../loop/turn.ts";
import { combined, type Queue } from "./queue.ts";

/** Messages that a server must complete before they are queued, in the order in which the user sent them. */
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

export interface QueuedMessagesDeps {
  queue: Queue;
  incoming: Incoming;
  task: Pick<Task, "turns" | "endAnswer">;
  foregroundCalls: Pick<ForegroundCalls, "moveAllToBackground">;
  /** The agent works. */
  busy(): boolean;
  /** Starts a turn with a message that has what the server of its prompt supplies. */
  begin(input: UserContent): Promise<void>;
  newId(): string;
}

export class QueuedMessages {
  readonly #deps: QueuedMessagesDeps;

  constructor(deps: QueuedMessagesDeps) {
    this.#deps = deps;
  }

  add(input: UserContent): { queued: boolean } {
    this.#deps.queue.add(this.#deps.newId(), input);
    return { queued: true };
  }

  /** Sends all of them as the next message. */
  send(): Promise<void> {
    return this.#deps.begin(combined(this.#deps.queue.take()));
  }

  /**
   * Sends a message after those that wait for a server. What the server of its prompt supplies is queued with it, so that the user
   * learns now if it cannot be sent.
   */
  sendAfter(input: UserContent): Promise<{ queued: boolean }> {
    const { incoming, task, busy, begin } = this.#deps;
    return incoming.run(async (signal) => {
      const whole = await task.turns.accept(input, signal);
      if (busy()) return this.add(whole);
      await begin(whole);
      return { queued: false };
    });
  }

  /** Replaces the text. Rejects with PromptFailure if its prompt is not available; the message is then unchanged. */
  async edit(id: string, text: string): Promise<void> {
    const { queue, incoming, task } = this.#deps;
    const queued = queue.waiting.find((item) => item.id === id);
    if (!queued || text === queued.text) return;
    if (text.trim() === "" && queued.images.length === 0) return queue.remove(id);
    const input: UserContent = { text, images: queued.images };
    const accept = (signal: AbortSignal) => task.turns.accept(input, signal);
    queue.replace(id, mayBePrompt(text) ? await incoming.run(accept) : input);
  }

  remove(id: string): void {
    this.#deps.queue.remove(id);
  }

  move(id: string, index: number): void {
    this.#deps.queue.move(id, index);
  }

  /**
   * Ends the running step so that the message is read before the next request: an answer that is being received ends, and commands
   * continue in the background. A call that waits for approval is not answered by it.
   */
  async sendNow(id: string): Promise<void> {
    const { queue, task, foregroundCalls, busy } = this.#deps;
    if (!queue.move(id, 0)) return;
    if (!busy()) return this.send();
    task.endAnswer();
    foregroundCalls.moveAllToBackground();
  }
}
