/** The output of one command: passed to the caller while it waits, then buffered until it is read. */
import { Interrupt } from "../../core/errors.ts";
import { LONGEST_TIMER } from "../clock.ts";

/** Characters that are kept. */
const MOST_KEPT = 100_000;

export class CommandOutput {
  #onText: ((text: string) => void) | undefined;
  readonly #watchers: ((text: string) => void)[] = [];
  #text = "";
  #dropped = 0;
  /** Callbacks of callers that wait for unread output. */
  readonly #listeners = new Set<() => void>();

  constructor(onText: (text: string) => void) {
    this.#onText = onText;
  }

  /** Buffers further output. */
  keep(): void {
    this.#onText = undefined;
  }

  /** Passes on further output, whether it is buffered or not. */
  watch(onText: (text: string) => void): void {
    this.#watchers.push(onText);
  }

  add(text: string): void {
    if (text === "") return;
    for (const watch of this.#watchers) watch(text);
    if (this.#onText) {
      this.#onText(text);
      return;
    }
    this.#text += text;
    for (const notify of [...this.#listeners]) notify();
    // Not cut at every chunk, so that the cost of a chunk is proportional to its length.
    if (this.#text.length > 2 * MOST_KEPT) {
      this.#dropped += this.#text.length - MOST_KEPT;
      this.#text = this.#text.slice(-MOST_KEPT);
    }
  }

  take(): string {
    const note = this.#dropped > 0 ? `[... ${this.#dropped} characters left out ...]\n` : "";
    const output = note + this.#text;
    this.#text = "";
    this.#dropped = 0;
    return output;
  }

  /** Resolves when there is output to take, `ended` resolves, or after `waitMs`; rejects with Interrupt when aborted. */
  async news(waitMs: number, signal: AbortSignal, ended: Promise<unknown>): Promise<void> {
    if (signal.aborted) throw new Interrupt();
    if (this.#text !== "" || waitMs <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.#listeners.delete(onNews);
        signal.removeEventListener("abort", onAbort);
        then();
      };
      const onNews = () => settle(resolve);
      const onAbort = () => settle(() => reject(new Interrupt()));
      const timer = setTimeout(onNews, Math.min(waitMs, LONGEST_TIMER));
      this.#listeners.add(onNews);
      signal.addEventListener("abort", onAbort, { once: true });
      void ended.then(onNews);
    });
  }
}
