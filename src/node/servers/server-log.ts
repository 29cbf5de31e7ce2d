/** The log of one server: what it logs and prints, as clean lines of bounded length and number. */

import { cleanText } from "../../core/servers/server-text.ts";
import { sliceWhole } from "../../core/text.ts";

/** Characters of one line. */
const MOST_CHARACTERS = 2_000;
/** Lines in one second; more are counted and dropped. */
const MOST_LINES = 100;
/** Lines of a local server's output that are kept, and how many of them the message of a failed start contains. */
const KEPT_LINES = 80;
const SHOWN_LINES = 12;
const SHOWN_CHARACTERS = 2_000;
/** Maximum number of consecutive stack frames that are shown. The cause is above or below them. */
const SHOWN_FRAMES = 2;
const FRAME = /^\s+(?:at\s|File "|from\s)/;

export class ServerLog {
  readonly #write: (line: string) => void;
  #printed: string[] = [];
  #second = 0;
  #lines = 0;
  #dropped = 0;

  constructor(write: (line: string) => void) {
    this.#write = write;
  }

  /** Our own note; never dropped. */
  note(text: string): void {
    this.#write(sliceWhole(cleanText(text), 0, MOST_CHARACTERS));
  }

  /** A line from the server. */
  add(text: string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      const dropped = this.#dropped;
      [this.#second, this.#lines, this.#dropped] = [second, 0, 0];
      if (dropped > 0) this.note(`${dropped} lines were dropped, because the server printed too many.`);
    }
    if (++this.#lines > MOST_LINES) this.#dropped++;
    else this.note(text);
  }

  /** A line that the server printed instead of sending it as a message. */
  printed(text: string): void {
    if (text.trim() === "") return;
    this.#printed.push(sliceWhole(cleanText(text), 0, MOST_CHARACTERS));
    if (this.#printed.length > KEPT_LINES) this.#printed.shift();
    this.add(text);
  }

  /** The last printed lines, without most frames of stack traces. */
  get lastLines(): string {
    const lines = withFewFrames(this.#printed).slice(-SHOWN_LINES).join("\n");
    return sliceWhole(lines, lines.length - SHOWN_CHARACTERS, lines.length);
  }

  /** The server is started again. */
  forgetLines(): void {
    this.#printed = [];
  }
}

function withFewFrames(lines: readonly string[]): string[] {
  const shortened: string[] = [];
  let frames = 0;
  const close = () => {
    if (frames > SHOWN_FRAMES) shortened.push(`    (${frames - SHOWN_FRAMES} more)`);
    frames = 0;
  };
  for (const line of lines) {
    if (!FRAME.test(line)) close();
    else if (++frames > SHOWN_FRAMES) continue;
    shortened.push(line);
  }
  close();
  return shortened;
}
