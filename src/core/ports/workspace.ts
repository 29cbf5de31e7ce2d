/** The folders that the host has open. */

export interface Workspace {
  /** The folder commands run in; undefined: no folder is open. */
  readonly root: string | undefined;
  /** Every folder, with the name it has in the workspace. */
  readonly roots: readonly { name: string; path: string }[];
  readonly trusted: boolean;
}
