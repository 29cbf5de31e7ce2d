import { numberLines, sliceWhole } from "../text.ts";
import { looseKey } from "./fold.ts";
import type { FileIndex } from "./line-index.ts";
import { nearestRow } from "./nearest.ts";
import type { Located, Tier } from "./place.ts";

/** Longest excerpt of a file in an error: lines, and characters of each. */
const EXCERPT_LINES = 16;
const EXCERPT_WIDTH = 240;

/** The file's lines that come nearest to a searched text. */
export interface Nearest {
  /** 1-based. */
  line: number;
  text: string;
}

/** A line short enough to quote. */
export function clip(line: string, width = EXCERPT_WIDTH): string {
  const plain = line.replace(/\0/g, "\u2400");
  return plain.length <= width ? plain : `${sliceWhole(plain, 0, width)}...`;
}

/** "1 line", "2 lines". */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** "3, 17 and 40"; past `most` of them "... and 12 more". */
export function listing(numbers: readonly (number | string)[], total = numbers.length, most = 50): string {
  const shown = numbers.slice(0, most);
  if (total > shown.length) return `${shown.join(", ")} and ${total - shown.length} more`;
  const last = shown.at(-1);
  return shown.length < 2 ? String(last ?? "") : `${shown.slice(0, -1).join(", ")} and ${last}`;
}

/** Why a searched text was not found, with the nearest lines of the file and the first that differs. */
export function notFound(
  index: FileIndex,
  search: readonly string[],
  what = "SEARCH text",
): { reason: string; nearest?: Nearest } {
  const row = nearestRow(index, search);
  const begins = `The ${what} (${plural(search.length, "line")}, beginning "${clip(firstSolid(search).trim(), 80)}") ${what.endsWith("text") ? "is" : "are"} not in the file.`;
  const elided = search.find((line) => /^\s*(?:\/\/|#|\/\*|--|<!--)?\s*(?:\.{3}|\u2026)/.test(line));
  const advice =
    elided === undefined
      ? ""
      : ` The line "${clip(elided.trim(), 80)}" stands for text left out: SEARCH must hold every line as it is.`;
  if (row === undefined) return { reason: `${begins}${advice} Nothing in the file is like it.` };
  const to = Math.min(index.lines.length, row + Math.min(search.length, EXCERPT_LINES));
  const excerpt = index.lines.slice(row, to).map((line) => clip(line));
  const difference = firstDifference(index, search, row);
  return {
    reason: `${begins}${advice} The nearest lines are:\n${numberLines(excerpt, row + 1)}${difference}`,
    nearest: { line: row + 1, text: excerpt.join("\n") },
  };
}

function firstSolid(lines: readonly string[]): string {
  return lines.find((line) => line.trim() !== "") ?? "";
}

function firstDifference(index: FileIndex, search: readonly string[], row: number): string {
  for (let at = 0; at < search.length; at++) {
    const line = search[at] ?? "";
    const file = index.lines[row + at];
    if (file === undefined) return `\nThe file ends before SEARCH line ${at + 1}: "${clip(line)}".`;
    if (looseKey(file) === looseKey(line)) continue;
    return `\nThe first difference is on line ${row + at + 1}: the file has "${clip(file)}", SEARCH has "${clip(line)}".`;
  }
  return "\nThe words are the same, but the indentation differs from line to line.";
}

/** Why several places are none. `what` names the searched lines. */
export function severalPlaces(
  { rows, total, tier }: Located & { kind: "several" },
  what = "SEARCH text",
): string {
  const lines = rows.map((row) => row + 1);
  const how = tier === "exact" ? "" : ` (leaving ${tierWords[tier]} aside)`;
  return `The ${what} stand${what.endsWith("text") ? "s" : ""} in ${total > 1000 ? "very many" : total} places${how}, beginning on lines ${listing(lines, total)}. Add neighbouring lines until they fit only the place that is meant.`;
}

const tierWords: Record<Tier, string> = {
  exact: "nothing",
  "trailing-space": "white space at line ends",
  "look-alike": "look-alike characters",
  indentation: "indentation",
  entities: "escaped entities",
  "line-numbers": "line numbers",
  close: "blank lines",
};
