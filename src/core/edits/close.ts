import { foldLookAlikes, indentOf } from "./fold.ts";
import { commonShift, type IndentPair, type Shift, shifted } from "./indent.ts";
import { ABSENT, BLANK, type LineIndex } from "./line-index.ts";
import type { Located, MatchRange, SearchText } from "./match-range.ts";
import { createLikeness, votes } from "./nearest.ts";
import { type Likeness, likeness, squeeze } from "./similar.ts";

/**
 * The last tier. First tries a text whose words all occur consecutively, but with more or fewer blank lines or with a
 * first line that lost its indentation. Then tries one in which a few lines differ slightly in spacing, quotes or
 * spelling. Anything else in the file that is similar makes the result "none".
 */
export function findClose(index: LineIndex, searchText: SearchText): Located | undefined {
  return withoutBlanks(index, searchText) ?? misspelled(index, searchText);
}

/** Leading white space is often lost in the first line only; `first` is that line's own. */
interface Fit {
  shift: Shift | undefined;
  first: string | undefined;
}

function fitIndents(pairs: readonly IndentPair[], index: LineIndex): Fit | undefined {
  if (pairs.every(([searched, file]) => searched === file)) return { shift: undefined, first: undefined };
  const shift = commonShift(pairs, index);
  if (shift !== undefined) return { shift, first: undefined };
  const [first, ...rest] = pairs;
  if (first === undefined || first[0] !== "" || rest.length === 0) return undefined;
  return rest.every(([searched, file]) => searched === file)
    ? { shift: undefined, first: first[1] }
    : undefined;
}

function adaptTo(fit: Fit, file: readonly string[], respell: (line: string) => string): MatchRange["adapt"] {
  return ({ search, replace }) => {
    const sides = { search: search.map(respell), replace: replace.map(respell) };
    if (fit.shift !== undefined) return shifted(sides, fit.shift, file);
    const { first } = fit;
    if (first === undefined) return sides;
    const indented = (lines: readonly string[]) => {
      const at = lines.findIndex((line) => line.trim() !== "");
      return lines.map((line, row) => (row === at && indentOf(line) === "" ? first + line : line));
    };
    return { search: indented(sides.search), replace: indented(sides.replace) };
  };
}

function pairOf(searched: string, file: string): IndentPair {
  return [foldLookAlikes(indentOf(searched)), foldLookAlikes(indentOf(file))];
}

function withoutBlanks(index: LineIndex, searchText: SearchText): Located | undefined {
  const solid: { at: number; id: number }[] = [];
  for (let at = 0; at < searchText.lines.length; at++) {
    const id = index.idOf(searchText.lines[at] ?? "");
    if (id === ABSENT) return undefined;
    if (id !== BLANK) solid.push({ at, id });
  }
  const rarest = solid.reduce<{ at: number; id: number } | undefined>(
    (best, line) =>
      best === undefined || (index.counts[line.id] ?? 0) < (index.counts[best.id] ?? 0) ? line : best,
    undefined,
  );
  if (rarest === undefined || (index.counts[rarest.id] ?? 0) * solid.length > 2_000_000) return undefined;
  const rows = index.solidRows();
  const anchor = solid.indexOf(rarest);
  const from = searchText.within?.from ?? 0;
  const to = searchText.within?.to ?? index.lines.length;
  const found: number[] = [];
  for (let hit = index.first[rarest.id] ?? -1; hit !== -1; hit = index.next[hit] ?? -1) {
    const start = positionOf(rows, hit) - anchor;
    const fits = solid.every(({ id }, k) => start + k >= 0 && index.ids[rows[start + k] ?? -1] === id);
    if (fits && (rows[start] ?? 0) >= from && (rows[start + solid.length - 1] ?? 0) < to) found.push(start);
  }
  const [start] = found;
  if (start === undefined) return undefined;
  if (found.length > 1) {
    return {
      kind: "several",
      tier: "close",
      rows: found.slice(0, 50).map((at) => rows[at] ?? 0),
      total: found.length,
    };
  }
  const rowOf = (k: number) => rows[start + k] ?? 0;
  const fit = fitIndents(
    solid.map(({ at }, k) => pairOf(searchText.lines[at] ?? "", index.lines[rowOf(k)] ?? "")),
    index,
  );
  if (fit === undefined) return undefined;
  const aligned = alignBlanks(
    index,
    searchText.lines,
    solid.map(({ at }, k) => [at, rowOf(k)] as const),
    from,
    to,
  );
  const named = aligned.filter((row) => row !== -1);
  const file = aligned.map((row) => (row === -1 ? "" : (index.lines[row] ?? "")));
  return {
    kind: "one",
    range: {
      start: Math.min(...named.slice(0, 1)),
      end: (named.at(-1) ?? 0) + 1,
      tier: "close",
      rows: aligned,
      adapt: adaptTo(fit, file, (line) => line),
    },
  };
}

function positionOf(rows: Int32Array, row: number): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((rows[middle] ?? 0) < row) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Assigns each blank search line a blank row between the rows of its neighbors, or -1 if there are no more. */
function alignBlanks(
  index: LineIndex,
  lines: readonly string[],
  solid: readonly (readonly [at: number, row: number])[],
  from: number,
  to: number,
): number[] {
  const rows: number[] = new Array(lines.length).fill(-1);
  for (const [at, row] of solid) rows[at] = row;
  const [firstAt, firstRow] = solid[0] ?? [0, 0];
  for (
    let at = firstAt - 1, row = firstRow - 1;
    at >= 0 && row >= from && index.ids[row] === BLANK;
    at--, row--
  ) {
    rows[at] = row;
  }
  let row = firstRow + 1;
  for (let at = firstAt + 1; at < lines.length; at++) {
    const known = rows[at] ?? -1;
    if (known !== -1) row = known + 1;
    else if (row < to && index.ids[row] === BLANK) {
      rows[at] = row;
      row += 1;
    }
  }
  return rows;
}

/** Share of similar text elsewhere in the file that makes a close match doubtful. */
const RIVAL_LINES = 0.6;
const RIVAL_LINE = 0.8;
/** Minimum letters of a text for a close match. */
const MIN_LETTERS = 12;

function misspelled(index: LineIndex, searchText: SearchText): Located | undefined {
  const { lines } = searchText;
  const solid = lines.flatMap((line, at) => (line.trim() === "" ? [] : [at]));
  const squeezed = lines.map(squeeze);
  const letters = squeezed.reduce((sum, line) => sum + (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0), 0);
  if (letters < MIN_LETTERS) return undefined;
  const anchor = solid.reduce(
    (best, at) => ((squeezed[at] ?? "").length > (squeezed[best] ?? "").length ? at : best),
    solid[0] ?? 0,
  );
  const anchorLine = squeezed[anchor] ?? "";
  const anchorId = index.idOf(lines[anchor] ?? "");
  const from = searchText.within?.from ?? 0;
  const to = searchText.within?.to ?? index.lines.length;
  let range: MatchRange | undefined;
  for (let row = from + anchor; row < to; row++) {
    if (index.ids[row] !== anchorId && !isAlike(index.lines[row] ?? "", anchorLine, index)) continue;
    const start = row - anchor;
    if (start + lines.length > to) break;
    const found = closeAt(index, searchText, squeezed, start);
    if (found === undefined) continue;
    if (range !== undefined) return undefined;
    range = found;
  }
  if (range === undefined || hasRival(index, lines, solid, anchor, range.start)) return undefined;
  return { kind: "one", range };
}

/** Whether a row of the file is similar to a squeezed line. */
function isAlike(row: string, line: string, index: LineIndex): boolean {
  // A row that is much longer or shorter, even without its spaces, cannot be similar.
  if (row.length + 2 < line.length || row.length > 4 * (line.length + 2)) return false;
  const squeezed = squeeze(row);
  return Math.abs(squeezed.length - line.length) <= 1 && likeness(line, squeezed, index) !== undefined;
}

function closeAt(
  index: LineIndex,
  searchText: SearchText,
  squeezed: readonly string[],
  start: number,
): MatchRange | undefined {
  const { lines } = searchText;
  const pairs: IndentPair[] = [];
  const alike: Likeness[] = [];
  const spellings = new Map<string, string>();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const file = index.lines[start + at] ?? "";
    const id = index.ids[start + at] ?? BLANK;
    if ((squeezed[at] === "") !== (id === BLANK)) return undefined;
    if (id === BLANK) continue;
    pairs.push(pairOf(line, file));
    const how: Likeness | undefined =
      index.idOf(line) === id ? { kind: "same" } : likeness(squeezed[at] ?? "", squeeze(file), index);
    if (how === undefined) return undefined;
    // Lines that the replacement removes or rewrites must match exactly.
    if ((how.kind === "ending" || how.kind === "comment") && searchText.kept()[at] !== true) return undefined;
    if (how.kind === "spelling") spellings.set(how.searched, how.file);
    alike.push(how);
  }
  const fit = differTooMuch(alike) ? undefined : fitIndents(pairs, index);
  if (fit === undefined) return undefined;
  const respell = (line: string) => line.replace(/[A-Za-z_]+/g, (word) => spellings.get(word) ?? word);
  const end = start + lines.length;
  return {
    start,
    end,
    tier: "close",
    adapt: adaptTo(fit, index.lines.slice(start, end), spellings.size > 0 ? respell : (line) => line),
  };
}

function differTooMuch(alike: readonly Likeness[]): boolean {
  const number = (kind: Likeness["kind"]) => alike.filter((how) => how.kind === kind).length;
  const [same, comments] = [number("same"), number("comment")];
  if (number("ending") > 0 && same < 2) return true;
  if (comments > 1 || (comments === 1 && same < 1)) return true;
  return number("spelling") > Math.max(1, Math.floor(alike.length / 3));
}

function hasRival(
  index: LineIndex,
  lines: readonly string[],
  solid: readonly number[],
  anchor: number,
  start: number,
): boolean {
  for (const [other, vote] of votes(index, lines)) {
    if (other !== start && vote.lines / solid.length >= RIVAL_LINES) return true;
  }
  // A line that is unique in the file determines the place, whatever the other lines are like.
  if (solid.length > 2 || solid.some((at) => index.counts[index.idOf(lines[at] ?? "")] === 1)) return false;
  const alike = createLikeness(lines[anchor] ?? "");
  for (let row = 0; row < index.lines.length; row++) {
    if (row !== start + anchor && alike(index.lines[row] ?? "") >= RIVAL_LINE) return true;
  }
  return false;
}
