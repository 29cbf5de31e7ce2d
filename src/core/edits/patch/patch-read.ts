/** Finds the lines of a file that a hunk refers to, even if its context lacks the leading space. */

import { indentOf } from "../fold.ts";
import { columns } from "../indent.ts";
import { ABSENT, type LineIndex } from "../line-index.ts";
import { keptLines, locate, locateLines } from "../locate.ts";
import type { Located, Sides } from "../match-range.ts";
import { notFound } from "../messages.ts";
import { findWindows } from "../windows.ts";
import { type HunkLine, type PatchHunk, unsigned } from "./patch-parse.ts";

/** The place of a hunk's lines and both sides as they were read for it, or why it is ambiguous. */
export type HunkMatch = { located: Located; sides: Sides } | { doubt: string };

interface Rows {
  from: number;
  to: number;
}

/**
 * Finds the lines of a hunk. Tries the format first: context after one space. If the lines do not occur that way in the
 * file, context is read as written, if it occurs that way; then nothing is shifted. An indentation shift is inferred
 * only if removed lines show it, or if it is more than one column and no other reading explains it as well.
 */
export function findHunk(index: LineIndex, lines: readonly HunkLine[], within: Rows): HunkMatch {
  const proper = lines.every(
    (line) => line.sign !== " " || line.raw.trim() === "" || line.raw.startsWith(" "),
  );
  const signed = sidesOf(lines, (line) => line.text);
  const bare = sidesOf(lines, (line) => (line.raw.trim() === "" ? line.text : line.raw));
  const look = (sides: Sides) => locateLines(index, { lines: sides.search, kept: () => [], within });
  const first = proper ? look(signed) : undefined;
  if (first !== undefined && first.kind !== "none" && tierOf(first) !== "indentation")
    return { located: first, sides: signed };
  const written = asWritten(index, lines, within, look);
  if (written !== undefined) return written;
  const over = withSignsInFirstColumn(lines);
  const laid = over === undefined ? undefined : asWritten(index, over, within, look);
  if (laid !== undefined) return addsUnindented(lines) ? { doubt: ONE_COLUMN_OFF } : laid;
  const shifted =
    first !== undefined && first.kind !== "none" ? { located: first, sides: signed } : undefined;
  const other = look(bare);
  const unshifted = other.kind === "none" ? undefined : { located: other, sides: bare };
  if (shifted !== undefined || unshifted !== undefined) return byShift(index, lines, shifted, unshifted);
  const sides = proper ? signed : bare;
  const kept = () => keptLines(sides.search, sides.replace);
  const located = locate(index, { lines: sides.search, kept, within });
  if (located.kind === "one" && !isShown(lines)) {
    const at = sides.search.findIndex((line) => line.trim() !== "");
    const row = located.range.rows?.[at] ?? located.range.start + at;
    const first = { search: sides.search.slice(at, at + 1), replace: [] };
    if (oddnessOf(index, first, row) === ONE_COLUMN) return { doubt: oneColumn(row) };
  }
  return { located, sides };
}

/** Explains why the lines of a hunk were not found. */
export function hunkNotFound(index: LineIndex, { lines }: PatchHunk, sides: Sides): string {
  const bad = lines.find(({ sign, raw }) => sign === " " && /^\S/.test(raw) && index.idOf(raw) === ABSENT);
  const told = bad === undefined ? "" : `${unsigned(bad.raw)} `;
  return told + notFound(index, sides.search, 'lines with " " and "-"').reason;
}

function sidesOf(lines: readonly HunkLine[], context: (line: HunkLine) => string): Sides {
  const text = (line: HunkLine) => (line.sign === " " ? context(line) : line.text);
  return {
    search: lines.filter(({ sign }) => sign !== "+").map(text),
    replace: lines.filter(({ sign }) => sign !== "-").map(text),
  };
}

function tierOf(located: Located): string {
  return located.kind === "one" ? located.range.tier : located.kind === "several" ? located.tier : "";
}

/** Whether removed lines show the indentation in which the hunk is written. */
function isShown(lines: readonly HunkLine[]): boolean {
  return lines.some(({ sign, text }) => sign === "-" && text.trim() !== "");
}

/** Finds places where each context line occurs with its sign removed or as written. */
function asWritten(
  index: LineIndex,
  lines: readonly HunkLine[],
  within: Rows,
  look: (sides: Sides) => Located,
): HunkMatch | undefined {
  const searched = lines.filter(({ sign }) => sign !== "+");
  const ids = Int32Array.from(searched, ({ text }) => index.idOf(text));
  const rows: number[] = [];
  let total = 0;
  let tries = 0;
  findWindows(index, ids, within, (row) => {
    const stands = searched.every(({ sign, text, raw }, k) => {
      const file = (index.lines[row + k] ?? "").trimEnd();
      return file === text.trimEnd() || (sign === " " && file === raw.trimEnd());
    });
    tries += 1;
    if (stands) {
      total += 1;
      if (rows.length < 50) rows.push(row);
    }
    return tries < 10_000;
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  // The context matches, so it is taken from the file.
  let at = row;
  const file = lines.map(({ sign }) => (sign === "+" ? "" : (index.lines[at++] ?? "")));
  const sides = sidesOf(
    lines.map((line, k) => ({ ...line, raw: file[k] ?? "" })),
    (line) => line.raw,
  );
  if (total > 1 || tries >= 10_000)
    return { located: { kind: "several", tier: "exact", rows, total: Math.max(2, total) }, sides };
  const doubt = addedInDoubt(index, lines, row);
  return doubt === undefined ? { located: look(sides), sides } : { doubt };
}

/**
 * Returns the lines of a hunk whose signs replace the first column, so that context is as in the file and the other
 * lines lack a space. Only removed lines can show this.
 */
function withSignsInFirstColumn(lines: readonly HunkLine[]): HunkLine[] | undefined {
  if (!isShown(lines) || !lines.some(({ sign, raw }) => sign === " " && raw.trim() !== "")) return undefined;
  return lines.map((line) => {
    if (line.sign === " ") return { ...line, text: line.raw };
    return line.text.trim() === "" ? line : { ...line, text: ` ${line.text}` };
  });
}

/** Whether an added line has no indentation at all, so that it cannot have lost a column. */
function addsUnindented(lines: readonly HunkLine[]): boolean {
  return lines.some(({ sign, text }) => sign === "+" && /^\S/.test(text));
}

/** Explains why the added lines of a hunk may also lack something if its context lacks its space. */
function addedInDoubt(index: LineIndex, lines: readonly HunkLine[], row: number): string | undefined {
  const added = lines.filter(({ sign, text }) => sign === "+" && text.trim() !== "");
  const context = added.find(({ raw }) => index.idOf(raw) !== ABSENT);
  if (context !== undefined)
    return `Its context lacks the space before it, so that "${context.raw.slice(0, 80)}" may be an unchanged line as well as an added one. Write a space before every unchanged line.`;
  if (isShown(lines)) return undefined;
  const searched = lines.filter(({ sign }) => sign !== "+").length;
  const beside = index.lines.slice(row, row + searched).filter((line) => line.trim() !== "");
  const indents = new Set(beside.map((line) => indentOf(line).length));
  const off = added.some(({ text }) => {
    const own = indentOf(text);
    return own !== "" && !own.includes("\t") && !indents.has(own.length) && indents.has(own.length + 1);
  });
  return off ? oneColumn(row) : undefined;
}

/** Chooses between two readings by the indentation shift that they need; at least one of them found a place. */
function byShift(
  index: LineIndex,
  lines: readonly HunkLine[],
  signed: { located: Located; sides: Sides } | undefined,
  bare: { located: Located; sides: Sides } | undefined,
): HunkMatch {
  const row = (reading: { located: Located } | undefined) =>
    reading?.located.kind === "one"
      ? reading.located.range.start
      : reading?.located.kind === "several"
        ? reading.located.rows[0]
        : undefined;
  const oddness = (reading: { located: Located; sides: Sides } | undefined) => {
    const start = row(reading);
    return reading === undefined || start === undefined ? undefined : oddnessOf(index, reading.sides, start);
  };
  const either = signed ?? bare;
  if (either === undefined) return { doubt: oneColumn(0) };
  if (isShown(lines)) {
    return addsUnindented(lines) && oddness(either) === ONE_COLUMN ? { doubt: ONE_COLUMN_OFF } : either;
  }
  const [own, other] = [oddness(signed), oddness(bare)];
  if (own === ONE_COLUMN || (own === undefined && other === ONE_COLUMN))
    return { doubt: oneColumn(row(either) ?? 0) };
  const chosen = own !== undefined && other !== undefined && other < own ? (bare ?? either) : either;
  if (oddness(chosen) === ODD) return { doubt: oneColumn(row(chosen) ?? 0) };
  return unlikeContext(index, lines, chosen.sides, row(chosen) ?? 0)
    ? { doubt: oneColumn(row(chosen) ?? 0) }
    : chosen;
}

/** Whether an added line is indented like the file and not like the context that has to be shifted. */
function unlikeContext(
  index: LineIndex,
  lines: readonly HunkLine[],
  { search }: Sides,
  start: number,
): boolean {
  const solid = (line: string) => line.trim() !== "";
  const written = new Set(search.filter(solid).map(indentOf));
  const file = new Set(
    index.lines
      .slice(start, start + search.length)
      .filter(solid)
      .map(indentOf),
  );
  return lines.some(({ sign, text }) => {
    const own = indentOf(text);
    return sign === "+" && solid(text) && !written.has(own) && file.has(own);
  });
}

const NATURAL = 0;
const ODD = 1;
const ONE_COLUMN = 2;

/** Rates how unusual the shift of a reading is: none or whole indentation steps, other amounts, a single column. */
function oddnessOf(index: LineIndex, { search }: Sides, start: number): number {
  const pairs = search.flatMap((line, k) =>
    line.trim() === "" ? [] : [[indentOf(line), indentOf(index.lines[start + k] ?? "")] as const],
  );
  if (pairs.every(([s, f]) => s === ` ${f}` || f === ` ${s}`)) return ONE_COLUMN;
  const tabs = (side: 0 | 1) => pairs.some((pair) => pair[side].includes("\t"));
  if (tabs(0) !== tabs(1)) {
    const same = [4, 2, 8].some((width) => pairs.every(([s, f]) => columns(s, width) === columns(f, width)));
    return same ? NATURAL : ODD;
  }
  if (tabs(0)) return NATURAL;
  const off = columnsOff(index, { search, replace: [] }, start);
  if (Math.abs(off) === 1) return ONE_COLUMN;
  return off % index.indentStep() === 0 ? NATURAL : ODD;
}

/** Returns by how many columns the first non-blank line is indented more in the file. */
function columnsOff(index: LineIndex, { search }: Sides, start: number): number {
  const at = search.findIndex((line) => line.trim() !== "");
  if (at === -1) return 0;
  return columns(indentOf(index.lines[start + at] ?? ""), 4) - columns(indentOf(search[at] ?? ""), 4);
}

const ONE_COLUMN_OFF =
  "Its removed lines lack a column that the file has, and an added line has no indentation at all. Write the sign before the whole line, indentation included.";

function oneColumn(row: number): string {
  return `Its unchanged lines are indented otherwise than line ${row + 1} of the file, which leaves open how far the added lines belong. Write one space before every unchanged line, and copy the line itself with its indentation.`;
}
