/** The port that describes the folders open in the host. */

export interface Workspace {
  /** The folder that commands run in; undefined if no folder is open. */
  readonly root: string | undefined;
  /** Every folder, with a name that no other has: see `withUniqueNames`. */
  readonly roots: readonly { name: string; path: string }[];
  readonly trusted: boolean;
  /** Whether the user's settings mark the file at this absolute path as read-only. Default: no file is. */
  isReadonly?(path: string): boolean;
  /**
   * The folders that a task works in a copy of, such as the repository of a worktree, and where each is in the copy. A path in one of
   * them means the file of the copy, and none of their files is written. Default: the task works in no copy.
   */
  copied?(): Promise<readonly CopiedFolder[]>;
}

/**
 * Files and folders that commands in the sandbox made, as long as the user has not seen that they are there: nothing in them instructs
 * an agent. Paths are absolute.
 */
export interface UnseenFiles {
  /** `session`: of the command. */
  add(made: readonly string[], session: string): void;
  /** The user has seen what the rows of this session name. */
  seen(session: string): void;
  /** The user turned this file on. */
  use(path: string): void;
  includes(path: string): boolean;
}

/** Both absolute. */
export interface CopiedFolder {
  original: string;
  copy: string;
}

/** Files and folders outside the workspace that the user gave by an act of their own, such as a drop. */
export interface GivenFiles {
  /** Whether the user gave the file at this real path, or a folder that contains it. */
  has(resolved: string): boolean;
}

/** Contents that the user attached to messages without a path, which are files outside the workspace. */
export interface AttachedContents {
  /** A session that the user deleted no longer needs its own. */
  forget(session: string): Promise<void>;
  /** Removes those that are so old that no task needs them. */
  removeOld(): Promise<void>;
}
