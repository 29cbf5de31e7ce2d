/** The port that searches file contents and lists files. */

export interface SearchHit {
  /** Relative to the searched root, with `/` separators. */
  path: string;
  lines: { number: number; text: string; match: boolean }[];
}

export interface Search {
  /** Stops after `limit` matches. Rejects with ToolError and ripgrep's own message if the pattern is invalid. */
  grep(
    root: string,
    options: {
      regex: string;
      glob?: string;
      /** A match may span lines. */
      multiline?: boolean;
      contextLines: number;
      limit: number;
      signal: AbortSignal;
    },
  ): Promise<{
    hits: SearchHit[];
    matches: number;
    more: boolean;
    /** Paths that could not be read, with the reason; absent if there are none. */
    unread?: string[];
    /** No file matches the glob; absent if one does. */
    noFile?: true;
  }>;
  /**
   * Lists files below `root` that are not ignored, as relative paths with `/` separators; stops after `limit`. `name`: lists
   * only files of this name, so that the names of all others need not be transferred.
   */
  files(
    root: string,
    options: { limit: number; signal: AbortSignal; name?: string },
  ): Promise<{ paths: string[]; more: boolean }>;
}
