/** What the commands of one project may reach in the sandbox, in terms of files; each engine translates it. */
import type { SandboxPlace } from "../../core/ports/sandbox.ts";
import type { SandboxState } from "../../shared/sandbox-state.ts";
import type { Placeholder } from "./placeholders.ts";
import type { PrivateFolders } from "./private-folders.ts";

/** All are absolute, and real paths as far as they exist. */
export interface FileRules extends Required<SandboxPlace>, PrivateFolders {
  /** Files and folders that commands cannot read. They exist. */
  hidden: readonly string[];
  /** Folders in hidden ones that commands can read. They exist. */
  shown: readonly string[];
  /** The project's folders and the folder of its caches; parents before what is in them. */
  folders: readonly string[];
  /** Files and folders in `folders` that commands can read and not change. */
  fixed: readonly string[];
  /** What is not in `folders` yet and cannot be made there. */
  absent: readonly Placeholder[];
  /** Folders of PATH, which are visible even in a folder of temporary files; they may not exist. */
  programs: readonly string[];
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

/** An enclosure for one command. */
export interface CommandEnclosure extends Enclosure {
  /** Where the command finds its temporary folder. */
  temporary: string;
  /** Call when the command and all that it started have ended. */
  release(): void;
}

/** A program of the system that enforces the rules. */
export interface Engine {
  name: NonNullable<SandboxState["engine"]>;
  /** What to install where the program is missing. Absent: it belongs to the system. */
  package?: string;
  /** The path of the program; undefined: it is not there. It is not one of `roots`. */
  find(environment: NodeJS.ProcessEnv, roots: readonly string[]): string | undefined;
  /** Makes an output from which `version` reads the program's version. Absent: it has none of its own. */
  version?: { flag: string; of(output: string): string };
  /** Throws if something that it needs cannot be made. */
  enclose(program: string, rules: FileRules): CommandEnclosure;
}
