/** Where commands run that nobody was asked about. */

/**
 * What a command in the sandbox can reach; the system enforces it. In neither profile does it reach the network, files with
 * secrets, or other processes.
 * read: it can write temporary files only. work: it can also write the project's files, except those that take effect by themselves.
 */
export type SandboxProfile = "read" | "work";

export interface SandboxUse {
  profile: SandboxProfile;
  /** The folders of the project, absolute. */
  roots: readonly string[];
  /** Whether commands cannot read this file. `path`: relative to the root with this real path, with `/`. */
  isIgnored?(path: string, root: string): boolean;
  /** The user allowed this command to reach the network. */
  network?: boolean;
}
