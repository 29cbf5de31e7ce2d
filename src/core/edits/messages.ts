import { numberLines, sliceWhole } from "../text.ts";
import { looseKey } from "./fold.ts";
import type { LineIndex } from "./line-index.ts";
import type { Located, Tier } from "./match-range.ts";
import { nearestRow } from "./nearest.ts";

/** Maximum size of a file excerpt in an error: lines, and characters per line. */
const EXCERPT_LINES = 16;
const EXCERPT_WIDTH = 240;

/** The lines of the file that are most similar to a search text. */
export interface Nearest {
  /** 1-based. */
  line: number;
  text: string;
}

/** Shortens a line for quoting. */
export function clip(line: string, width = EXCERPT_WIDTH): string {
  const plain = line.replace(/\0/g, "\u2400");
  return plain.length <= width ? plain : `${sliceWhole(plain, 0, width)}...`;
}

/** "1 line", "2 lines". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "3, 17 and 40"; beyond `most` numbers "... and 12 more". */
export function listing(numbers: readonly (number | string)[], total = numbers.length, most = 50): string {
  const shown = numbers.slice(0, most);
  if (total > shown.length) return `${shown.join(", ")} and ${total - shown.length} more`;
  const last = shown.at(-1);
  return shown.length < 2 ? String(last ?? "") : `${shown.slice(0, -1).join(", ")} and ${last}`;
}

/** Explains why a search text was not found, with the most similar lines of the file and the first difference. */
export function notFound(
  index: LineIndex,
  search: readonly string[],
  what = "SEARCH text",
): { reason: string; nearest?: Nearest } {
  const begins = `The ${what} (${plural(search.length, "line")}, beginning "${clip(firstSolid(search).trim(), 80)}") ${what.endsWith("text") ? "is" : "are"} not in the file.`;
  const inside = partOfLines(index, search);
  if (inside !== undefined) return { ...inside, reason: `${begins} ${inside.reason}` };
  const row = nearestRow(index, search);
  const elided = search.find((line) => /^\s*(?:\/\/|#|\/\*|--|<!--)?\s*(?:\.{3}|\u2026)/.test(line));
  const advice =
    elided === undefined
      ? ""
      : ` The line "${clip(elided.trim(), 80)}" stands for omitted text: SEARCH must contain every line as it is in the file.`;
  if (row === undefined) return { reason: `${begins}${advice} No part of the file is similar.` };
  const to = Math.min(index.lines.length, row + Math.min(search.length, EXCERPT_LINES));
  const excerpt = index.lines.slice(row, to).map((line) => clip(line));
  const difference = firstDifference(index, search, row);
  return {
    reason: `${begins}${advice} The nearest lines are:\n${numberLines(excerpt, row + 1)}${difference}`,
    nearest: { line: row + 1, text: excerpt.join("\n") },
  };
}

/** Minimum characters of a text that is searched for inside lines. */
const MIN_PART = 3;
/** Characters shown on either side of a part of a line. */
const AROUND = 60;

/** Explains where in the file a text that is only a part of lines occurs; undefined if it does not occur. */
function partOfLines(
  index: LineIndex,
  search: readonly string[],
): { reason: string; nearest: Nearest } | undefined {
  const text = search.join(index.eol ?? "\n").trim();
  if (text.length < MIN_PART) return undefined;
  const at = index.text.indexOf(text);
  if (at === -1) return undefined;
  const [row, lastRow] = [index.rowAt(at), index.rowAt(at + text.length - 1)];
  const column = at - (index.table.starts[row] ?? 0);
  const line = index.lines[row] ?? "";
  const from = Math.max(0, column - AROUND);
  const to = Math.min(line.length, column + text.length + AROUND);
  const part = clip(sliceWhole(line, from, to));
  const shown = `${from > 0 ? "..." : ""}${part}${to < line.length ? "..." : ""}`;
  const where = row === lastRow ? `line ${row + 1}` : `lines ${row + 1}-${lastRow + 1}`;
  const again = index.text.includes(text, at + 1) ? ", and of others" : "";
  return {
    reason: `It is only a part of ${where}${again}, from column ${column + 1} on. Give whole lines:\n${numberLines([shown], row + 1)}`,
    nearest: { line: row + 1, text: shown },
  };
}

function firstSolid(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "") ?? "";
}

function firstDifference(index: LineIndex, search: readonly string[], row: number): string {
  for (let at = 0; at < search.length; at++) {
    const line = search[at] ?? "";
    const file = index.lines[row + at];
    if (file === undefined) return `\nThe file ends before SEARCH line ${at + 1}: "${clip(line)}".`;
    if (looseKey(file) === looseKey(line)) continue;
    return `\nThe first difference is on line ${row + at + 1}: the file has "${clip(file)}", SEARCH has "${clip(line)}".`;
  }
  return "\nThe words are the same, but the indentation differs from line to line.";
}

/** Explains why a match in several places is rejected. `what` names the search lines. */
export function severalPlaces(
  { rows, total, tier }: Located & { kind: "several" },
  what = "SEARCH text",
): string {
  const lines = rows.map((row) => row + 1);
  const how = tier === "exact" ? "" : ` (ignoring ${TIER_WORDS[tier]})`;
  return `The ${what} occur${what.endsWith("text") ? "s" : ""} in ${total > 1000 ? "very many" : total} places${how}, beginning on lines ${listing(lines, total)}. Add neighboring lines until they match only the intended place.`;
}

const TIER_WORDS: Record<Tier, string> = {
  exact: "nothing",
  "trailing-space": "whitespace at line ends",
  "look-alike": "look-alike characters",
  indentation: "indentation",
  entities: "escaped entities",
  "line-numbers": "line numbers",
  close: "blank lines",
};
