/** Splits a stream of bytes into lines of bounded length, without joining the pieces of a long line more than once. */

const LINE_FEED = 10;

export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  readonly #onTooLong: (() => void) | undefined;
  #pieces: Buffer[] = [];
  #size = 0;
  #stopped = false;

  /**
   * `limit`: bytes of a line. A longer line is passed on in pieces, or if `onTooLong` is given, that is called and nothing more
   * is read.
   */
  constructor(limit: number, onLine: (line: string) => void, onTooLong?: () => void) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  add(chunk: Buffer): void {
    let start = 0;
    while (!this.#stopped) {
      const end = chunk.indexOf(LINE_FEED, start);
      this.#push(chunk.subarray(start, end < 0 ? chunk.length : end));
      if (end < 0) return;
      this.#emit();
      start = end + 1;
    }
  }

  /** Passes on the last line if it has no line feed. */
  flush(): void {
    if (this.#size > 0) this.#emit();
  }

  #push(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
    this.#size += piece.length;
    if (this.#size <= this.#limit) return;
    if (this.#onTooLong === undefined) {
      this.#emit();
      return;
    }
    this.#stopped = true;
    this.#pieces = [];
    this.#onTooLong();
  }

  #emit(): void {
    if (this.#stopped) return;
    const line = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    this.#onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
  }
}
