import { CR, isSpace, LF, LT, SPACE, TAB, TICK, TILDE } from "./chars.ts";

const START = 0;
const TEXT = 1;
const RUN = 2;
const CLOSING = 3;

const NO_CODE = 0;
const INLINE = 1;
const INFO = 2;
const FENCE = 3;

const NO_MARK = 0;
const DIGITS = 1;
const MARK = 2;
const MARK_SPACED = 3;

type ScanStop = "tag" | "fence" | "fence-end" | "end";

/**
 * Determines which parts of streaming Markdown are code, one character at a time and without lookahead.
 *
 * - A fence is a line of three or more backticks or tildes, indented by up to three columns more than the text of the
 *   list item that contains it. It ends at a line of at least as many of the same character and nothing else.
 * - Inline code begins with a run of backticks and ends at a run of the same length. CommonMark treats a run without a
 *   partner literally, which only the rest of the paragraph can show. Here, a run of one or two ends at the end of its
 *   line, a longer one at a blank line. So a stray backtick hides one line at most.
 * - A line that begins like a backtick fence but contains another backtick is inline code.
 *
 * Backslash escapes and indented code are not recognized, because the protocol mentions only fences and backticks.
 */
export class CodeTracker {
  #phase = START;
  #code = NO_CODE;
  /** True while this line contains only white space. */
  #blank = true;
  #column = 0;
  #mark = NO_MARK;
  /** Column at which the text of the innermost list item begins. */
  #base = 0;
  #run = 0;
  #runChar = 0;
  #runLeads = false;
  #ticks = 0;
  #fenceChar = 0;
  #fenceLength = 0;
  #fenceColumn = 0;
  #stop: ScanStop = "end";

  /** True if only white space precedes this position on its line. */
  get atLineStart(): boolean {
    return this.#blank;
  }

  /** True inside a fence or inline code. A run of backticks that just ended counts only after the next character. */
  get inCode(): boolean {
    return this.#code !== NO_CODE;
  }

  /** Characters of a run at the start of a line that the next character may make a fence. */
  get openRun(): number {
    return this.#phase === RUN && this.#runLeads && this.#code !== FENCE && this.#code !== INFO
      ? this.#run
      : 0;
  }

  /** Characters of the run that opened the last fence. */
  get fenceLength(): number {
    return this.#fenceLength;
  }

  /** Why the last `scan` stopped. */
  get stop(): ScanStop {
    return this.#stop;
  }

  /**
   * Reads to the next `<` outside code and returns its position, without reading it; the length of `s` if there is
   * none. With `fences`, also stops after the run that opens a fence, and after the line that ends one.
   */
  scan(s: string, from: number, fences = false): number {
    const length = s.length;
    let i = from;
    while (i < length) {
      const c = s.charCodeAt(i);
      if (this.#phase === RUN && c === this.#runChar) {
        this.#run++;
        i++;
        continue;
      }
      if (this.#phase === RUN && this.#settleRun() && fences) return this.#stopAt(i, "fence");
      if (c === LF) {
        if (this.#newLine() && fences) return this.#stopAt(i + 1, "fence-end");
      } else if (this.#readChar(c)) return this.#stopAt(i, "tag");
      i++;
    }
    return this.#stopAt(length, "end");
  }

  #stopAt(at: number, stop: ScanStop): number {
    this.#stop = stop;
    return at;
  }

  /** Reads a character other than a line break; returns true, without reading it, for a `<` outside code. */
  #readChar(c: number): boolean {
    if (this.#phase === START && this.#readPrefix(c)) return false;
    if (this.#phase === CLOSING) {
      if (!isSpace(c)) this.#phase = TEXT;
    } else if (c === TICK && this.#readsTicks()) this.#startRun(c, false);
    else if (c === LT && this.#code === NO_CODE) return true;
    else this.#blank = false;
    return false;
  }

  /** Reads the `<` at which `scan` stopped as text. */
  passTag(): void {
    this.#blank = false;
  }

  #readsTicks(): boolean {
    return this.#code !== FENCE && !(this.#code === INFO && this.#fenceChar === TILDE);
  }

  #startRun(c: number, leads: boolean): void {
    this.#phase = RUN;
    this.#run = 1;
    this.#runChar = c;
    this.#runLeads = leads;
    this.#blank = false;
  }

  /** Returns whether the run opened a fence. */
  #settleRun(): boolean {
    this.#phase = TEXT;
    const run = this.#run;
    const runChar = this.#runChar;
    if (this.#code === FENCE) {
      if (run >= this.#fenceLength) this.#phase = CLOSING;
      return false;
    }
    const closesInline = this.#code === INLINE && runChar === TICK && run === this.#ticks;
    if (this.#runLeads && run >= 3 && !closesInline) {
      this.#code = INFO;
      this.#fenceChar = runChar;
      this.#fenceLength = run;
      this.#fenceColumn = this.#column;
      return true;
    }
    if (runChar !== TICK) return false;
    if (this.#code === NO_CODE) {
      this.#code = INLINE;
      this.#ticks = run;
    } else if (this.#code === INFO) {
      this.#code = run === this.#fenceLength ? NO_CODE : INLINE;
      this.#ticks = this.#fenceLength;
    } else if (closesInline) {
      this.#code = NO_CODE;
    }
    return false;
  }

  /** Returns whether the line ended a fence. */
  #newLine(): boolean {
    const closes = this.#phase === CLOSING;
    if (closes) this.#code = NO_CODE;
    else if (this.#code === INFO) this.#code = FENCE;
    else if (this.#code === INLINE && (this.#ticks < 3 || this.#blank)) this.#code = NO_CODE;
    this.#phase = START;
    this.#blank = true;
    this.#column = 0;
    this.#mark = NO_MARK;
    return closes;
  }

  /** Reads one character of a line's indentation, list markers or fence; returns false when the line's text begins. */
  #readPrefix(c: number): boolean {
    if (c === SPACE || c === TAB || c === CR) {
      if (this.#mark === DIGITS) {
        this.#phase = TEXT;
      } else if (this.#mark === MARK) {
        this.#mark = MARK_SPACED;
      }
      if (c !== CR) this.#column += c === TAB ? 4 - (this.#column % 4) : 1;
      return true;
    }
    if (this.#code === FENCE) {
      if (c === this.#fenceChar && this.#column <= this.#fenceColumn + 3) {
        this.#startRun(c, true);
        return true;
      }
      this.#phase = TEXT;
      return false;
    }
    if (this.#mark === MARK_SPACED) {
      this.#base = this.#column;
      this.#mark = NO_MARK;
    } else if (this.#mark === NO_MARK && this.#column < this.#base) {
      this.#base = this.#column;
    }
    if (this.#mark === NO_MARK && (c === TICK || c === TILDE) && this.#column <= this.#base + 3) {
      this.#startRun(c, true);
      return true;
    }
    if (this.#code === NO_CODE && this.#readMark(c)) {
      this.#column++;
      this.#blank = false;
      return true;
    }
    this.#phase = TEXT;
    return false;
  }

  #readMark(c: number): boolean {
    const digit = c >= 48 && c <= 57;
    if (this.#mark === NO_MARK && (c === 0x2a || c === 0x2b || c === 0x2d)) {
      this.#mark = MARK;
      return true;
    }
    if (digit && (this.#mark === NO_MARK || this.#mark === DIGITS)) {
      this.#mark = DIGITS;
      return true;
    }
    if (this.#mark === DIGITS && (c === 0x2e || c === 0x29)) {
      this.#mark = MARK;
      return true;
    }
    return false;
  }
}
