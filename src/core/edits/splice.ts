import { matchLines } from "../../shared/text/line-diff.ts";
import type { LineIndex } from "./line-index.ts";
import type { MatchRange, Sides } from "./match-range.ts";
import { withOwnCharacters } from "./own-characters.ts";

/** Rows of the original to remove, and the lines (without endings) to insert at that row. Rows are 0-based. */
export interface Splice {
  row: number;
  remove: number;
  insert: readonly string[];
}

/**
 * Returns what a replacement changes at a place: only what differs between the two sides, so that every line and every
 * part of a line that the replacement keeps stays as it is in the file.
 */
export function splicesAt(index: LineIndex, range: MatchRange, sides: Sides): Splice[] {
  const adapted = range.adapt(sides);
  const splices: Splice[] = [];
  if (range.rows !== undefined) {
    const file = index.lines.slice(range.start, range.end);
    const lines = respaced(file, adapted);
    let [row, b] = [0, 0];
    for (const match of [...matchLines(file, lines), { a: file.length, b: lines.length, length: 0 }]) {
      const insert = lines.slice(b, match.b);
      add(index, splices, { row: range.start + row, remove: match.a - row, insert });
      [row, b] = [match.a + match.length, match.b + match.length];
    }
    return splices;
  }
  const { search, replace } = adapted;
  let [a, b] = [0, 0];
  const keys = range.tier === "exact" ? undefined : looseKeys(search, (at) => index.lines[range.start + at]);
  const end = { a: search.length, b: replace.length, length: 0 };
  for (const match of [...matchLines(keys?.(search) ?? search, keys?.(replace) ?? replace), end]) {
    const row = range.start + a;
    const file = index.lines.slice(row, range.start + match.a);
    const insert = withOwnCharacters(file, search.slice(a, match.a), replace.slice(b, match.b));
    add(index, splices, { row, remove: match.a - a, insert });
    [a, b] = [match.a + match.length, match.b + match.length];
  }
  return splices;
}

/**
 * If a search line was found only by ignoring trailing white space, such white space does not distinguish lines on
 * either side.
 */
function looseKeys(
  search: readonly string[],
  fileLine: (at: number) => string | undefined,
): (lines: readonly string[]) => string[] {
  const loose = new Set<string>();
  for (const [at, line] of search.entries()) {
    const file = fileLine(at);
    if (file !== undefined && file !== line) loose.add(line.trimEnd());
  }
  return (lines) => lines.map((line) => (loose.has(line.trimEnd()) ? line.trimEnd() : line));
}

/** Adds a splice without the lines at its edges that would not change. */
function add(index: LineIndex, splices: Splice[], { row, remove, insert }: Splice): void {
  let head = 0;
  while (head < remove && head < insert.length && index.lines[row + head] === insert[head]) head += 1;
  let tail = 0;
  const most = Math.min(remove, insert.length) - head;
  while (tail < most && index.lines[row + remove - 1 - tail] === insert[insert.length - 1 - tail]) tail += 1;
  if (remove - head - tail === 0 && insert.length - head - tail === 0) return;
  splices.push({
    row: row + head,
    remove: remove - head - tail,
    insert: insert.slice(head, insert.length - tail),
  });
}

/**
 * Applies splices to the file; they must be ascending and must not overlap. New lines get the line endings of the lines
 * that they replace or follow. A file without a final line break still has none. All other bytes stay unchanged.
 */
export function applySplices(
  index: LineIndex,
  splices: readonly Splice[],
  eolOfNew: "\n" | "\r\n" | "\r" = "\n",
): string {
  const { text, table } = index;
  const rows = index.lines.length;
  const openEnd = rows > 0 && index.ending(rows - 1) === "";
  const pieces: string[] = [index.bom];
  let at = 0;
  let reachedEnd = false;
  for (const { row, remove, insert } of splices) {
    const from = table.starts[row] ?? text.length;
    const untouched = text.slice(at, from);
    pieces.push(untouched);
    at = table.starts[row + remove] ?? text.length;
    if (row + remove === rows) {
      // The last row has no line ending to separate it from what now follows.
      if (openEnd && row === rows && insert.length > 0 && untouched !== "")
        pieces.push(endingFor(index, row - 1, eolOfNew));
      reachedEnd = true;
    }
    for (let k = 0; k < insert.length; k++) {
      pieces.push(
        insert[k] ?? "",
        endingFor(index, remove > 0 ? row + Math.min(k, remove - 1) : row - 1, eolOfNew),
      );
    }
  }
  pieces.push(text.slice(at));
  const content = pieces.join("");
  const one = index.bom === "" ? content : content.replace(/^\ufeff+/, "\ufeff");
  return openEnd && reachedEnd ? one.replace(/(?:\r\n|\n|\r)$/, "") : one;
}

function endingFor(index: LineIndex, row: number, eolOfNew: "\n" | "\r\n" | "\r"): string {
  const usual = index.eol ?? eolOfNew;
  for (let near = row; near >= Math.max(0, row - 1); near--) {
    const ending = index.ending(near);
    if (ending === "\n" || ending === "\r\n") return ending;
  }
  const after = row < 0 ? index.ending(0) : "";
  return after === "\n" || after === "\r\n" ? after : usual;
}

/** The lines that are not blank, each with the blank lines before it, and the blank lines at the end. */
interface Spaced {
  lines: { text: string; before: readonly string[] }[];
  after: readonly string[];
}

/**
 * Returns the new lines of a place. A run of blank lines that both sides have in common stays as it is in the file;
 * elsewhere the blank lines of the replacement are written. `file` are the rows of the place, whose lines that are not blank
 * are those of the search text.
 */
function respaced(file: readonly string[], sides: Sides): string[] {
  const own = spaced(file);
  const search = spaced(sides.search);
  const replace = spaced(sides.replace);
  const partners = partnersOf(search, replace);
  const texts = linesOf(own, search, replace);
  const out: string[] = [];
  for (const [at, { before }] of replace.lines.entries()) {
    // At the edges, the number of blank lines alone counts.
    const partner = at === 0 ? 0 : partners[at];
    const follows = at === 0 || (partner !== undefined && partners[at - 1] === partner - 1);
    const searched = follows ? search.lines[partner ?? 0]?.before : undefined;
    const kept = searched?.length === before.length ? own.lines[partner ?? 0]?.before : undefined;
    out.push(...(kept ?? before), texts[at] ?? "");
  }
  if (replace.lines.length === 0)
    return edgesOf(search).length === replace.after.length ? edgesOf(own) : [...replace.after];
  const after = replace.after.length === search.after.length ? own.after : replace.after;
  return [...out, ...after];
}

function spaced(all: readonly string[]): Spaced {
  const lines: Spaced["lines"] = [];
  let before: string[] = [];
  for (const text of all) {
    if (text.trim() === "") before.push(text);
    else {
      lines.push({ text, before });
      before = [];
    }
  }
  return { lines, after: before };
}

/** The blank lines at both ends, which become one run if the lines between them are removed. */
const edgesOf = ({ lines, after }: Spaced) => [...(lines[0]?.before ?? []), ...after];

const textsOf = ({ lines }: Spaced) => lines.map(({ text }) => text);

/** The search line that each new line keeps or replaces. */
function partnersOf(search: Spaced, replace: Spaced): (number | undefined)[] {
  const partners: (number | undefined)[] = new Array(replace.lines.length).fill(undefined);
  for (const { a, b, aTo, bTo, same } of spansOf(search, replace)) {
    if (!same && aTo - a !== bTo - b) continue;
    for (let at = b; at < bTo; at++) partners[at] = a + at - b;
  }
  return partners;
}

/** The new lines that are not blank: as in the file where the replacement keeps them. */
function linesOf(own: Spaced, search: Spaced, replace: Spaced): string[] {
  return spansOf(search, replace).flatMap(({ a, b, aTo, bTo, same }) => {
    const file = textsOf(own).slice(a, aTo);
    if (same) return file;
    return [...withOwnCharacters(file, textsOf(search).slice(a, aTo), textsOf(replace).slice(b, bTo))];
  });
}

interface Span {
  a: number;
  aTo: number;
  b: number;
  bTo: number;
  same: boolean;
}

/** Returns the ranges of lines that both sides have in common, and the ranges between them. */
function spansOf(search: Spaced, replace: Spaced): Span[] {
  const spans: Span[] = [];
  let [a, b] = [0, 0];
  const end = { a: search.lines.length, b: replace.lines.length, length: 0 };
  for (const match of [...matchLines(textsOf(search), textsOf(replace)), end]) {
    spans.push({ a, aTo: match.a, b, bTo: match.b, same: false });
    [a, b] = [match.a + match.length, match.b + match.length];
    spans.push({ a: match.a, aTo: a, b: match.b, bTo: b, same: true });
  }
  return spans;
}
