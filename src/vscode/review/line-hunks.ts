/**
 * The hunks of a turn's change in one file, as line numbers: where they are in the document while it changes, and what the file is
 * without one of them. Holds no text.
 */
import { changedRegions } from "../../core/edits/regions.ts";
import { bareLines, splitLines } from "../../core/text.ts";

/** Lines `line` to `line + count - 1`, 1-based; with `count` 0, the place before `line`. */
interface LineSpan {
  line: number;
  count: number;
}

export interface LineHunk {
  id: number;
  /** In the file before the turn. */
  before: LineSpan;
  /** In the file as the turn left it, without the hunks that were undone. */
  after: LineSpan;
  /** Where `after` is in the document now: the index of its first line, from 0. */
  at: number;
}

/** A change of a document: the range that is replaced, with indexes from 0, and its new text. */
export interface DocumentChange {
  start: { line: number; character: number };
  end: { line: number; character: number };
  text: string;
}

/** Maximum number of hunks of one file that are shown. */
export const MAX_HUNKS = 200;

let lastId = 0;

/** The hunks between a file's contents before and after a turn, in order, in a document that is as the turn left it. */
export function hunksBetween(before: string, after: string): LineHunk[] {
  return changedRegions(before, after)
    .regions.slice(0, MAX_HUNKS)
    .map((region) => ({
      id: ++lastId,
      before: region.before,
      after: region.after,
      at: region.after.line - 1,
    }));
}

/** The hunks after changes of the document that were made at once; one that a change touches is no longer among them. */
export function movedHunks(
  hunks: readonly LineHunk[],
  changes: readonly DocumentChange[],
): readonly LineHunk[] {
  if (hunks.length === 0) return hunks;
  // All positions are those before the changes, so the last one is applied first.
  const upwards = [...changes].sort(
    (a, b) => b.start.line - a.start.line || b.start.character - a.start.character,
  );
  return upwards.reduce<readonly LineHunk[]>(
    (moved, change) => moved.flatMap((hunk) => movedHunk(hunk, change) ?? []),
    hunks,
  );
}

function movedHunk(hunk: LineHunk, change: DocumentChange): LineHunk | undefined {
  const { start, end } = change;
  const { count } = hunk.after;
  if (start.line >= hunk.at + count) return hunk;
  if (!isAbove(hunk.at, change)) return undefined;
  const lines = change.text.split(/\r\n|\r|\n/).length - 1 - (end.line - start.line);
  return lines === 0 ? hunk : { ...hunk, at: hunk.at + lines };
}

/** Whether the change leaves this line and all below as they are. */
function isAbove(line: number, { start, end, text }: DocumentChange): boolean {
  if (end.line < line) return true;
  if (end.line > line || end.character > 0) return false;
  return text === "" ? start.character === 0 : /[\r\n]$/.test(text);
}

/** The hunks in a document that may differ from what the turn left: where something else changed a hunk, it is not shown. */
export function placedHunks(hunks: readonly LineHunk[], left: string, document: string): readonly LineHunk[] {
  const there = hunks.map((hunk) => ({ ...hunk, at: hunk.after.line - 1 }));
  const changes = changedRegions(sameEndings(left), sameEndings(document)).regions.map(
    ({ before, after }) => ({
      start: { line: before.line - 1, character: 0 },
      end: { line: before.line - 1 + before.count, character: 0 },
      text: "\n".repeat(after.count),
    }),
  );
  return movedHunks(there, changes);
}

/** A document has one kind of line ending, whatever the file has. */
const sameEndings = (text: string): string =>
  bareLines(text)
    .map((line) => `${line}\n`)
    .join("");

/**
 * The file's text without the hunk: `text` with the lines that were there before the turn. undefined: the file does not have the
 * turn's lines where the hunk is.
 */
export function withoutHunk(
  text: string,
  { before, after, at }: LineHunk,
  { was, left }: { was: string; left: string },
): string | undefined {
  const lines = splitLines(text);
  const own = linesOf(left, after);
  const there = lines.slice(at, at + after.count);
  if (at > lines.length || there.join("") !== own.join("")) return undefined;
  return [...lines.slice(0, at), ...linesOf(was, before), ...lines.slice(at + after.count)].join("");
}

/** The other hunks once this one was undone in the document and in what the turn left. */
export function hunksWithout(hunks: readonly LineHunk[], undone: LineHunk): readonly LineHunk[] {
  const lines = undone.before.count - undone.after.count;
  return hunks
    .filter(({ id }) => id !== undone.id)
    .map((hunk) =>
      hunk.after.line < undone.after.line
        ? hunk
        : { ...hunk, after: { ...hunk.after, line: hunk.after.line + lines } },
    );
}

/** The hunk at this line of the document, from 0; for removed lines, the line above or below them. */
export function hunkAt(hunks: readonly LineHunk[], line: number): LineHunk | undefined {
  return (
    hunks.find(({ at, after }) => line >= at && line < at + after.count) ??
    hunks.find(({ at, after }) => after.count === 0 && (line === at || line === at - 1))
  );
}

function linesOf(text: string, { line, count }: LineSpan): string[] {
  return splitLines(text).slice(line - 1, line - 1 + count);
}
