/** A SEARCH/REPLACE block, read and while it is read. */
import type { MarkerKind, NearMarker } from "./markers.ts";

/** One SEARCH/REPLACE block as the model wrote it, line by line, without line endings. */
export interface Block {
  /** The line of the diff on which its SEARCH marker stands, 1-based. */
  line: number;
  search: readonly string[];
  replace: readonly string[];
  /** Index into `replace` of the first line that could be the ======= line as well. */
  divider?: number;
}

/** What the reader asks about the file: it tells marker lines in a text from markers by what the file holds. */
export interface FileLooks {
  /** Whether some line of the file could be taken for a marker. */
  hasMarkers(): boolean;
  /** Whether these lines stand in the file one after the other. */
  holds(lines: readonly string[]): boolean;
}

/** A line of a block that is a marker, or resembles one. */
export interface Mark<Kind = MarkerKind> {
  kind: Kind;
  /** Index into the lines of the block. */
  at: number;
}

/** A block while it is read: its lines so far, without the SEARCH marker, and the marks among them. */
export interface OpenBlock {
  /** The line of the diff on which its SEARCH marker stands, 1-based. */
  line: number;
  lines: readonly string[];
  marks: readonly Mark[];
  near: readonly Mark<NearMarker>[];
}
