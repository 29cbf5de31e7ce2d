/**
 * Limits how many tasks of a project work at once: the others wait, first come, first served. A task keeps its slot from a request
 * to the model until its turn ends or waits for the user.
 */
import type { TaskEvent } from "../../../shared/event.ts";
import { Interrupt } from "../../errors.ts";

interface WaitingSession {
  session: string;
  go(): void;
}

export class TurnSlots {
  readonly #limit: () => number;
  readonly #holders = new Set<string>();
  #waiting: WaitingSession[] = [];

  /** `limit`: the number of slots; 0: no limit. */
  constructor(limit: () => number) {
    this.#limit = limit;
  }

  /**
   * Resolves when the session has a slot, which it may have already. `onWait` is called if it has to wait. Rejects with Interrupt
   * when the signal aborts.
   */
  async take(session: string, signal: AbortSignal, onWait: () => void): Promise<void> {
    if (signal.aborted) throw new Interrupt();
    this.#fill();
    if (this.#holders.has(session)) return;
    if (this.#waiting.length === 0 && this.#isFree()) {
      this.#holders.add(session);
      return;
    }
    onWait();
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => {
        this.#waiting = this.#waiting.filter((other) => other !== waiting);
        reject(new Interrupt());
      };
      const waiting: WaitingSession = {
        session,
        go() {
          signal.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      this.#waiting.push(waiting);
      signal.addEventListener("abort", onAbort, { once: true });
    });
  }

  /** Frees the session's slot while it waits for its subtasks, which need slots of their own. Its next request takes a slot again. */
  yield(session: string): void {
    if (this.#holders.delete(session)) this.#fill();
  }

  /** Called for each event of an open session. */
  fold(event: TaskEvent): void {
    if (event.type !== "status" || (event.status !== "idle" && event.status !== "approval")) return;
    this.yield(event.session);
  }

  #isFree(): boolean {
    const limit = this.#limit();
    return limit === 0 || this.#holders.size < limit;
  }

  /** Gives free slots to those that wait; the limit may have changed. */
  #fill(): void {
    while (this.#isFree()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#holders.add(next.session);
      next.go();
    }
  }
}
