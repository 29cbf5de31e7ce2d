/** The port that describes the folders open in the host. */

export interface Workspace {
  /** The folder that commands run in; undefined if no folder is open. */
  readonly root: string | undefined;
  /** Every folder, with a name that no other has: see `withUniqueNames`. */
  readonly roots: readonly { name: string; path: string }[];
  readonly trusted: boolean;
  /** Whether the user's settings mark the file at this absolute path as read-only. Default: no file is. */
  isReadonly?(path: string): boolean;
}
