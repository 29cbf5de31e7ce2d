import type { SearchReplaceBlock } from "./blocks/block.ts";
import { isMarkup } from "./blocks/block-end.ts";
import { createBlockReader, type FormProblem } from "./blocks/blocks.ts";
import { MARKER_IN_FILE, markerKind } from "./blocks/markers.ts";
import { looseKey, unescapeEntities } from "./fold.ts";
import { createFileIndex, type LineIndex } from "./line-index.ts";
import { containsLines, keptLines, locate, locateLines } from "./locate.ts";
import type { Located, MatchRange } from "./match-range.ts";
import { clip, type Nearest, notFound, plural, severalPlaces } from "./messages.ts";
import { applySplices, type Splice, splicesAt } from "./splice.ts";

/** A block with its single place, or the reason why it has none. `isIdle`: its lines are in the file, and it changes none. */
export type PlacedBlock =
  | { ok: true; block: SearchReplaceBlock; range: MatchRange; splices: readonly Splice[] }
  | { ok: false; block: SearchReplaceBlock; reason: string; nearest?: Nearest; isIdle?: true };

/** Places the blocks of one diff on one file: lines of the diff go in, placed blocks come out. */
export interface EditSession {
  /** Reads one line of the diff, without its ending. Returns the block that it completes, placed. */
  line(text: string): PlacedBlock | undefined;
  /** Ends the diff; `complete` means that it was not cut off. */
  end(complete: boolean): PlacedBlock | undefined;
  readonly placed: readonly PlacedBlock[];
  readonly problem: FormProblem | undefined;
  readonly index: LineIndex;
  /** Returns the content with all placed blocks. Omits blocks that failed or overlap earlier ones. */
  preview(): string;
}

/**
 * Starts placing blocks on a file. The file is indexed once, when the first block is complete. `path` is its name, which
 * tells whether it is markup.
 */
export function createEditSession(original: string, path = ""): EditSession {
  let index: LineIndex | undefined;
  const file = () => {
    index ??= createFileIndex(original);
    return index;
  };
  let markers: boolean | undefined;
  const reader = createBlockReader({
    isMarkup: isMarkup(path),
    hasMarkers() {
      markers ??= MARKER_IN_FILE.test(original);
      return markers;
    },
    contains: (lines) => containsLines(file(), lines),
  });
  const placed: PlacedBlock[] = [];
  const take = (block: SearchReplaceBlock | undefined): PlacedBlock | undefined => {
    if (block === undefined) return undefined;
    const result = placeBlock(file(), block);
    placed.push(result);
    return result;
  };
  return {
    line: (text) => take(reader.line(text)),
    end: (complete) => take(reader.end(complete)),
    placed,
    get problem() {
      return reader.problem;
    },
    get index() {
      return file();
    },
    preview() {
      const fitting: { start: number; end: number; splices: readonly Splice[] }[] = [];
      for (const entry of placed) {
        if (!entry.ok) continue;
        const { start, end } = entry.range;
        if (!fitting.some((other) => start < other.end && other.start < end)) {
          fitting.push({ start, end, splices: entry.splices });
        }
      }
      return fitting.length === 0 ? original : contentOf(file(), fitting);
    },
  };
}

/** Applies the splices of several places, which must not overlap. */
export function contentOf(
  index: LineIndex,
  places: readonly { start: number; splices: readonly Splice[] }[],
): string {
  const ordered = [...places].sort((x, y) => x.start - y.start);
  return applySplices(
    index,
    ordered.flatMap(({ splices }) => splices),
  );
}

/** Finds the place of one block in the original. */
function placeBlock(index: LineIndex, block: SearchReplaceBlock): PlacedBlock {
  const { search, replace } = block;
  const fail = (reason: string, nearest?: Nearest): PlacedBlock => ({
    ok: false,
    block,
    reason,
    ...(nearest ? { nearest } : {}),
  });
  const blank = search.every((line) => line.trim() === "");
  if (blank) return index.text.trim() === "" ? creation(index, block) : fail(emptySearch(index, search));
  if (index.text.trim() === "") {
    return fail(
      "The file is empty or new, so there is nothing that SEARCH could find: leave SEARCH empty and give the whole content in REPLACE.",
    );
  }
  if (sameLines(search, replace)) {
    const reason =
      "It changes nothing: SEARCH and REPLACE are the same. Write the lines as they should become in REPLACE, or leave the block out.";
    return containsLines(index, search) ? { ok: false, block, reason, isIdle: true } : fail(reason);
  }
  const found = atNamedLine(
    index,
    block,
    locate(index, { lines: search, kept: () => keptLines(search, replace), otherSteps: true }),
  );
  if (found.kind === "several")
    return fail(severalPlaces(found), nearestOf(index, found.rows, search.length));
  if (found.kind === "none") {
    const { reason, nearest } = notFound(index, search);
    return fail(reason + alreadyThere(index, replace), nearest);
  }
  if (dividerInDoubt(index, block, found.range)) {
    const line = block.line + search.length + (block.divider ?? 0) + 2;
    return fail(
      `Line ${line} of the diff, "=======", may part SEARCH from REPLACE or be text: the lines before it go on as the file does after line ${found.range.end}, but do not match it to the end. Copy the searched lines again as they stand in the file.`,
      nearestOf(index, [found.range.start], search.length + (block.divider ?? 0) + 1),
    );
  }
  const doubt = found.range.doubt?.({ search, replace });
  if (doubt !== undefined) return fail(doubt, nearestOf(index, [found.range.start], search.length));
  const splices = splicesAt(index, found.range, { search, replace });
  if (splices.length === 0) {
    const reason = `It changes nothing: lines ${found.range.start + 1}-${found.range.end} of the file already read so.`;
    return { ok: false, block, reason, isIdle: true };
  }
  return { ok: true, block, range: found.range, splices };
}

/** Returns, of several places, the one on the line that the block names. */
function atNamedLine(
  index: LineIndex,
  { search, replace, startLine }: SearchReplaceBlock,
  found: Located,
): Located {
  if (found.kind !== "several" || startLine === undefined) return found;
  const from = startLine - 1;
  if (!found.rows.includes(from)) return found;
  const within = { from, to: from + search.length };
  const there = locate(index, {
    lines: search,
    kept: () => keptLines(search, replace),
    otherSteps: true,
    within,
  });
  return there.kind === "one" ? there : found;
}

/** Places the block again with the entities of its replacement unescaped, for a diff that is known to be escaped. */
export function placeUnescaped(
  index: LineIndex,
  placed: PlacedBlock & { ok: true },
): PlacedBlock & { ok: true } {
  const { block, range } = placed;
  const sides = { search: block.search.map(unescapeEntities), replace: block.replace.map(unescapeEntities) };
  const splices = splicesAt(index, range, sides);
  return splices.length === 0 ? placed : { ...placed, splices };
}

/**
 * Whether a search text that contains a ======= line may have been split there: the text that follows in the diff also
 * follows in the file, as a divider or as the next words.
 */
function dividerInDoubt(index: LineIndex, block: SearchReplaceBlock, range: MatchRange): boolean {
  if (block.divider === undefined) return false;
  const after = index.lines.slice(range.end, range.end + 20);
  const next = after.find((line) => line.trim() !== "");
  if (next === undefined) return false;
  if (markerKind(next.trim()) === "divider") return true;
  // A lone brace or the end of a comment can follow anywhere: only words are evidence.
  const goesOn = after.find(hasWord);
  const begins = block.replace.slice(0, block.divider).find(hasWord);
  return goesOn !== undefined && begins !== undefined && looseKey(begins) === looseKey(goesOn);
}

function hasWord(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line);
}

function creation(index: LineIndex, block: SearchReplaceBlock): PlacedBlock {
  const end = index.lines.length;
  const range: MatchRange = { start: 0, end, tier: "exact", adapt: (sides) => sides };
  if (block.replace.length === 0) {
    return {
      ok: false,
      block,
      reason:
        "It changes nothing: SEARCH and REPLACE are both empty. Give the new file's content in REPLACE.",
    };
  }
  return { ok: true, block, range, splices: [{ row: 0, remove: end, insert: block.replace }] };
}

function emptySearch(index: LineIndex, search: readonly string[]): string {
  const has = `the file has content (${plural(index.lines.length, "line")})`;
  const advice =
    "Put the whole lines that are to change, or the line next to which text is to be added, into SEARCH.";
  return search.length === 0
    ? `SEARCH is empty, which creates a new file, but ${has}. ${advice}`
    : `SEARCH holds only blank lines, but ${has}. ${advice}`;
}

function sameLines(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, at) => line === b[at]);
}

function nearestOf(index: LineIndex, rows: readonly number[], length: number): Nearest | undefined {
  const [row] = rows;
  if (row === undefined) return undefined;
  return {
    line: row + 1,
    text: index.lines
      .slice(row, row + Math.min(length, 16))
      .map((line) => clip(line))
      .join("\n"),
  };
}

function alreadyThere(index: LineIndex, replace: readonly string[]): string {
  if (!replace.some((line) => /[\p{L}\p{N}]/u.test(line))) return "";
  const found = locateLines(index, { lines: replace, kept: () => [] });
  if (found.kind !== "one") return "";
  return `\nThe REPLACE text already stands on line ${found.range.start + 1}: this change seems to have been made before.`;
}
