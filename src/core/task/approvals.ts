/** Calls that wait for the person. Only `decide` settles one; nothing else in the product can say yes. */
import { Interrupt } from "../errors.ts";

export interface Decision {
  approved: boolean;
  comment: string | undefined;
}

interface Waiting {
  settle(decision: Decision): void;
  always: string | undefined;
}

export class Approvals {
  readonly #waiting = new Map<string, Waiting>();

  /**
   * Resolves when the person decides on exactly this call; rejects with Interrupt when `signal` aborts. `always`: the
   * words that "always allow this" would store.
   */
  wait(callId: string, signal: AbortSignal, always?: string): Promise<Decision> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(new Interrupt());
        return;
      }
      const onAbort = () => {
        this.#waiting.delete(callId);
        reject(new Interrupt());
      };
      signal.addEventListener("abort", onAbort, { once: true });
      const settle = (decision: Decision) => {
        signal.removeEventListener("abort", onAbort);
        resolve(decision);
      };
      this.#waiting.set(callId, { settle, always });
    });
  }

  /** False when that call does not wait (any more): decided elsewhere, stopped, or never asked. */
  decide(callId: string, decision: Decision): boolean {
    const waiting = this.#waiting.get(callId);
    if (!waiting) return false;
    this.#waiting.delete(callId);
    waiting.settle(decision);
    return true;
  }

  /** What the person was shown as the words to store for the call that waits; undefined: not on offer. */
  alwaysOf(callId: string): string | undefined {
    return this.#waiting.get(callId)?.always;
  }

  get first(): string | undefined {
    return this.#waiting.keys().next().value;
  }
}
