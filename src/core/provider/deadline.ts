/** Limits how long a model may be silent. */
import { ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";

/**
 * Aborts the request if the first or the next token does not arrive in time. Tokens arrive by the thousand, so each only
 * notes the time: the timer looks at it when it fires, and waits for the rest.
 */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #first: number;
  readonly #idle: number;
  readonly #outer: AbortSignal;
  readonly #abort = () => this.#controller.abort();
  #timer: { dispose(): void } | undefined;
  #lastToken = 0;
  /** When the newest token or sign of life came since the timer was started; undefined: none came. */
  #lastSign: number | undefined;
  started = false;
  passed = false;

  /** In seconds; 0: unlimited. */
  constructor(clock: Clock, outer: AbortSignal, first: number, idle: number) {
    this.#clock = clock;
    this.#first = first;
    this.#idle = idle;
    this.#outer = outer;
    if (outer.aborted) this.#abort();
    outer.addEventListener("abort", this.#abort);
    this.#arm(first * 1_000);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Part of the answer arrived. */
  token(): void {
    this.#lastToken = this.#clock.now().getTime();
    this.#lastSign = this.#lastToken;
    if (this.started) return;
    this.started = true;
    // The limit may be shorter from now on.
    this.#timer?.dispose();
    this.#arm(this.#idle * 1_000);
  }

  /**
   * The endpoint signals activity without sending part of the answer, as a gateway does that buffers a long call until
   * it is complete. This extends the deadline for at most the first-token timeout.
   */
  alive(): void {
    if (!this.started) return;
    const now = this.#clock.now().getTime();
    if (this.#first <= 0 || now - this.#lastToken < this.#first * 1_000) this.#lastSign = now;
  }

  error(): ProviderError {
    return new ProviderError({ code: this.started ? "idle-timeout" : "first-token-timeout" });
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#outer.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  #arm(ms: number): void {
    this.#lastSign = undefined;
    if (ms > 0) this.#timer = this.#clock.after(ms, () => this.#fired());
  }

  #fired(): void {
    const idleMs = this.#idle * 1_000;
    const silent = this.#lastSign === undefined ? idleMs : this.#clock.now().getTime() - this.#lastSign;
    // A time of day that was set back since does not make the wait longer than its limit.
    if (silent < idleMs) this.#arm(Math.min(idleMs - silent, idleMs));
    else {
      this.passed = true;
      this.#abort();
    }
  }
}
