/** Calls that wait for the user's decision. Only `decide` can approve a call. */
import type { Explanation } from "../../../shared/explanation.ts";
import { Interrupt } from "../../errors.ts";
import type { Log } from "../../ports/system.ts";

export interface Decision {
  approved: boolean;
  comment: string | undefined;
}

interface Waiting {
  settle(decision: Decision): void;
  always: string | undefined;
  /** How that is stored; default: as an entry of the allow list. */
  store: (() => Promise<void>) | undefined;
  why: (() => Promise<Explanation>) | undefined;
}

export interface ApprovalsDeps {
  host: { log: Log };
  /** Stores an entry of the allow list. */
  allowCommand?(prefix: string): Promise<void>;
}

export class Approvals {
  readonly #deps: ApprovalsDeps;
  readonly #waiting = new Map<string, Waiting>();

  constructor(deps: ApprovalsDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves when the user decides on exactly this call; rejects with Interrupt when `signal` aborts. `always`: the
   * entry that "always allow this" would store, and `store` how, if it is no entry of the allow list. `why` explains the question.
   */
  wait(
    callId: string,
    signal: AbortSignal,
    {
      always,
      store,
      why,
    }: {
      always?: string | undefined;
      store?: (() => Promise<void>) | undefined;
      why?: () => Promise<Explanation>;
    } = {},
  ): Promise<Decision> {
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
      this.#waiting.set(callId, { settle, always, store, why });
    });
  }

  /**
   * False if the call is not waiting: decided elsewhere, stopped, or never asked. `always` also stores the entry that the user
   * was shown, if that was offered.
   */
  decide(callId: string, decision: Decision, { always = false } = {}): boolean {
    const waiting = this.#waiting.get(callId);
    if (!waiting) return false;
    this.#waiting.delete(callId);
    waiting.settle(decision);
    if (always && waiting.always !== undefined) {
      const stored = waiting.store?.() ?? this.#deps.allowCommand?.(waiting.always);
      stored?.catch((error: unknown) =>
        this.#deps.host.log.error("the allow list could not be stored", error),
      );
    }
    return true;
  }

  /** Why the call asks; undefined if it is not waiting. */
  async why(callId: string): Promise<Explanation | undefined> {
    return this.#waiting.get(callId)?.why?.();
  }

  get first(): string | undefined {
    return this.#waiting.keys().next().value;
  }
}
