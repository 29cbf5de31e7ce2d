/** Searching files by content and listing them. */

export interface SearchHit {
  /** Relative to the searched root, with `/`. */
  path: string;
  lines: { number: number; text: string; match: boolean }[];
}

export interface Search {
  /** Rejects with ToolError carrying ripgrep's own message for a bad pattern. Stops after `limit` matches. */
  grep(
    root: string,
    options: { regex: string; glob?: string; contextLines: number; limit: number; signal: AbortSignal },
  ): Promise<{
    hits: SearchHit[];
    matches: number;
    more: boolean;
    /** What could not be read, and why; left out when all could. */
    unread?: string[];
  }>;
  /** Files below `root` that are not ignored, relative, with `/`; stops after `limit`. */
  files(
    root: string,
    options: { limit: number; signal: AbortSignal },
  ): Promise<{ paths: string[]; more: boolean }>;
}
