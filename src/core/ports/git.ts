/** The port that reads a git repository. */

/** `limit`: characters. `signal`: aborts the request. */
export interface TextBounds {
  limit: number;
  signal: AbortSignal;
}

/**
 * What a diff compares. staged: the index with the last commit. working: the working tree with the last commit, without files that git
 * does not track; before the first commit, the index. Otherwise two commits by their hashes, or HEAD; without `to`, the working tree with
 * the commit.
 */
export type DiffRange = "staged" | "working" | { from: string; to?: string };

/** Methods read the repository that contains `folder` and reject with ToolError if there is none. */
export interface Git {
  /** Returns the branch, the status, and the diff between the last commit and the working tree. */
  workingState(folder: string, bounds: TextBounds): Promise<string>;
  /** Returns the message, author, files and diff of one commit. */
  commit(folder: string, hash: string, bounds: TextBounds): Promise<string>;
  /** Returns a diff, with renames found. The part of each file begins with a line `diff --git`; the end may be cut by the limit. */
  diff(folder: string, range: DiffRange, bounds: TextBounds): Promise<string>;
  /**
   * Returns the output of a read-only git command in this folder. The command uses the configuration and environment of
   * the user's own commands, but starts none of the programs that these configure. Returns "" if a search finds nothing
   * and undefined if git exits because a revision or path does not exist. Rejects on all other failures and if the
   * output exceeds the limit.
   */
  ask(
    folder: string,
    args: readonly string[],
    bounds: TextBounds,
    input?: string,
  ): Promise<string | undefined>;
  /** An environment variable that points git to a repository other than the folder's; undefined if none is set. */
  readonly steeredBy: string | undefined;
  /** Returns the newest commits whose subject or hash contains `query`. */
  commits(
    folder: string,
    query: string,
    bounds: TextBounds,
  ): Promise<{ hash: string; subject: string; date: string }[]>;
}
