/**
 * Decides which lines of a block are markers and which are text, from the content of the file and from the surrounding
 * lines.
 */

import type { FileProbe, Mark, OpenBlock, SearchReplaceBlock } from "./block.ts";
import { endsInMarker, isUnderlined, isWrapping } from "./block-end.ts";
import { isDivider } from "./markers.ts";

/** Maximum number of dividers that are examined, from the last one backward, before the first one is used. */
const MAX_DIVIDERS = 100;

/**
 * Returns which ======= line before `end` separates the search text from its replacement: the last one whose preceding
 * text occurs in the file (so that dividers inside the search text are text), otherwise the first.
 */
export function dividerOf({ lines, marks }: OpenBlock, end: number, file: FileProbe): number | undefined {
  const dividers = marks.filter((mark) => mark.kind === "divider" && mark.at < end);
  const [first, ...rest] = dividers;
  if (first === undefined || !file.hasMarkers()) return first?.at;
  for (const mark of rest.reverse().slice(0, MAX_DIVIDERS)) {
    if (file.contains(lines.slice(0, mark.at))) return mark.at;
  }
  return first.at;
}

/** Returns the SEARCH and REPLACE marks between two lines, proper or not, that have no partner. */
function unpaired(
  { marks, near }: OpenBlock,
  from: number,
  to: number,
): { opening: number[]; closing: number[] } {
  const all = [...marks, ...near]
    .filter(({ kind, at }) => at > from && at < to && (kind === "search" || kind === "replace"))
    .sort((x, y) => x.at - y.at);
  const opening: number[] = [];
  const closing: number[] = [];
  for (const { kind, at } of all) {
    if (kind === "search") opening.push(at);
    else if (opening.pop() === undefined) closing.push(at);
  }
  return { opening, closing };
}

/**
 * Returns where a block ends that has no proper REPLACE marker before `to`: the index of the line that can only be
 * meant as that marker. undefined if there is no such line, or if it may be text.
 */
export function impliedEnd(
  block: OpenBlock,
  divider: number,
  to: number,
  file: FileProbe,
): number | undefined {
  const { lines } = block;
  const near = block.near.filter(({ at }) => at > divider && at < to);
  const { opening, closing } = unpaired(block, divider, to);
  const [only, another] = closing;
  if (opening.length > 0 || another !== undefined || near.some(({ kind }) => kind === "glued"))
    return undefined;
  const last = lines.findLastIndex((line, at) => at < to && !isWrapping(line));
  const marked = near.some(({ kind, at }) => kind === "end" && at === last) ? last : undefined;
  const end = only ?? marked;
  // Markers after it belong to a block whose beginning was not recognized.
  if (end === undefined || block.marks.some(({ at }) => at > end && at < to)) return undefined;
  if (file.contains(lines.slice(end, end + 1))) return undefined;
  const conflict = only === undefined && lines.slice(divider, end).some((line) => /^\s*<{5,}/.test(line));
  return conflict ? undefined : end;
}

/** Returns the replacement between a divider and the line `end`, without a duplicate divider before that line. */
export function replacementOf(
  block: OpenBlock,
  divider: number,
  end: number,
  file: FileProbe,
): { replace: string[] } | { doubt: number } {
  const { lines, marks } = block;
  const own = lines[divider] ?? "";
  const replace = lines.slice(divider + 1, end);
  const stray = replace.length - 1;
  const last = replace[stray] ?? "";
  if (endsInMarker(last, own) && !isKnown(block, divider, end - 1, file)) return { doubt: end - 1 };
  // A line of another length is no copy of the divider.
  if (!isDivider(last) || last.trim() !== own.trim()) return { replace };
  const searched = lines.slice(0, divider).filter(isDivider).length;
  const isText =
    (stray > 0 && file.isMarkup && isUnderlined(replace[stray - 1] ?? "")) ||
    searched >= replace.filter(isDivider).length ||
    isOverlined(replace.slice(-3)) ||
    (stray > 0 && file.contains(lines.slice(end - 2, end)));
  if (isText) return { replace };
  const isMark = marks.some(({ kind, at }) => kind === "divider" && at === end - 1);
  return isMark ? { replace: replace.slice(0, -1) } : { doubt: end - 1 };
}

/** A heading between two lines of equals signs. */
function isOverlined([over = "", title = "", under = ""]: readonly string[]): boolean {
  return isDivider(over) && title.trim() !== "" && !isDivider(title) && over.trim() === under.trim();
}

/**
 * Explains why the marker lines inside a replacement make it ambiguous; undefined if they do not. `end` is the row of
 * its REPLACE marker.
 */
export function doubtful(
  open: OpenBlock,
  block: SearchReplaceBlock,
  divider: number,
  end: number,
  file: FileProbe,
): string | undefined {
  const { lines } = open;
  const at = (row: number) => `line ${open.line + row + 1}`;
  const where = (row: number) => `In the block that begins on line ${open.line} of the diff, ${at(row)}`;
  const { opening, closing } = unpaired(open, divider, end);
  const near = [...opening, ...closing].find(
    (row) =>
      open.near.some((mark) => mark.at === row && isPlain(lines[row] ?? "")) &&
      !isKnown(open, divider, row, file),
  );
  if (near !== undefined) {
    const kind = closing.includes(near) ? "REPLACE" : "SEARCH";
    return `${where(near)}, "${quoted(lines[near] ?? "")}", resembles a ${kind} marker, but the block goes on to ${at(end)}. Write every marker alone on its line: ------- SEARCH, =======, +++++++ REPLACE.`;
  }
  const inner = open.marks.filter(
    (mark) => mark.at > divider && mark.at < divider + 1 + block.replace.length,
  );
  const [first] = inner;
  if (first === undefined) return undefined;
  if (first.kind === "divider") {
    const double = first.at === divider + 1;
    const length = (row: number) => (lines[row] ?? "").trim().length;
    const heading =
      isOverlined(block.replace.slice(0, 3)) && (file.hasMarkers() || length(first.at) !== length(divider));
    if (double && !heading && !lines.slice(0, divider).some(isDivider))
      return `${where(first.at)} is a second ======= line right after the first: leave one of them out.`;
    const above = lines[first.at - 1] ?? "";
    const opened = lines.slice(divider + 1, first.at).some((line) => /^\s*<{3,}/.test(line));
    const closed = lines.slice(first.at, end).some((line) => /^\s*>{3,}/.test(line));
    const isCopy = (lines[first.at] ?? "").trim() === (lines[divider] ?? "").trim();
    const isHeading = file.isMarkup && isUnderlined(above);
    const split = opened !== closed || (!opened && isCopy && !isHeading);
    if (!double && !file.hasMarkers() && split)
      return `${where(first.at)} is a second ======= line. A block has one, between SEARCH and REPLACE: leave the other out, or close the block with +++++++ REPLACE before it.`;
  }
  const nested = inner.find(
    ({ kind, at }, k) => kind === "search" && isNested(lines, at, inner.slice(k + 1), file),
  );
  return (
    nested &&
    `${where(nested.at)} begins a block inside the REPLACE text of another: close the first with +++++++ REPLACE.`
  );
}

/** Whether a block, not an example of one, begins at a SEARCH marker. `after`: the marks after it. */
function isNested(lines: readonly string[], at: number, after: readonly Mark[], file: FileProbe): boolean {
  const parting = after.find(({ kind }) => kind === "divider");
  if (parting === undefined) return false;
  const nested = lines.slice(at + 1, parting.at);
  const ending = after.find(({ kind }) => kind === "replace");
  const example = lines.slice(at, (ending ?? parting).at + 1);
  // An example of a block that occurs verbatim in the file is text; a search text that occurs in the file is a block.
  return nested.length > 0 && file.contains(nested) && !file.contains(example);
}

/** Whether a line of the replacement occurs in the search text or in the file. */
function isKnown({ lines }: OpenBlock, divider: number, row: number, file: FileProbe): boolean {
  return lines.slice(0, divider).includes(lines[row] ?? "") || file.contains(lines.slice(row, row + 1));
}

/** Whether a line that resembles a marker has as many signs as a marker: fewer occur in other kinds of text. */
function isPlain(line: string): boolean {
  return /^\s*[-+<>]{5,}/.test(line);
}

/** Shortens a line of the diff for quoting. */
export function quoted(line: string): string {
  const text = line.trim();
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}
