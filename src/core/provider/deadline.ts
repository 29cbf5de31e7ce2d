/** Limits how long a model may be silent. */
import { ProviderError } from "../errors.ts";
import type { Clock } from "../ports/system.ts";

/** Aborts the request if the first or the next token does not arrive in time. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #clock: Clock;
  readonly #first: number;
  readonly #idle: number;
  readonly #outer: AbortSignal;
  readonly #abort = () => this.#controller.abort();
  #timer: { dispose(): void };
  #lastToken = 0;
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
    this.#timer = this.#arm(first);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Part of the answer arrived. */
  token(): void {
    this.started = true;
    this.#lastToken = this.#clock.now().getTime();
    this.#again();
  }

  /**
   * The endpoint signals activity without sending part of the answer, as a gateway does that buffers a long call until
   * it is complete. This extends the deadline for at most the first-token timeout.
   */
  alive(): void {
    if (!this.started) return;
    const silent = this.#clock.now().getTime() - this.#lastToken;
    if (this.#first <= 0 || silent < this.#first * 1_000) this.#again();
  }

  error(): ProviderError {
    return new ProviderError({ code: this.started ? "idle-timeout" : "first-token-timeout" });
  }

  dispose(): void {
    this.#timer.dispose();
    this.#outer.removeEventListener("abort", this.#abort);
    this.#controller.abort();
  }

  #again(): void {
    this.#timer.dispose();
    this.#timer = this.#arm(this.#idle);
  }

  #arm(seconds: number): { dispose(): void } {
    if (seconds <= 0) return { dispose: () => undefined };
    return this.#clock.after(seconds * 1000, () => {
      this.passed = true;
      this.#abort();
    });
  }
}
