/** The input and output types of the search for a place. */

/** How a place was found, strongest first. */
export type Tier =
  | "exact"
  | "trailing-space"
  | "look-alike"
  | "indentation"
  | "entities"
  | "line-numbers"
  | "close";

/** The lines of a search text, and which of them the replacement keeps (called only for close matches). */
export interface SearchText {
  lines: readonly string[];
  kept(): readonly boolean[];
  /** The text may be indented in other steps than the file. */
  otherSteps?: true;
  /** Restricts the search to these rows: the first row, and the row after the last. */
  within?: { from: number; to: number };
}

/** Both sides of an edit in the file's own form. */
export interface Sides {
  search: readonly string[];
  replace: readonly string[];
}

/** Where a search text is in the file. Rows are 0-based; `end` is the row after the last. */
export interface MatchRange {
  start: number;
  end: number;
  tier: Tier;
  /** Converts both sides to the file's form: indentation, entities. */
  adapt(sides: Sides): Sides;
  /** Explains why it is unclear how the replacement is indented; undefined if it is clear. */
  doubt?: ((sides: Sides) => string | undefined) | undefined;
  /**
   * The row of each line of `adapt(...).search`; -1 for a blank line that the file lacks; undefined: consecutive rows.
   */
  rows?: readonly number[];
}

/** The result of a search: one place, several (the first rows of some, and the total number), or none. */
export type Located =
  | { kind: "one"; range: MatchRange }
  | { kind: "several"; tier: Tier; rows: number[]; total: number }
  | { kind: "none" };
