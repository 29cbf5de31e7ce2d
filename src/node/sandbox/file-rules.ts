/** What the commands of one project may reach in the sandbox, in terms of files; each engine translates it. */
import type { SandboxUse } from "../../core/ports/sandbox.ts";

export interface FileRules extends Pick<SandboxUse, "profile" | "network"> {
  /** Files and folders that commands cannot read. Real paths that exist. */
  hidden: readonly string[];
  /** The project's folders and the folder of its caches; parents before what is in them. */
  folders: readonly string[];
  /** Files and folders in `folders` that commands can read and not change. */
  fixed: readonly string[];
  /** Folders of programs that are visible although they are in a folder of temporary files. */
  programs: readonly string[];
  /** A private folder for temporary files. */
  temporary: string;
}

/** A command line that runs another one in the sandbox. */
export interface Enclosure {
  /** The engine's program. */
  program: string;
  /** Its arguments, before the command. None contains white space. */
  flags: readonly string[];
  /** What the program reads from the file descriptors from 5 on. */
  inputs: readonly (string | Buffer)[];
}

/** The file descriptor of the first of `Enclosure.inputs`. The lower ones belong to the command's terminal. */
export const FIRST_INPUT = 5;
