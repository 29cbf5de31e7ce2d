import { findClose } from "./close.ts";
import { foldLookAlikes, indentOf, isAscii, unescapeEntities } from "./fold.ts";
import { commonShift, type IndentPair, type Shift, shifted } from "./indent.ts";
import { matchLines } from "./line-diff.ts";
import { ABSENT, BLANK, type FileIndex } from "./line-index.ts";
import type { Located, Place, Sides, Tier, Wanted } from "./place.ts";
import { findWindows } from "./windows.ts";

const NONE: Located = { kind: "none" };
/** How many of several places are listed. */
const LISTED = 50;
/** Past this many places nobody needs the exact number. */
const MANY = 10_000;
/** Lines compared for one search before it counts as standing in too many places. */
const BUDGET = 20_000_000;

/**
 * Finds the one place of whole lines that a searched text means. The tiers in their order: exact, trailing white space,
 * look-alikes, one common shift of the indentation, escaped entities, copied line numbers, a close match; each only where
 * the one before found nothing. Line endings never count. An empty search finds nothing.
 */
export function locate(index: FileIndex, wanted: Wanted): Located {
  if (wanted.lines.length === 0) return NONE;
  const plain = locateLines(index, wanted);
  if (plain.kind !== "none") return plain;
  return unescaped(index, wanted) ?? unnumbered(index, wanted) ?? findClose(index, wanted) ?? NONE;
}

/** The tiers up to indentation: what counts as a match beyond doubt. */
export function locateLines(index: FileIndex, wanted: Wanted): Located {
  const { lines } = wanted;
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
  findWindows(index, ids, wanted.within, (row) => {
    budget -= lines.length;
    cut = budget < 0;
    const level = levelAt(index, row, lines);
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
  // Not every alike place was looked at, so that no one of them can be called the only one.
  if (cut) total += 1;
  const tier = levels[best];
  const [row] = rows;
  if (tier === undefined || row === undefined) return NONE;
  if (total > 1) return { kind: "several", tier, rows, total };
  return { kind: "one", place: placeAt(index, row, lines, tier) };
}

const levels: readonly (Tier | undefined)[] = ["exact", "trailing-space", "look-alike", "indentation"];
const INDENTED = 3;
const UNEVEN = 9;

/** The weakest tier that the window at `row` needs. Its lines are known to agree but for surrounding white space. */
function levelAt(index: FileIndex, row: number, lines: readonly string[]): number {
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
  return shiftAt(index, row, lines) === undefined ? UNEVEN : INDENTED;
}

function plainIndent(line: string): string {
  const indent = indentOf(line);
  return isAscii(indent) ? indent : foldLookAlikes(indent);
}

function shiftAt(index: FileIndex, row: number, lines: readonly string[]): Shift | undefined {
  const pairs: IndentPair[] = [];
  for (let at = 0; at < lines.length; at++) {
    if (index.ids[row + at] === BLANK) continue;
    pairs.push([plainIndent(lines[at] ?? ""), plainIndent(index.lines[row + at] ?? "")]);
  }
  return commonShift(pairs, index);
}

function placeAt(index: FileIndex, row: number, lines: readonly string[], tier: Tier): Place {
  const end = row + lines.length;
  const shift = tier === "indentation" ? shiftAt(index, row, lines) : undefined;
  if (shift !== undefined) {
    const file = index.lines.slice(row, end);
    return { start: row, end, tier, adapt: (sides) => shifted(sides, shift, file) };
  }
  if (tier === "look-alike") return { start: row, end, tier, adapt: plainIndents };
  if (tier === "trailing-space" && onlyAdded(index, row, lines))
    return { start: row, end, tier, adapt: trimmedEnds };
  return { start: row, end, tier, adapt: (sides) => sides };
}

/** Whether the searched lines have white space at their ends where the file has none, and nowhere less than the file. */
function onlyAdded(index: FileIndex, row: number, lines: readonly string[]): boolean {
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

function unescaped(index: FileIndex, wanted: Wanted): Located | undefined {
  return rewritten(index, wanted, "entities", unescapeEntities, isEscaped);
}

const signs = [
  [/&(?:lt|#60|#x3c);/i, /</],
  [/&(?:gt|#62|#x3e);/i, />/],
  [/&(?:amp|#38|#x26);/i, /&(?!(?:[a-z]{2,6}|#\d{1,6}|#x[\da-f]{1,5});)/i],
] as const;

/** Whether the replacement is escaped as the searched text is: it has no bare sign that the other only has escaped. */
function isEscaped({ search, replace }: Sides): boolean {
  const searched = search.join("\n");
  const replacement = replace.join("\n");
  return !signs.some(
    ([escaped, bare]) => escaped.test(searched) && !bare.test(searched) && bare.test(replacement),
  );
}

/** Searched lines copied with the numbers that a listing put before them: `12 | text`, `12: text`, `12<tab>text`. */
function unnumbered(index: FileIndex, wanted: Wanted): Located | undefined {
  const { lines } = wanted;
  const from = Number(/^\s*(\d{1,7})/.exec(lines[0] ?? "")?.[1] ?? Number.NaN);
  if (!lines.every((line, at) => Number(/^\s*(\d{1,7})/.exec(line)?.[1] ?? Number.NaN) === from + at))
    return undefined;
  for (const pattern of numberings) {
    if (!lines.every((line) => pattern.test(line))) continue;
    const found = rewritten(index, wanted, "line-numbers", (line) => line.replace(pattern, ""));
    if (found !== undefined) return found;
  }
  return undefined;
}

const numberings = [/^\s*\d{1,7}\t/, /^\s*\d{1,7}\s*[|:\u2192](?: |$)/, /^\s*\d{1,7}\s*[|:\u2192]/];

function rewritten(
  index: FileIndex,
  wanted: Wanted,
  tier: Tier,
  rewrite: (line: string) => string,
  alsoReplacement: (sides: Sides) => boolean = () => true,
): Located | undefined {
  const lines = wanted.lines.map(rewrite);
  if (lines.every((line, at) => line === wanted.lines[at])) return undefined;
  const found = locateLines(index, { ...wanted, lines });
  if (found.kind === "none") return undefined;
  if (found.kind === "several") return { ...found, tier };
  const { place } = found;
  const adapt: Place["adapt"] = (sides) =>
    place.adapt({
      search: sides.search.map(rewrite),
      replace: alsoReplacement(sides) ? sides.replace.map(rewrite) : sides.replace,
    });
  return { kind: "one", place: { ...place, tier, adapt } };
}

/** Whether the lines stand somewhere in the file, by the tiers up to indentation. */
export function holdsLines(index: FileIndex, lines: readonly string[]): boolean {
  const ids = Int32Array.from(lines, (line) => index.idOf(line));
  if (ids.includes(ABSENT) || !ids.some((id) => id !== BLANK)) return false;
  let held = false;
  let tries = 0;
  findWindows(index, ids, undefined, (row) => {
    held = levelAt(index, row, lines) !== UNEVEN;
    tries += 1;
    return !held && tries < 100;
  });
  return held;
}

/** Which searched lines a replacement keeps. */
export function keptLines(search: readonly string[], replace: readonly string[]): boolean[] {
  const kept: boolean[] = new Array(search.length).fill(false);
  for (const match of matchLines(search, replace)) kept.fill(true, match.a, match.a + match.length);
  return kept;
}
