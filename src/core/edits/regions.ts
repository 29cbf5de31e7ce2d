import { type CommonRun, matchLines } from "../../shared/text/line-diff.ts";
import { splitLines } from "../text.ts";

/** A range of changed lines. Lines are 1-based. An empty side has `count` 0, and `line` is where it would be. */
interface Region {
  before: { line: number; count: number };
  after: { line: number; count: number };
  /** The first and last line of `after`; `endLine` is one less than `startLine` if lines were only removed. */
  startLine: number;
  endLine: number;
}

/** All changes between two texts, with totals in lines. */
export interface Changes {
  regions: Region[];
  added: number;
  removed: number;
}

/** Returns the lines that differ between two texts, including line endings. Near-linear in their length. */
export function changedRegions(before: string, after: string): Changes {
  if (before === after) return { regions: [], added: 0, removed: 0 };
  const old = splitLines(before);
  const now = splitLines(after);
  return regionsBetween(matchLines(old, now), old.length, now.length);
}

function regionsBetween(matches: readonly CommonRun[], oldCount: number, newCount: number): Changes {
  const regions: Region[] = [];
  let added = 0;
  let removed = 0;
  let a = 0;
  let b = 0;
  for (const match of [...matches, { a: oldCount, b: newCount, length: 0 }]) {
    if (match.a > a || match.b > b) {
      regions.push({
        before: { line: a + 1, count: match.a - a },
        after: { line: b + 1, count: match.b - b },
        startLine: b + 1,
        endLine: match.b,
      });
      removed += match.a - a;
      added += match.b - b;
    }
    a = match.a + match.length;
    b = match.b + match.length;
  }
  return { regions, added, removed };
}

/**
 * Returns a unified diff of two texts without file headers; "" if they are equal. `context` is the number of unchanged
 * lines around each change (default 3). A line whose ending alone changed is marked.
 */
export function unifiedDiff(before: string, after: string, options: { context?: number } = {}): string {
  if (before === after) return "";
  const context = options.context ?? 3;
  const old = splitLines(before);
  const now = splitLines(after);
  const { regions } = regionsBetween(matchLines(old, now), old.length, now.length);
  const out: string[] = [];
  for (let at = 0; at < regions.length; ) {
    const group: Region[] = [];
    let reach = Number.NEGATIVE_INFINITY;
    for (; at < regions.length; at++) {
      const region = regions[at];
      if (region === undefined || (group.length > 0 && region.before.line - reach > 2 * context)) break;
      group.push(region);
      reach = region.before.line + region.before.count;
    }
    writeGroup(out, group, old, now, context);
  }
  return out.join("\n");
}

function writeGroup(
  out: string[],
  group: readonly Region[],
  old: readonly string[],
  now: readonly string[],
  context: number,
): void {
  const first = group[0];
  const last = group.at(-1);
  if (first === undefined || last === undefined) return;
  const oldFrom = Math.max(0, first.before.line - 1 - context);
  const oldTo = Math.min(old.length, last.before.line - 1 + last.before.count + context);
  const newFrom = first.after.line - 1 - (first.before.line - 1 - oldFrom);
  const newTo = last.after.line - 1 + last.after.count + (oldTo - (last.before.line - 1 + last.before.count));
  out.push(`@@ -${span(oldFrom, oldTo)} +${span(newFrom, newTo)} @@`);
  let row = oldFrom;
  for (const { before, after } of group) {
    for (; row < before.line - 1; row++) put(out, " ", old[row]);
    const removed = old.slice(before.line - 1, before.line - 1 + before.count);
    const added = now.slice(after.line - 1, after.line - 1 + after.count);
    const endingsOnly =
      removed.length === added.length && removed.every((line, k) => bare(line) === bare(added[k] ?? ""));
    for (const line of removed) put(out, "-", line);
    for (const line of added) put(out, "+", line, endingsOnly ? endingName(line) : "");
    row += before.count;
  }
  for (; row < oldTo; row++) put(out, " ", old[row]);
}

function span(from: number, to: number): string {
  const count = to - from;
  return count === 1 ? String(from + 1) : `${count === 0 ? from : from + 1},${count}`;
}

function put(out: string[], sign: string, line: string | undefined, note = ""): void {
  if (line === undefined) return;
  const text = bare(line);
  out.push(`${sign}${text}${note}`);
  if (text.length === line.length) out.push("\\ No newline at end of file");
}

function bare(line: string): string {
  return line.replace(/(?:\r\n|\n|\r)$/, "");
}

function endingName(line: string): string {
  if (line.endsWith("\r\n")) return " (line ending: CRLF)";
  return line.endsWith("\n") ? " (line ending: LF)" : line.endsWith("\r") ? " (line ending: CR)" : "";
}
