/** The matches of a session by their number: the row that contains each, and its index within the row. */
import type { Result } from "../../src/shared/protocol.ts";

export type FindResult = Result<"chat/find">;

export interface Hit {
  row: string;
  /** Index among the matches of its row. */
  nth: number;
}

/** undefined: there are fewer matches. */
export function hitAt({ rows }: FindResult, index: number): Hit | undefined {
  let remaining = index;
  for (const { row, count } of rows) {
    if (remaining < count) return remaining < 0 ? undefined : { row, nth: remaining };
    remaining -= count;
  }
  return undefined;
}

/** The number of a hit in a newer list of matches, or of the nearest match in its row; -1: the row has no match any more. */
export function indexOf({ rows }: FindResult, { row, nth }: Hit): number {
  let before = 0;
  for (const each of rows) {
    if (each.row === row) return before + Math.min(nth, each.count - 1);
    before += each.count;
  }
  return -1;
}

/**
 * The first match at or after a place, or else the last one before it. `placeOf`: the index of a row among the loaded
 * ones, -1 for rows before them.
 */
export function nearest(
  { rows, total }: FindResult,
  place: number,
  placeOf: (row: string) => number,
): number {
  let before = 0;
  for (const { row, count } of rows) {
    if (placeOf(row) >= place) return before;
    before += count;
  }
  return total - 1;
}
