import { looseKey } from "./fold.ts";
import { ABSENT, BLANK, type LineIndex } from "./line-index.ts";

/** Lines that occur more often than this give no evidence of where a text belongs. */
const COMMON = 400;
/** Maximum characters of a line that are compared. */
const LONGEST = 400;
/** Share of letter pairs in common below which two lines are not similar. */
const LEAST_LIKENESS = 0.4;

/**
 * Returns the evidence for each row that the search lines begin there: every line that occurs in the file votes for its
 * places, rare lines with more weight. Votes are summed as (weight, number of lines).
 */
export function votes(
  index: LineIndex,
  lines: readonly string[],
): Map<number, { weight: number; lines: number }> {
  const sums = new Map<number, { weight: number; lines: number }>();
  for (let at = 0; at < lines.length; at++) {
    const id = index.idOf(lines[at] ?? "");
    if (!isEvidence(index, id)) continue;
    const weight = 1 / (index.counts[id] ?? 1);
    for (let row = index.first[id] ?? -1; row !== -1; row = index.next[row] ?? -1) {
      const sum = sums.get(row - at);
      if (sum === undefined) sums.set(row - at, { weight, lines: 1 });
      else {
        sum.weight += weight;
        sum.lines += 1;
      }
    }
  }
  return sums;
}

/** Whether a line with this id says where a text belongs: it occurs in the file, is not blank, and is not too common. */
function isEvidence(index: LineIndex, id: number): boolean {
  return id !== ABSENT && id !== BLANK && (index.counts[id] ?? 0) <= COMMON;
}

/** Returns the row where the search lines most likely begin; undefined if nothing in the file is similar. */
export function nearestRow(index: LineIndex, lines: readonly string[]): number | undefined {
  const start = mostVotedStart(index, lines);
  if (start !== undefined) return Math.max(0, start);
  const longest = longestLine(lines);
  if (longest === undefined) return undefined;
  const row = mostSimilarRow(index, lines[longest] ?? "");
  return row === undefined ? undefined : Math.max(0, row - longest);
}

/** Returns the start with the most votes, the first of several; it may be before the first row. */
function mostVotedStart(index: LineIndex, lines: readonly string[]): number | undefined {
  let best: { start: number; weight: number } | undefined;
  for (const [start, { weight }] of votes(index, lines)) {
    if (best === undefined || weight > best.weight || (weight === best.weight && start < best.start)) {
      best = { start, weight };
    }
  }
  return best?.start;
}

/** Returns the index of the line with the most characters; undefined if all lines are blank. */
function longestLine(lines: readonly string[]): number | undefined {
  let longest: number | undefined;
  let length = 0;
  for (const [at, line] of lines.entries()) {
    const key = looseKey(line);
    if (key.length <= length) continue;
    length = key.length;
    longest = at;
  }
  return longest;
}

/** Returns the row whose line is most similar to `line`; undefined if none is similar enough. */
function mostSimilarRow(index: LineIndex, line: string): number | undefined {
  const likeness = createLikeness(line);
  let best: number | undefined;
  let bestScore = LEAST_LIKENESS;
  for (let row = 0; row < index.lines.length; row++) {
    if (index.ids[row] === BLANK) continue;
    const score = likeness(index.lines[row] ?? "");
    if (score > bestScore) {
      bestScore = score;
      best = row;
    }
  }
  return best;
}

/** Returns a function that computes the share of a line's letter pairs that another line has, 0 to 1 (Dice). */
export function createLikeness(line: string): (other: string) => number {
  const own = new Int16Array(65536);
  const key = looseKey(line).slice(0, LONGEST);
  for (let at = 1; at < key.length; at++) {
    const pair = pairAt(key, at);
    own[pair] = (own[pair] ?? 0) + 1;
  }
  const remaining = own.slice();
  return (other) => {
    const to = Math.min(other.length, LONGEST);
    let from = 0;
    while (from < to && other.charCodeAt(from) <= 32) from += 1;
    const pairs = to - from - 1;
    const most = 2 * Math.min(pairs, key.length - 1);
    if (pairs <= 0 || most / (pairs + key.length - 1) < LEAST_LIKENESS) return other.trim() === key ? 1 : 0;
    let shared = 0;
    for (let at = from + 1; at < to; at++) {
      const pair = pairAt(other, at);
      const rest = remaining[pair] ?? 0;
      if (rest > 0) {
        shared += 1;
        remaining[pair] = rest - 1;
      }
    }
    for (let at = from + 1; at < to; at++) {
      const pair = pairAt(other, at);
      remaining[pair] = own[pair] ?? 0;
    }
    return (2 * shared) / (pairs + key.length - 1);
  };
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 257 + text.charCodeAt(at)) & 0xffff;
}
