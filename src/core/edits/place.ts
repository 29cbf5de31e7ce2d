/** What a search for a place takes and gives. */

/** How a place was found, strongest first. */
export type Tier =
  | "exact"
  | "trailing-space"
  | "look-alike"
  | "indentation"
  | "entities"
  | "line-numbers"
  | "close";

/** A searched text, line by line, and which of its lines the replacement keeps (asked only for close matches). */
export interface Wanted {
  lines: readonly string[];
  kept(): readonly boolean[];
  /** Only places inside these rows count: first row, and the row after the last. */
  within?: { from: number; to: number };
}

/** Both sides of an edit in the file's own terms. */
export interface Sides {
  search: readonly string[];
  replace: readonly string[];
}

/** Where a searched text stands. Rows are 0-based; `end` is the row after the last. */
export interface Place {
  start: number;
  end: number;
  tier: Tier;
  /** Puts both sides into the file's terms: indentation, entities. */
  adapt(sides: Sides): Sides;
  /** The row of each line of `adapt(...).search`, -1 for a blank line that the file lacks; undefined: one after the other. */
  rows?: readonly number[];
}

/** The outcome of a search: one place, several (the first rows of some of them, and how many in all), or none. */
export type Located =
  | { kind: "one"; place: Place }
  | { kind: "several"; tier: Tier; rows: number[]; total: number }
  | { kind: "none" };
