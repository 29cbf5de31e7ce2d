/** Calls that wait for the person. Only `decide` settles one; nothing else in the product can say yes. */
import { Interrupt } from "../errors.ts";

export interface Decision {
  approved: boolean;
  comment: string | undefined;
}

export class Approvals {
  readonly #waiting = new Map<string, (decision: Decision) => void>();

  /** Resolves when the person decides on exactly this call; rejects with Interrupt when `signal` aborts. */
  wait(callId: string, signal: AbortSignal): Promise<Decision> {
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
      this.#waiting.set(callId, (decision) => {
        signal.removeEventListener("abort", onAbort);
        resolve(decision);
      });
    });
  }

  /** False when that call does not wait (any more): decided elsewhere, stopped, or never asked. */
  decide(callId: string, decision: Decision): boolean {
    const settle = this.#waiting.get(callId);
    if (!settle) return false;
    this.#waiting.delete(callId);
    settle(decision);
    return true;
  }

  get first(): string | undefined {
    return this.#waiting.keys().next().value;
  }
}
