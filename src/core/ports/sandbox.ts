/** Where commands run that nobody was asked about, and those to which the user gives the network alone. */

/**
 * What a command in the sandbox can reach; the system enforces it. In neither profile does it reach files with secrets, or other
 * processes.
 * read: it can write temporary files only. work: it can also write the project's files, except those that take effect by themselves.
 */
export type SandboxProfile = "read" | "work";

export interface SandboxPlace {
  profile: SandboxProfile;
  /** The user allowed this command to reach the network, and programs of this computer by their ports. Default: it reaches neither. */
  network?: boolean;
}

export interface SandboxUse extends SandboxPlace {
  /** The folders of the project, absolute. */
  roots: readonly string[];
  /** Whether commands cannot read this file. `path`: relative to the root with this real path, with `/`. */
  isIgnored?(path: string, root: string): boolean;
}

/** Where a command runs that the user approves. network: in the sandbox, in the profile "work", with network. */
export type ApprovedPlace = "network" | "outside";
