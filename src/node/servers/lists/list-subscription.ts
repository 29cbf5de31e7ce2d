/**
 * Keeps the subscription to changes of a server's lists open. Servers of 2026-07-28 report changes only there, and over HTTP the
 * stream of a subscription can end at any time.
 */
import { messageOf } from "../../../core/errors.ts";
import type { Disposable } from "../../../core/lifecycle.ts";
import type { Clock } from "../../../core/ports/system.ts";
import type { ServerLog } from "../server-log.ts";

/** Milliseconds before each attempt to open the subscription again. */
const DELAYS_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
/** Milliseconds after which the end of a subscription counts as the first failure again. */
const STABLE_MS = 10_000;

export interface OpenSubscription {
  /** Resolves when it has ended, for whatever reason. */
  closed: Promise<unknown>;
}

export interface SubscriptionParts {
  open(signal: AbortSignal): Promise<OpenSubscription>;
  /** It is open again; changes may have been missed. */
  reopened(): void;
  clock: Clock;
  log: Pick<ServerLog, "add" | "note">;
}

export class ListSubscription {
  readonly #parts: SubscriptionParts;
  readonly #stopped = new AbortController();
  #timer: Disposable | undefined;
  /** In a row. */
  #failures = 0;
  #openedAt = 0;
  #hasGivenUp = false;

  /** `current`: the subscription that is open now. */
  constructor(parts: SubscriptionParts, current: OpenSubscription) {
    this.#parts = parts;
    this.#watch(current);
  }

  /** The server answered something, which allows one more attempt if none is left. */
  answered(): void {
    if (!this.#hasGivenUp || this.#stopped.signal.aborted) return;
    this.#hasGivenUp = false;
    void this.#open();
  }

  /** Nothing is opened any more. */
  stop(): void {
    this.#stopped.abort();
    this.#timer?.dispose();
  }

  #watch({ closed }: OpenSubscription): void {
    this.#openedAt = this.#now();
    void closed.then(() => {
      if (this.#now() - this.#openedAt >= STABLE_MS) this.#failures = 0;
      this.#retry();
    });
  }

  #retry(): void {
    if (this.#stopped.signal.aborted) return;
    const { clock, log } = this.#parts;
    const delay = DELAYS_MS[this.#failures];
    this.#failures++;
    if (delay === undefined) {
      this.#hasGivenUp = true;
      log.note(
        "The server no longer reports changes of its lists, and the subscription could not be opened again.",
      );
      return;
    }
    this.#timer = clock.after(delay, () => void this.#open());
  }

  async #open(): Promise<void> {
    const { signal } = this.#stopped;
    try {
      const current = await this.#parts.open(signal);
      if (signal.aborted) return;
      this.#watch(current);
      this.#parts.reopened();
    } catch (error) {
      if (signal.aborted) return;
      this.#parts.log.add(`The subscription to changes was not opened: ${messageOf(error)}`);
      this.#retry();
    }
  }

  #now(): number {
    return this.#parts.clock.now().getTime();
  }
}
