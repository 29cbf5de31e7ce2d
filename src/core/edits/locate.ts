import { matchLines } from "../../shared/text/line-diff.ts";
import { findClose } from "./close.ts";
import { foldLookAlikes, indentOf, isAscii, unescapeEntities } from "./fold.ts";
import { commonShift, factorShift, type IndentPair, type Shift, shifted } from "./indent.ts";
import { ABSENT, BLANK, type LineIndex } from "./line-index.ts";
import type { Located, MatchRange, SearchText, Sides, Tier } from "./match-range.ts";
import { findWindows } from "./windows.ts";

const NONE: Located = { kind: "none" };
/** Maximum number of places that are listed. */
const LISTED = 50;
/** Beyond this many places, the exact number does not matter. */
const MANY = 10_000;
/** Maximum lines compared in one search before the text counts as occurring in too many places. */
const BUDGET = 20_000_000;

/**
 * Finds the single place of whole lines that a search text refers to. The tiers in order: exact, trailing white space,
 * look-alikes, a common indentation shift, escaped entities, copied line numbers, a close match. Each tier applies only
 * if the previous ones found nothing. Line endings are ignored. An empty search finds nothing.
 */
export function locate(index: LineIndex, searchText: SearchText): Located {
  if (searchText.lines.length === 0) return NONE;
  const plain = locateLines(index, searchText);
  if (plain.kind !== "none") return plain;
  return (
    unescaped(index, searchText) ?? unnumbered(index, searchText) ?? findClose(index, searchText) ?? NONE
  );
}

/** The tiers up to indentation, whose matches are beyond doubt. */
export function locateLines(index: LineIndex, searchText: SearchText): Located {
  const { lines } = searchText;
  const ids = new Int32Array(lines.length);
  let solid = 0;
  for (let at = 0; at < lines.length; at++) {
    const id = index.idOf(lines[at] ?? "");
    if (id === ABSENT) return NONE;
    if (id !== BLANK) solid += 1;
    ids[at] = id;
  }
  if (solid === 0) return NONE;
  let best = UNEVEN;
  let rows: number[] = [];
  let total = 0;
  let budget = BUDGET;
  let cut = false;
  findWindows(index, ids, searchText.within, (row) => {
    budget -= lines.length;
    cut = budget < 0;
    const level = levelAt(index, row, lines, searchText.otherSteps);
    if (level > best || level === UNEVEN) return !cut;
    if (level < best) {
      best = level;
      rows = [];
      total = 0;
    }
    total += 1;
    if (rows.length < LISTED) rows.push(row);
    return total <= MANY && !cut;
  });
  // Not every similar place was examined, so a single one cannot count as unique.
  if (cut) total += 1;
  const tier = LEVELS[best];
  const [row] = rows;
  if (tier === undefined || row === undefined) return NONE;
  if (total > 1) return { kind: "several", tier, rows, total };
  return { kind: "one", range: rangeAt(index, { row, lines, tier }, searchText.otherSteps) };
}

const LEVELS: readonly (Tier | undefined)[] = ["exact", "trailing-space", "look-alike", "indentation"];
const INDENTED = 3;
const UNEVEN = 9;

/**
 * Returns the weakest tier that the window at `row` needs. Its lines are known to be equal except for surrounding white
 * space.
 */
function levelAt(index: LineIndex, row: number, lines: readonly string[], otherSteps = false): number {
  let level = 0;
  for (let at = 0; at < lines.length; at++) {
    const file = index.lines[row + at] ?? "";
    const line = lines[at] ?? "";
    if (file === line) continue;
    if (index.ids[row + at] === BLANK || file.trimEnd() === line.trimEnd()) level = Math.max(level, 1);
    else if (plainIndent(file) === plainIndent(line)) level = Math.max(level, 2);
    else {
      level = INDENTED;
      break;
    }
  }
  if (level < INDENTED) return level;
  return shiftAt(index, row, lines, otherSteps) === undefined ? UNEVEN : INDENTED;
}

function plainIndent(line: string): string {
  const indent = indentOf(line);
  return isAscii(indent) ? indent : foldLookAlikes(indent);
}

function shiftAt(
  index: LineIndex,
  row: number,
  lines: readonly string[],
  otherSteps = false,
): Shift | undefined {
  const pairs: IndentPair[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (index.ids[row + at] === BLANK) continue;
    pairs.push([plainIndent(lines[at] ?? ""), plainIndent(index.lines[row + at] ?? "")]);
  }
  return commonShift(pairs, index) ?? (otherSteps ? factorShift(pairs) : undefined);
}

function rangeAt(
  index: LineIndex,
  { row, lines, tier }: { row: number; lines: readonly string[]; tier: Tier },
  otherSteps = false,
): MatchRange {
  const end = row + lines.length;
  const shift = tier === "indentation" ? shiftAt(index, row, lines, otherSteps) : undefined;
  if (shift !== undefined) {
    const file = index.lines.slice(row, end);
    return { start: row, end, tier, adapt: (sides) => shifted(sides, shift, file), doubt: shift.doubt };
  }
  if (tier === "look-alike") return { start: row, end, tier, adapt: plainIndents };
  if (tier === "trailing-space" && onlyAdded(index, row, lines))
    return { start: row, end, tier, adapt: trimmedEnds };
  return { start: row, end, tier, adapt: (sides) => sides };
}

/** Whether the search lines have trailing white space only where the file has none, and nowhere less than the file. */
function onlyAdded(index: LineIndex, row: number, lines: readonly string[]): boolean {
  let added = false;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const file = index.lines[row + at] ?? "";
    if (line.trim() === "") continue;
    if (file !== file.trimEnd()) return false;
    added ||= line !== line.trimEnd();
  }
  return added;
}

function trimmedEnds({ search, replace }: Sides): Sides {
  return { search: search.map((line) => line.trimEnd()), replace: replace.map((line) => line.trimEnd()) };
}

function plainIndents({ search, replace }: Sides): Sides {
  const plain = (line: string) => plainIndent(line) + line.trimStart();
  return search.some((line) => !isAscii(indentOf(line)) && line.trim() !== "")
    ? { search: search.map(plain), replace: replace.map(plain) }
    : { search, replace };
}

function unescaped(index: LineIndex, searchText: SearchText): Located | undefined {
  return rewritten(index, searchText, "entities", unescapeEntities, isEscaped);
}

const SIGNS = [
  [/&(?:lt|#60|#x3c);/i, /</],
  [/&(?:gt|#62|#x3e);/i, />/],
  [/&(?:amp|#38|#x26);/i, /&(?!(?:[a-z]{2,6}|#\d{1,6}|#x[\da-f]{1,5});)/i],
] as const;

/**
 * Whether the replacement is escaped like the search text: it contains no bare sign that the search text contains only
 * in escaped form.
 */
function isEscaped({ search, replace }: Sides): boolean {
  const searched = search.join("\n");
  const replacement = replace.join("\n");
  return !SIGNS.some(
    ([escaped, bare]) => escaped.test(searched) && !bare.test(searched) && bare.test(replacement),
  );
}

/** Handles search lines copied with the line numbers of a listing: `12 | text`, `12: text`, `12<tab>text`. */
function unnumbered(index: LineIndex, searchText: SearchText): Located | undefined {
  const { lines } = searchText;
  const from = Number(/^\s*(\d{1,7})/.exec(lines[0] ?? "")?.[1] ?? Number.NaN);
  if (!lines.every((line, at) => Number(/^\s*(\d{1,7})/.exec(line)?.[1] ?? Number.NaN) === from + at))
    return undefined;
  for (const pattern of NUMBERINGS) {
    if (!lines.every((line) => pattern.test(line))) continue;
    const found = rewritten(index, searchText, "line-numbers", (line) => line.replace(pattern, ""));
    if (found !== undefined) return found;
  }
  return undefined;
}

const NUMBERINGS = [/^\s*\d{1,7}\t/, /^\s*\d{1,7}\s*[|:\u2192](?: |$)/, /^\s*\d{1,7}\s*[|:\u2192]/];

function rewritten(
  index: LineIndex,
  searchText: SearchText,
  tier: Tier,
  rewrite: (line: string) => string,
  alsoReplacement: (sides: Sides) => boolean = () => true,
): Located | undefined {
  const lines = searchText.lines.map(rewrite);
  if (lines.every((line, at) => line === searchText.lines[at])) return undefined;
  const found = locateLines(index, { ...searchText, lines });
  if (found.kind === "none") return undefined;
  if (found.kind === "several") return { ...found, tier };
  const { range } = found;
  const adapt: MatchRange["adapt"] = (sides) =>
    range.adapt({
      search: sides.search.map(rewrite),
      replace: alsoReplacement(sides) ? sides.replace.map(rewrite) : sides.replace,
    });
  return { kind: "one", range: { ...range, tier, adapt } };
}

/** Whether the lines occur somewhere in the file, by the tiers up to indentation. */
export function containsLines(index: LineIndex, lines: readonly string[]): boolean {
  const ids = Int32Array.from(lines, (line) => index.idOf(line));
  if (ids.includes(ABSENT) || !ids.some((id) => id !== BLANK)) return false;
  let isFound = false;
  let tries = 0;
  findWindows(index, ids, undefined, (row) => {
    isFound = levelAt(index, row, lines) !== UNEVEN;
    tries += 1;
    return !isFound && tries < 100;
  });
  return isFound;
}

/** Returns which search lines a replacement keeps. */
export function keptLines(search: readonly string[], replace: readonly string[]): boolean[] {
  const kept: boolean[] = new Array(search.length).fill(false);
  for (const match of matchLines(search, replace)) kept.fill(true, match.a, match.a + match.length);
  return kept;
}
