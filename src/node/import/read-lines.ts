/** Reads lines of text from large files piece by piece. */
import { createReadStream } from "node:fs";

/** Bytes of a line. A longer one is skipped without being in memory: no message is that long. */
export const LONGEST_LINE = 64 * 1024 * 1024;

export interface LineTaker {
  line(text: string): void;
  lost(): void;
}

export interface ReadOptions {
  /** Reads only this many bytes, and drops the line that they end in. Default: the whole file. */
  bytes?: number;
  longestLine?: number;
  signal?: AbortSignal;
  /** Called with the number of bytes of each piece. */
  onRead?(bytes: number): void;
}

/** A last line without a line feed counts as a line: the product may have been interrupted, or still be writing. */
export async function readLines(file: string, taker: LineTaker, options: ReadOptions = {}): Promise<void> {
  const { bytes, longestLine = LONGEST_LINE, signal, onRead } = options;
  const stream = createReadStream(file, {
    ...(bytes === undefined ? {} : { end: bytes - 1 }),
    ...(signal ? { signal } : {}),
    highWaterMark: 256 * 1024,
  });
  let pieces: Buffer[] = [];
  let size = 0;
  let total = 0;
  let isTooLong = false;
  const keep = (piece: Buffer) => {
    size += piece.length;
    if (size > longestLine) {
      isTooLong = true;
      pieces = [];
    } else if (!isTooLong) pieces.push(piece);
  };
  const end = () => {
    if (isTooLong) taker.lost();
    else if (size > 0) taker.line(Buffer.concat(pieces).toString("utf8"));
    pieces = [];
    size = 0;
    isTooLong = false;
  };
  for await (const chunk of stream) {
    const piece: Buffer = Buffer.isBuffer(chunk) ? chunk : Buffer.from(String(chunk));
    total += piece.length;
    let from = 0;
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      keep(piece.subarray(from, at));
      end();
      from = at + 1;
    }
    keep(piece.subarray(from));
    onRead?.(piece.length);
  }
  if (bytes === undefined || total < bytes) end();
}
