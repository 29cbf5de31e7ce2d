/** Finds the rows that two lists of lines have in common. */

/** A maximal run of common rows: `before[a + k]` equals `after[b + k]` for each k below `length`. */
export interface CommonRun {
  a: number;
  b: number;
  length: number;
}

/** Beyond this many differences between two anchors, the whole range counts as replaced. */
const MAX_DIFFERENCES = 1500;

/**
 * Returns the common rows of two lists, in order. Exact for lists with up to about 1,500 differing rows between lines
 * that are unique in each; beyond that, the range between them counts as changed. Work is near-linear in the rows.
 */
export function matchLines(before: readonly string[], after: readonly string[]): CommonRun[] {
  const ids = new Map<string, number>();
  const intern = (line: string) => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  };
  const a = Int32Array.from(before, intern);
  const b = Int32Array.from(after, intern);
  const matches: CommonRun[] = [];
  const add = (at: number, bt: number, length: number) => {
    if (length === 0) return;
    const last = matches.at(-1);
    if (last !== undefined && last.a + last.length === at && last.b + last.length === bt)
      last.length += length;
    else matches.push({ a: at, b: bt, length });
  };
  compare(a, 0, a.length, b, 0, b.length, add);
  return matches;
}

type Add = (a: number, b: number, length: number) => void;

function compare(
  a: Int32Array,
  aFrom: number,
  aTo: number,
  b: Int32Array,
  bFrom: number,
  bTo: number,
  add: Add,
) {
  let head = 0;
  while (aFrom + head < aTo && bFrom + head < bTo && a[aFrom + head] === b[bFrom + head]) head += 1;
  let tail = 0;
  while (aTo - tail > aFrom + head && bTo - tail > bFrom + head && a[aTo - tail - 1] === b[bTo - tail - 1])
    tail += 1;
  add(aFrom, bFrom, head);
  const a0 = aFrom + head;
  const b0 = bFrom + head;
  const a1 = aTo - tail;
  const b1 = bTo - tail;
  if (a0 < a1 && b0 < b1) {
    const anchors = a1 - a0 + (b1 - b0) > 400 ? commonOnce(a, a0, a1, b, b0, b1) : [];
    // For a file that is new or was rewritten, the work would grow with the square of the number of rows.
    if (anchors.length === 0 && haveCommon(a.subarray(a0, a1), b.subarray(b0, b1)))
      myers(a, a0, a1, b, b0, b1, add);
    let aAt = a0;
    let bAt = b0;
    for (const [row, other] of anchors) {
      if (row < aAt || other < bAt) continue;
      compare(a, aAt, row, b, bAt, other, add);
      add(row, other, 1);
      aAt = row + 1;
      bAt = other + 1;
    }
    if (anchors.length > 0) compare(a, aAt, a1, b, bAt, b1, add);
  }
  add(a1, b1, tail);
}

function haveCommon(a: Int32Array, b: Int32Array): boolean {
  const [few, many] = a.length < b.length ? [a, b] : [b, a];
  const known = new Set(few);
  return many.some((id) => known.has(id));
}

/** Returns rows that occur exactly once on both sides, reduced to the longest sequence that ascends on both. */
function commonOnce(
  a: Int32Array,
  a0: number,
  a1: number,
  b: Int32Array,
  b0: number,
  b1: number,
): [number, number][] {
  const rowInA = new Map<number, number>();
  for (let row = a0; row < a1; row++) {
    const id = a[row] ?? -1;
    rowInA.set(id, rowInA.has(id) ? -1 : row);
  }
  const rowInB = new Map<number, number>();
  for (let row = b0; row < b1; row++) {
    const id = b[row] ?? -1;
    rowInB.set(id, rowInB.has(id) ? -1 : row);
  }
  const pairs: [number, number][] = [];
  for (const [id, row] of rowInA) {
    const other = rowInB.get(id);
    if (row !== -1 && other !== undefined && other !== -1) pairs.push([row, other]);
  }
  pairs.sort((x, y) => x[0] - y[0]);
  return longestAscending(pairs);
}

function longestAscending(pairs: [number, number][]): [number, number][] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (let at = 0; at < pairs.length; at++) {
    const other = pairs[at]?.[1] ?? 0;
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < other) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = at;
  }
  const ascending: [number, number][] = [];
  for (let at = tops.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) ascending.push(pair);
  }
  return ascending.reverse();
}

function myers(a: Int32Array, a0: number, a1: number, b: Int32Array, b0: number, b1: number, add: Add) {
  const trail = trailOf(a.subarray(a0, a1), b.subarray(b0, b1));
  const runs: [number, number, number][] = [];
  let x = a1 - a0;
  let y = b1 - b0;
  for (let d = trail.length - 1; d > 0; d--) {
    const k = x - y;
    const row = trail[d];
    const at = (diagonal: number) => row?.[diagonal + d] ?? 0;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(fromK);
    const startX = down ? fromX : fromX + 1;
    if (x > startX) runs.push([startX, startX - k, x - startX]);
    x = fromX;
    y = fromX - fromK;
  }
  if (trail.length > 0 && x > 0) runs.push([0, 0, x]);
  for (const [left, right, length] of runs.reverse()) add(a0 + left, b0 + right, length);
}

/** For each number of differences, how far the diagonals reach before it. Empty: there are too many differences. */
function trailOf(a: Int32Array, b: Int32Array): Int32Array[] {
  const n = a.length;
  const m = b.length;
  const most = Math.min(n + m, MAX_DIFFERENCES);
  const middle = most + 1;
  const reach = new Int32Array(2 * most + 3);
  const trail: Int32Array[] = [];
  for (let d = 0; d <= most; d++) {
    trail.push(reach.slice(middle - d, middle + d + 1));
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && (reach[middle + k - 1] ?? 0) < (reach[middle + k + 1] ?? 0));
      let x = down ? (reach[middle + k + 1] ?? 0) : (reach[middle + k - 1] ?? 0) + 1;
      while (x < n && x - k < m && a[x] === b[x - k]) x += 1;
      reach[middle + k] = x;
      if (x >= n && x - k >= m) return trail;
    }
  }
  return [];
}
