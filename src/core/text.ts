/** Text helpers that every rank may use: lines, line endings, bounded texts. */

/** A line ending as it stands in a file. */
export type Eol = "\n" | "\r\n" | "\r";

/** A file's name as it is listed: one with a line feed in it would otherwise make up lines of its own. */
export function visibleName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** Where each line of a text begins and ends. Row numbers are 0-based; a final line break opens no further row. */
export interface LineTable {
  readonly count: number;
  /** Offset of each row's first character, plus one last entry: the length of the text. */
  readonly starts: Int32Array;
  /** Offset just past each row's last character, before its line ending. */
  readonly ends: Int32Array;
}

/** The rows of a text, split at `\n`, `\r\n` and a lone `\r`, in one pass. */
export function lineTable(text: string): LineTable {
  const loneReturns = text.includes("\r");
  let capacity = 1024;
  let starts = new Int32Array(capacity + 1);
  let ends = new Int32Array(capacity);
  let count = 0;
  let at = 0;
  const add = (end: number, next: number) => {
    if (count === capacity) {
      capacity *= 2;
      const grownStarts = new Int32Array(capacity + 1);
      const grownEnds = new Int32Array(capacity);
      grownStarts.set(starts);
      grownEnds.set(ends);
      starts = grownStarts;
      ends = grownEnds;
    }
    starts[count] = at;
    ends[count] = end;
    count += 1;
    at = next;
  };
  let nextReturn = loneReturns ? text.indexOf("\r") : -1;
  while (at < text.length) {
    const feed = text.indexOf("\n", at);
    while (nextReturn !== -1 && nextReturn < at) nextReturn = text.indexOf("\r", at);
    if (nextReturn !== -1 && (feed === -1 || nextReturn < feed)) {
      add(nextReturn, nextReturn + (feed === nextReturn + 1 ? 2 : 1));
    } else if (feed !== -1) {
      add(feed, feed + 1);
    } else {
      add(text.length, text.length);
    }
  }
  starts[count] = text.length;
  return { count, starts: starts.subarray(0, count + 1), ends: ends.subarray(0, count) };
}

/** The rows of a text, each with its line ending; joining them gives the text back. */
export function splitLines(text: string): string[] {
  const { count, starts } = lineTable(text);
  const lines: string[] = [];
  for (let row = 0; row < count; row++) lines.push(text.slice(starts[row], starts[row + 1]));
  return lines;
}

/** The rows of a text without their line endings. */
export function bareLines(text: string): string[] {
  const { count, starts, ends } = lineTable(text);
  const lines: string[] = [];
  for (let row = 0; row < count; row++) lines.push(text.slice(starts[row], ends[row]));
  return lines;
}

/** How a text ends its lines. `dominant` is undefined where there is no line break at all; a tie goes to `\n`. */
export interface LineEndings {
  dominant: Eol | undefined;
  mixed: boolean;
  lf: number;
  crlf: number;
  cr: number;
}

/** Counts the line endings of a text. */
export function lineEndings(text: string): LineEndings {
  let lf = 0;
  let crlf = 0;
  let cr = 0;
  for (let at = text.indexOf("\r"); at !== -1; at = text.indexOf("\r", at + 1)) {
    if (text.charCodeAt(at + 1) === 10) crlf += 1;
    else cr += 1;
  }
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) lf += 1;
  lf -= crlf;
  const most = Math.max(lf, crlf, cr);
  const dominant = most === 0 ? undefined : lf === most ? "\n" : crlf === most ? "\r\n" : "\r";
  return { dominant, mixed: [lf, crlf, cr].filter((n) => n > 0).length > 1, lf, crlf, cr };
}

/** The text with every line ending turned into `eol`. */
export function withEol(text: string, eol: Eol): string {
  return text.replace(/\r\n|\r|\n/g, eol);
}

/** `text.slice(start, end)` that never leaves half of a surrogate pair at either edge: it drops that half. */
export function sliceWhole(text: string, start: number, end: number): string {
  let from = Math.max(0, start);
  let to = Math.min(text.length, end);
  if (from > 0 && isLow(text.charCodeAt(from)) && isHigh(text.charCodeAt(from - 1))) from += 1;
  if (to > from && to < text.length && isHigh(text.charCodeAt(to - 1)) && isLow(text.charCodeAt(to))) to -= 1;
  return from < to ? text.slice(from, to) : "";
}

function isHigh(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}

/**
 * Keeps the head and the tail of a text that is longer than `max` characters, with a note between them.
 * `headShare` (0 to 1, default 0.5) is the head's part of what is kept. Cuts fall on line breaks where one is near.
 * `next` names the call that shows more, such as "continue with start_line 2001". The note comes on top of `max`.
 */
export function truncateMiddle(
  text: string,
  options: { max: number; headShare?: number; next?: string },
): string {
  const max = Math.max(0, Math.floor(options.max));
  if (text.length <= max) return text;
  const headLength = Math.floor(max * Math.min(1, Math.max(0, options.headShare ?? 0.5)));
  const tailLength = max - headLength;
  const slack = Math.floor(Math.min(headLength, tailLength) / 4);
  let head = sliceWhole(text, 0, headLength);
  const headBreak = head.lastIndexOf("\n");
  if (headBreak >= headLength - slack && headBreak > 0) head = head.slice(0, headBreak + 1);
  let tail = sliceWhole(text, text.length - tailLength, text.length);
  const tailBreak = tail.indexOf("\n");
  if (tailBreak !== -1 && tailBreak < slack) tail = tail.slice(tailBreak + 1);
  const left = text.length - head.length - tail.length;
  const note = `[... ${left} characters left out${options.next === undefined ? "" : `; ${options.next}`} ...]`;
  const before = head === "" || head.endsWith("\n") ? "" : "\n";
  const after = tail === "" ? "" : "\n";
  return `${head}${before}${note}${after}${tail}`;
}

/** The rows with their numbers in front (`  12 | text`), the first of them being `start` (1-based, default 1). */
export function numberLines(lines: readonly string[], start = 1): string {
  const width = String(start + Math.max(0, lines.length - 1)).length;
  return lines.map((line, row) => `${String(start + row).padStart(width)} | ${line}`).join("\n");
}
