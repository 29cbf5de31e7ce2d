import { looseKey } from "./fold.ts";
import { ABSENT, BLANK, type LineIndex } from "./line-index.ts";

/** Lines that occur more often than this give no evidence of where a text belongs. */
const COMMON = 400;
/** Maximum characters of a line that are compared. */
const LONGEST = 400;

/**
 * Returns the evidence for each row that the search lines begin there: every line that occurs in the file votes for its
 * places, rare lines with more weight. Votes are summed as (weight, number of lines).
 */
export function votes(
  index: LineIndex,
  lines: readonly string[],
): Map<number, { weight: number; lines: number }> {
  const found = new Map<number, { weight: number; lines: number }>();
  for (let at = 0; at < lines.length; at++) {
    const id = index.idOf(lines[at] ?? "");
    const count = id === ABSENT ? 0 : (index.counts[id] ?? 0);
    if (id === ABSENT || id === BLANK || count > COMMON) continue;
    for (let row = index.first[id] ?? -1; row !== -1; row = index.next[row] ?? -1) {
      const vote = found.get(row - at);
      if (vote === undefined) found.set(row - at, { weight: 1 / count, lines: 1 });
      else {
        vote.weight += 1 / count;
        vote.lines += 1;
      }
    }
  }
  return found;
}

/** Returns the row where the search lines most likely begin; undefined if nothing in the file is similar. */
export function nearestRow(index: LineIndex, lines: readonly string[]): number | undefined {
  let best: { start: number; weight: number } | undefined;
  for (const [start, { weight }] of votes(index, lines)) {
    if (best === undefined || weight > best.weight || (weight === best.weight && start < best.start)) {
      best = { start, weight };
    }
  }
  if (best !== undefined) return Math.max(0, best.start);
  let longest = -1;
  let length = 0;
  for (let at = 0; at < lines.length; at++) {
    const key = looseKey(lines[at] ?? "");
    if (key.length > length) {
      length = key.length;
      longest = at;
    }
  }
  if (longest === -1) return undefined;
  const alike = createLikeness(lines[longest] ?? "");
  let bestRow = -1;
  let bestScore = 0.4;
  for (let row = 0; row < index.lines.length; row++) {
    if (index.ids[row] === BLANK) continue;
    const score = alike(index.lines[row] ?? "");
    if (score > bestScore) {
      bestScore = score;
      bestRow = row;
    }
  }
  return bestRow === -1 ? undefined : Math.max(0, bestRow - longest);
}

/** Returns a function that computes the share of a line's letter pairs that another line has, 0 to 1 (Dice). */
export function createLikeness(line: string): (other: string) => number {
  const own = new Int16Array(65536);
  const key = looseKey(line).slice(0, LONGEST);
  for (let at = 1; at < key.length; at++) {
    const pair = pairAt(key, at);
    own[pair] = (own[pair] ?? 0) + 1;
  }
  const left = own.slice();
  return (other) => {
    const to = Math.min(other.length, LONGEST);
    let from = 0;
    while (from < to && other.charCodeAt(from) <= 32) from += 1;
    const pairs = to - from - 1;
    const most = 2 * Math.min(pairs, key.length - 1);
    if (pairs <= 0 || most / (pairs + key.length - 1) < 0.4) return other.trim() === key ? 1 : 0;
    let shared = 0;
    for (let at = from + 1; at < to; at++) {
      const pair = pairAt(other, at);
      const rest = left[pair] ?? 0;
      if (rest > 0) {
        shared += 1;
        left[pair] = rest - 1;
      }
    }
    for (let at = from + 1; at < to; at++) {
      const pair = pairAt(other, at);
      left[pair] = own[pair] ?? 0;
    }
    return (2 * shared) / (pairs + key.length - 1);
  };
}

function pairAt(text: string, at: number): number {
  return (text.charCodeAt(at - 1) * 257 + text.charCodeAt(at)) & 0xffff;
}
