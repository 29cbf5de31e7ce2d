/** Text helpers for all ranks: lines, line endings, truncation. */

/** A line ending as written in a file. */
export type Eol = "\n" | "\r\n" | "\r";

/** Escapes control characters in a listed file name, so that a line feed in a name cannot produce extra lines. */
export function visibleName(name: string): string {
  return name.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu, (character) => {
    const short = { "\n": "\\n", "\r": "\\r", "\t": "\\t" }[character];
    return short ?? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** The start and end of each line. Row numbers are 0-based. A final line break does not start another row. */
export interface LineTable {
  readonly count: number;
  /** Offset of each row's first character, plus a final entry: the length of the text. */
  readonly starts: Int32Array;
  /** Offset just past each row's last character, before its line ending. */
  readonly ends: Int32Array;
}

/** Splits a text at `\n`, `\r\n` and a lone `\r`, in one pass. */
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

/** Returns the rows with their line endings; joining them yields the text. */
export function splitLines(text: string): string[] {
  const { count, starts } = lineTable(text);
  const lines: string[] = [];
  for (let row = 0; row < count; row++) lines.push(text.slice(starts[row], starts[row + 1]));
  return lines;
}

/** Returns the rows without their line endings. */
export function bareLines(text: string): string[] {
  const { count, starts, ends } = lineTable(text);
  const lines: string[] = [];
  for (let row = 0; row < count; row++) lines.push(text.slice(starts[row], ends[row]));
  return lines;
}

/** The line endings of a text. `dominant` is undefined if there is no line break; `\n` wins a tie. */
export interface LineEndings {
  dominant: Eol | undefined;
  mixed: boolean;
  lf: number;
  crlf: number;
  cr: number;
}

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

/** Returns the text with every line ending converted to `eol`. */
export function withEol(text: string, eol: Eol): string {
  return text.replace(/\r\n|\r|\n/g, eol);
}

/** Works like `text.slice(start, end)`, but drops half a surrogate pair at either edge. */
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
 * Truncates a text longer than `max` characters to its head and tail, with a note between them. `headShare` (0 to 1,
 * default 0.5) is the head's share of the kept text. Cuts fall on nearby line breaks where possible. `next` names the
 * call that shows more, such as "continue with start_line 2001". The note is not counted in `max`.
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
  const omitted = text.length - head.length - tail.length;
  const note = `[... ${omitted} characters left out${options.next === undefined ? "" : `; ${options.next}`} ...]`;
  const before = head === "" || head.endsWith("\n") ? "" : "\n";
  const after = tail === "" ? "" : "\n";
  return `${head}${before}${note}${after}${tail}`;
}

/** Prefixes each row with its number (`  12 | text`), starting at `start` (1-based, default 1). */
export function numberLines(lines: readonly string[], start = 1): string {
  const width = String(start + Math.max(0, lines.length - 1)).length;
  return lines.map((line, row) => `${String(start + row).padStart(width)} | ${line}`).join("\n");
}

/** Prefix of the line that reports lost output. */
export const LOSS_MARK = "(the editor did not pass on";

/**
 * Yields the chunks of one command as the editor passes them on, with a line that tells the model if the editor passed
 * on nothing, or not the beginning of the output. A shell with integration marks the beginning with `OSC 633 ; C`, or
 * `OSC 133 ; C` of FinalTerm (code.visualstudio.com/docs/terminal/shell-integration).
 *
 * VS Code (seen in 1.100 to 1.139) starts to pass on chunks in a microtask after the event for the command's start. If
 * that event and the output of a quick command reach the extension host together, as they can over a remote window's
 * socket, the output is lost.
 */
export async function* markLostOutput(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let any = false;
  for await (const chunk of chunks) {
    if (!any && !/\x1b\][16]33;C/.test(chunk)) yield `${LOSS_MARK} how this output begins)\n`;
    any = true;
    yield chunk;
  }
  if (!any) yield `${LOSS_MARK} the output of this command)\n`;
}
