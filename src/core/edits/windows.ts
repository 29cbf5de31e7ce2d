import { ABSENT, BLANK, type LineIndex } from "./line-index.ts";

/** Beyond this many comparisons, the rows are matched in one linear pass instead of from the rarest line. */
const MANY = 2_000_000;

/**
 * Calls `visit` with each row at which lines with these ids occur consecutively, in ascending order, until it returns
 * false. The cost is roughly the number of occurrences of the rarest line, and never more than rows plus lines.
 */
export function findWindows(
  index: LineIndex,
  ids: Int32Array,
  within: { from: number; to: number } | undefined,
  visit: (row: number) => boolean,
): void {
  const from = within?.from ?? 0;
  const last = Math.min(within?.to ?? index.lines.length, index.lines.length) - ids.length;
  const anchor = rarestOf(index, ids);
  if (anchor === -1) return;
  if ((index.counts[ids[anchor] ?? 0] ?? 0) * ids.length > MANY) {
    scan(index.ids, ids, from, last, visit);
    return;
  }
  for (let hit = index.first[ids[anchor] ?? 0] ?? -1; hit !== -1; hit = index.next[hit] ?? -1) {
    const row = hit - anchor;
    if (row < from) continue;
    if (row > last) return;
    let at = 0;
    while (at < ids.length && index.ids[row + at] === ids[at]) at += 1;
    if (at === ids.length && !visit(row)) return;
  }
}

/** Returns which line is least frequent, preferably not a blank one; -1 if one of them does not occur. */
function rarestOf(index: LineIndex, ids: Int32Array): number {
  let anchor = -1;
  let rarest = Number.POSITIVE_INFINITY;
  for (let at = 0; at < ids.length; at++) {
    const id = ids[at] ?? ABSENT;
    if (id === ABSENT) return -1;
    const seen = index.counts[id] ?? 0;
    if (seen < rarest && (id !== BLANK || anchor === -1)) {
      rarest = seen;
      anchor = at;
    }
  }
  return anchor;
}

/** The Knuth-Morris-Pratt algorithm over rows. */
function scan(
  rows: Int32Array,
  ids: Int32Array,
  from: number,
  last: number,
  visit: (row: number) => boolean,
): void {
  const fall = new Int32Array(ids.length);
  for (let at = 1, border = 0; at < ids.length; at++) {
    while (border > 0 && ids[at] !== ids[border]) border = fall[border - 1] ?? 0;
    if (ids[at] === ids[border]) border += 1;
    fall[at] = border;
  }
  let matched = 0;
  for (let row = from; row < last + ids.length; row++) {
    while (matched > 0 && rows[row] !== ids[matched]) matched = fall[matched - 1] ?? 0;
    if (rows[row] === ids[matched]) matched += 1;
    if (matched === ids.length) {
      if (!visit(row - ids.length + 1)) return;
      matched = fall[matched - 1] ?? 0;
    }
  }
}
