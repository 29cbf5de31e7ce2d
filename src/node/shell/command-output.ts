/** What one command prints: given on while its caller listens, then kept until somebody asks for it. */
import { Interrupt } from "../../core/errors.ts";
import { longestTimer } from "../clock.ts";

/** Characters that are kept. */
const mostKept = 100_000;

export class CommandOutput {
  #give: ((text: string) => void) | undefined;
  #text = "";
  #dropped = 0;
  /** Those who wait for output that nobody has been told of. */
  readonly #listening = new Set<() => void>();

  constructor(give: (text: string) => void) {
    this.#give = give;
  }

  /** From now on output waits to be asked for. */
  keep(): void {
    this.#give = undefined;
  }

  add(text: string): void {
    if (text === "") return;
    if (this.#give) {
      this.#give(text);
      return;
    }
    this.#text += text;
    for (const tell of [...this.#listening]) tell();
    // Cut now and then, so that a chunk costs what it is long.
    if (this.#text.length > 2 * mostKept) {
      this.#dropped += this.#text.length - mostKept;
      this.#text = this.#text.slice(-mostKept);
    }
  }

  take(): string {
    const note = this.#dropped > 0 ? `[... ${this.#dropped} characters left out ...]\n` : "";
    const output = note + this.#text;
    this.#text = "";
    this.#dropped = 0;
    return output;
  }

  /** Resolves once there is output to take, `ended` did, or `waitMs` are over; rejects with Interrupt when aborted. */
  async news(waitMs: number, signal: AbortSignal, ended: Promise<unknown>): Promise<void> {
    if (signal.aborted) throw new Interrupt();
    if (this.#text !== "" || waitMs <= 0) return;
    await new Promise<void>((resolve, reject) => {
      const settle = (then: () => void) => {
        clearTimeout(timer);
        this.#listening.delete(onNews);
        signal.removeEventListener("abort", onAbort);
        then();
      };
      const onNews = () => settle(resolve);
      const onAbort = () => settle(() => reject(new Interrupt()));
      const timer = setTimeout(onNews, Math.min(waitMs, longestTimer));
      this.#listening.add(onNews);
      signal.addEventListener("abort", onAbort, { once: true });
      void ended.then(onNews);
    });
  }
}
