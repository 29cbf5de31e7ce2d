/** A SEARCH/REPLACE block, complete or while it is read. */
import type { MarkerKind, NearMarker } from "./markers.ts";

/** One SEARCH/REPLACE block as the model wrote it, line by line, without line endings. */
export interface SearchReplaceBlock {
  /** The 1-based line of its SEARCH marker in the diff. */
  line: number;
  search: readonly string[];
  replace: readonly string[];
  /** The 1-based line of the file on which the search text begins, if the block names it: `:start_line:12`. */
  startLine?: number;
  /** Index into `replace` of the first line that could also be the ======= line. */
  divider?: number;
}

/** What the reader asks about the file: its content distinguishes marker lines in a text from markers. */
export interface FileProbe {
  /** Whether the file is Markdown or reStructuredText, where a line of equals signs may underline a heading. */
  readonly isMarkup: boolean;
  /** Whether a line of the file could be mistaken for a marker. */
  hasMarkers(): boolean;
  /** Whether these lines occur consecutively in the file. */
  contains(lines: readonly string[]): boolean;
}

/** A line of a block that is a marker or resembles one. */
export interface Mark<Kind = MarkerKind> {
  kind: Kind;
  /** Index into the lines of the block. */
  at: number;
}

/** A block that is being read: its lines so far, without the SEARCH marker, and the marks among them. */
export interface OpenBlock {
  /** The 1-based line of its SEARCH marker in the diff, or of the last line that belongs to the marker. */
  line: number;
  startLine?: number;
  /** Its SEARCH marker was escaped: `&lt;&lt;&lt; SEARCH`. */
  isEscaped?: true;
  lines: readonly string[];
  marks: readonly Mark[];
  near: readonly Mark<NearMarker>[];
}
