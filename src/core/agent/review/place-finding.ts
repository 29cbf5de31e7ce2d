/**
 * Finds the lines of the diff that a finding is about. The model names a number and the text of the line: where they disagree, the text
 * decides if the diff has it once. What is not certain is refused.
 */
import type { DiffSide, Severity } from "../../../shared/review.ts";
import { type DiffHunk, type DiffLine, numberOn } from "./diff-lines.ts";

/** Where a model says that a finding is. */
export interface NamedLines {
  side: DiffSide;
  startLine: number;
  endLine: number;
  /** The text of the first line, or of several. */
  lineText: string;
  severity: Severity;
}

export interface PlacedLines {
  side: DiffSide;
  startLine: number;
  endLine: number;
  lineText: string;
  newLine?: number;
}

/** A text: why it is not certain, for the model. */
export type Placement = PlacedLines | string;

/** A line of one side, and the hunk that it is in. */
interface SideLine {
  number: number;
  hunk: number;
  line: DiffLine;
}

export function placeFinding(hunks: readonly DiffHunk[], named: NamedLines): Placement {
  const quote = quotedLines(named.lineText);
  const own = linesOn(hunks, named.side);
  const other: DiffSide = named.side === "new" ? "old" : "new";
  const at = own.findIndex(({ number }) => number === named.startLine);
  if (at >= 0 && hasText(own, at, quote) && mayBeOn(own, at, named)) return placed(hunks, own, at, named);
  if (quote.every((text) => text === "")) return "give the text of the first line in line_text";
  const matches = placesOf(own, quote, named);
  const [match] = matches;
  if (match !== undefined && matches.length === 1) return placed(hunks, own, match, named);
  if (matches.length > 1)
    return `line ${named.startLine} has another text, and several lines have the one in line_text`;
  const others = linesOn(hunks, other);
  const switched = placesOf(others, quote, named);
  const [elsewhere] = switched;
  if (elsewhere !== undefined && switched.length === 1)
    return placed(hunks, others, elsewhere, { ...named, side: other });
  return own.some((_, index) => hasText(own, index, quote))
    ? "the lines are not changed, so only a pre-existing problem can be reported there"
    : "no line of the diff has the text in line_text";
}

function linesOn(hunks: readonly DiffHunk[], side: DiffSide): SideLine[] {
  return hunks.flatMap((hunk, index) =>
    hunk.flatMap((line) => {
      const number = numberOn(line, side);
      return number === undefined ? [] : [{ number, hunk: index, line }];
    }),
  );
}

/** Without the mark and the number that the diff has before a line. */
function quotedLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(/^[+\- ]?\s*\d+\| ?/, "").trim());
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  while (lines.length > 1 && lines[0] === "") lines.shift();
  return lines;
}

function hasText(lines: readonly SideLine[], at: number, quote: readonly string[]): boolean {
  return quote.every((text, index) => {
    const line = lines[at + index];
    return line !== undefined && follows(lines, at, at + index) && line.line.text.trim() === text;
  });
}

/** Whether the lines from `at` to `end` follow each other in the file. */
function follows(lines: readonly SideLine[], at: number, end: number): boolean {
  const [first, last] = [lines[at], lines[end]];
  return (
    first !== undefined &&
    last !== undefined &&
    first.hunk === last.hunk &&
    last.number - first.number === end - at
  );
}

function placesOf(lines: readonly SideLine[], quote: readonly string[], named: NamedLines): number[] {
  return lines.flatMap((_, at) => (hasText(lines, at, quote) && mayBeOn(lines, at, named) ? [at] : []));
}

/** A problem that the change introduced is on a line that it changed. */
function mayBeOn(lines: readonly SideLine[], at: number, named: NamedLines): boolean {
  if (named.severity === "pre-existing") return true;
  return lines.slice(at, endOf(lines, at, named) + 1).some(({ line }) => line.kind !== "context");
}

/** The last line of a finding that begins at `at`. One that the diff does not show is no part of it. */
function endOf(lines: readonly SideLine[], at: number, { startLine, endLine }: NamedLines): number {
  let end = at;
  while (end - at < endLine - startLine && follows(lines, at, end + 1)) end++;
  return end;
}

function placed(
  hunks: readonly DiffHunk[],
  lines: readonly SideLine[],
  at: number,
  named: NamedLines,
): PlacedLines {
  const [first, last] = [lines[at], lines[endOf(lines, at, named)]];
  if (!first || !last) throw new Error("a finding was placed on a line that is not there");
  const newLine = named.side === "old" ? newLineAfter(hunks[first.hunk] ?? [], last.line) : undefined;
  return {
    side: named.side,
    startLine: first.number,
    endLine: last.number,
    lineText: first.line.text,
    ...(newLine === undefined ? {} : { newLine }),
  };
}

/** The next line of the new file behind this removed one. Where the diff shows none, the number follows from the line before. */
function newLineAfter(hunk: DiffHunk, removed: DiffLine): number | undefined {
  const at = hunk.indexOf(removed);
  const next = hunk.slice(at).find((line) => line.new !== undefined);
  return next?.new;
}
