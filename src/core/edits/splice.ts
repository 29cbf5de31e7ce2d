import { matchLines } from "../../shared/text/line-diff.ts";
import type { FileIndex } from "./line-index.ts";
import type { Place, Sides } from "./place.ts";

/** Rows of the original to remove, and the lines (without endings) to insert at that row. Rows are 0-based. */
export interface Splice {
  row: number;
  remove: number;
  insert: readonly string[];
}

/**
 * Returns what a replacement changes at a place: only the lines that differ between the two sides, so that every line
 * that the replacement keeps stays as it is in the file.
 */
export function splicesAt(index: FileIndex, place: Place, sides: Sides): Splice[] {
  const { search, replace } = place.adapt(sides);
  const rowOf = (at: number) => (place.rows === undefined ? place.start + at : (place.rows[at] ?? -1));
  const firstSolid = search.findIndex((line) => line.trim() !== "");
  const lastSolid = search.findLastIndex((line) => line.trim() !== "");
  const splices: Splice[] = [];
  let row = place.start;
  let a = 0;
  let b = 0;
  const hunk = (aTo: number, bTo: number) => {
    const rows: number[] = [];
    for (let at = a; at < aTo; at++) if (rowOf(at) !== -1) rows.push(rowOf(at));
    const from = rows[0] ?? row;
    const to = (rows.at(-1) ?? from - 1) + 1;
    add(index, splices, { row: from, remove: to - from, insert: replace.slice(b, bTo) });
    row = Math.max(row, to);
    a = aTo;
    b = bTo;
  };
  const keys = place.tier === "exact" ? undefined : looseKeys(search, (at) => index.lines[rowOf(at)]);
  for (const match of matchLines(keys?.(search) ?? search, keys?.(replace) ?? replace)) {
    hunk(match.a, match.b);
    for (let k = 0; k < match.length; k++) {
      const at = match.a + k;
      const kept = rowOf(at);
      if (kept !== -1) row = kept + 1;
      else if (at < firstSolid || at > lastSolid) {
        // A blank line at the edge that the file lacks counts only if the replacement continues after it.
        const other = match.b + k;
        const beyond = at < firstSolid ? replace.slice(0, other) : replace.slice(other + 1);
        if (beyond.some((line) => line.trim() !== "")) {
          add(index, splices, { row, remove: 0, insert: [replace[other] ?? ""] });
        }
      }
    }
    a = match.a + match.length;
    b = match.b + match.length;
  }
  hunk(search.length, replace.length);
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
function add(index: FileIndex, splices: Splice[], { row, remove, insert }: Splice): void {
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
  index: FileIndex,
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
  return openEnd && reachedEnd ? content.replace(/(?:\r\n|\n|\r)$/, "") : content;
}

function endingFor(index: FileIndex, row: number, eolOfNew: "\n" | "\r\n" | "\r"): string {
  const usual = index.eol ?? eolOfNew;
  for (let near = row; near >= Math.max(0, row - 1); near--) {
    const ending = index.ending(near);
    if (ending === "\n" || ending === "\r\n") return ending;
  }
  const after = row < 0 ? index.ending(0) : "";
  return after === "\n" || after === "\r\n" ? after : usual;
}
