/** Which lines of a block are its markers and which are text, by what the file holds and by what stands around them. */

import type { Block, FileLooks, OpenBlock } from "./block.ts";
import { doubtfulLine, endsInMarker, isCode, isWrapping, underlines } from "./block-end.ts";
import { isDivider } from "./markers.ts";

/** Dividers that are looked at, from the last one back, before the first one counts. */
const MOST_DIVIDERS = 100;

/**
 * Which ======= line before `end` parts the searched text from its replacement: the last one up to which the text stands
 * in the file (so that dividers inside the searched text are text), else the first.
 */
export function dividerOf({ lines, marks }: OpenBlock, end: number, file: FileLooks): number | undefined {
  const dividers = marks.filter((mark) => mark.kind === "divider" && mark.at < end);
  const [first, ...rest] = dividers;
  if (first === undefined || !file.hasMarkers()) return first?.at;
  for (const mark of rest.reverse().slice(0, MOST_DIVIDERS)) {
    if (file.holds(lines.slice(0, mark.at))) return mark.at;
  }
  return first.at;
}

/** SEARCH and REPLACE marks, proper or not, that have no partner between two lines. */
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
 * Where a block ends that has no proper REPLACE marker before `to`: the index of the line that can only be meant as that
 * marker. undefined where there is no such line, or where it may be text.
 */
export function impliedEnd(
  block: OpenBlock,
  divider: number,
  to: number,
  file: FileLooks,
): number | undefined {
  const { lines, marks } = block;
  const near = block.near.filter(({ at }) => at > divider && at < to);
  const { opening, closing } = unpaired(block, divider, to);
  const [only, another] = closing;
  if (opening.length > 0 || another !== undefined || near.some(({ kind }) => kind === "glued"))
    return undefined;
  const last = lines.findLastIndex((line, at) => at < to && !isWrapping(line));
  const marked = near.some(({ kind, at }) => kind === "end" && at === last) ? last : undefined;
  const end = only ?? marked;
  if (end !== undefined) {
    // Markers behind it belong to a block whose beginning was not understood.
    if (marks.some(({ at }) => at > end && at < to) || file.holds(lines.slice(end, end + 1)))
      return undefined;
    const conflict = only === undefined && lines.slice(divider, end).some((line) => /^\s*<{5,}/.test(line));
    const before = lines.slice(divider + 1, end);
    if (marks.some(({ kind, at }) => kind === "divider" && at === end - 1)) {
      const own = before.pop() ?? "";
      if (underlines(own, before.at(-1) ?? "", lines[divider] ?? "") !== "no") return undefined;
    }
    return conflict || doubtfulLine(lines.slice(0, divider), before, false) !== undefined ? undefined : end;
  }
  // A divider in the place of the marker.
  const replaced = lines.slice(divider + 1, last);
  if (!marks.some(({ kind, at }) => kind === "divider" && at === last && at > divider)) return undefined;
  if (file.hasMarkers() || replaced.every((line) => line.trim() === "") || replaced.some(isDivider))
    return undefined;
  if (doubtfulLine(lines.slice(0, divider), replaced) !== undefined) return undefined;
  return underlines(lines[last] ?? "", lines[last - 1] ?? "", lines[divider] ?? "") === "no"
    ? last
    : undefined;
}

/** The replacement between a divider and the line `end`, without a divider that was written once too often before it. */
export function replacementOf(
  block: OpenBlock,
  divider: number,
  end: number,
  file: FileLooks,
): { replace: string[] } | { doubt: number } {
  const { lines, marks } = block;
  const replace = lines.slice(divider + 1, end);
  const stray = replace.length - 1;
  if (endsInMarker(replace[stray] ?? "", lines[divider] ?? "") && !isKnown(block, divider, end - 1, file))
    return { doubt: end - 1 };
  if (!marks.some(({ kind, at }) => kind === "divider" && at === end - 1 && at > divider)) {
    const indented = isDivider(replace[stray] ?? "") && isCode((replace[stray - 1] ?? "").trim());
    return indented && !isKnown(block, divider, end - 1, file) ? { doubt: end - 1 } : { replace };
  }
  if (stray === 0) return { replace: [] };
  const above = replace[stray - 1] ?? "";
  const searched = lines.slice(0, divider).filter(isDivider).length;
  if (searched >= replace.filter(isDivider).length || isOverlined(replace.slice(-3))) return { replace };
  const heading = underlines(replace[stray] ?? "", above, lines[divider] ?? "");
  if (heading === "yes" || file.holds(lines.slice(end - 2, end))) return { replace };
  if (heading === "no") return { replace: replace.slice(0, -1) };
  return (searched > 0 || file.hasMarkers()) && above.trim() !== "" ? { replace } : { doubt: end - 1 };
}

/** A heading between two lines of equals signs. */
function isOverlined([over = "", title = "", under = ""]: readonly string[]): boolean {
  return isDivider(over) && title.trim() !== "" && !isDivider(title) && over.trim() === under.trim();
}

/** Why the marker lines inside a replacement leave it unclear what was meant, if they do. `end` is the row of its REPLACE marker. */
export function doubtful(
  open: OpenBlock,
  block: Block,
  divider: number,
  end: number,
  file: FileLooks,
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
    const split =
      opened !== closed ||
      (!opened && underlines(lines[first.at] ?? "", above, lines[divider] ?? "") === "no");
    if (!double && !file.hasMarkers() && split)
      return `${where(first.at)} is a second ======= line. A block has one, between SEARCH and REPLACE: leave the other out, or close the block with +++++++ REPLACE before it.`;
  }
  for (const [k, mark] of inner.entries()) {
    if (mark.kind !== "search") continue;
    const parting = inner.slice(k + 1).find((other) => other.kind === "divider");
    if (parting === undefined) continue;
    const nested = lines.slice(mark.at + 1, parting.at);
    const ending = inner.slice(k + 1).find((other) => other.kind === "replace");
    const example = lines.slice(mark.at, (ending ?? parting).at + 1);
    // An example of a block that the file holds as it stands is text; a search that the file answers is a block.
    if (nested.length > 0 && file.holds(nested) && !file.holds(example)) {
      return `${where(mark.at)} begins a block inside the REPLACE text of another: close the first with +++++++ REPLACE.`;
    }
  }
  return undefined;
}

/** Whether a line of the replacement stands in the searched text or in the file. */
function isKnown({ lines }: OpenBlock, divider: number, row: number, file: FileLooks): boolean {
  return lines.slice(0, divider).includes(lines[row] ?? "") || file.holds(lines.slice(row, row + 1));
}

/** Whether a line that resembles a marker has as many signs as one: fewer stand in text of other kinds. */
function isPlain(line: string): boolean {
  return /^\s*[-+<>]{5,}/.test(line);
}

/** A line of the diff short enough to quote. */
export function quoted(line: string): string {
  const text = line.trim();
  return text.length <= 80 ? text : `${text.slice(0, 80)}...`;
}
