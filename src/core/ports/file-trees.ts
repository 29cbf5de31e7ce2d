/** Folders of the disk with all that is in them, as a checkpoint looks at them before and after a command. */
import type { FileContent } from "./file-states.ts";

/** Folders whose content a tool installs or makes, and can make again. */
export const dependencyFolders: ReadonlySet<string> = new Set([
  ...["node_modules", "bower_components", ".venv", "venv", "__pycache__", ".tox", ".gradle"],
  ...[".next", ".nuxt", ".cache", "Pods", ".dart_tool", ".terraform"],
]);

/** A place that a command deletes, overwrites or moves, with everything below it. */
export interface Target {
  /** Absolute. With `glob`, segments may hold `*`, `?` and `[...]`, and a backslash quotes such a character. */
  path: string;
  glob?: boolean;
  /**
   * A folder that is there already only receives files, which have targets of their own, so its content is left out;
   * anything else that is there, or comes there, counts.
   */
  receives?: boolean;
  /** Folders of installed dependencies below it are left out, because the command leaves them alone. */
  light?: boolean;
  /** Counts only where this folder does not exist: a `cd` to it fails then, and the command runs where it was. */
  unless?: string;
}

/** What a command line is known to destroy. */
export interface Destruction {
  targets: Target[];
  /** Git runs in it: what it changes in its own folder (HEAD, index, refs, stash) is not undone. */
  git: boolean;
}

export interface TreeEntry {
  /** Absolute, links of its folder resolved. */
  path: string;
  kind: FileContent["kind"] | "other";
  /** Bytes; 0 for a folder. */
  size: number;
  /** Permission bits; left out on Windows. */
  mode?: number;
  /** Differs whenever the content changed, apart from changes within the clock's grain. */
  stamp: string;
  /** When it last changed, in milliseconds since 1970. */
  changed: number;
  /** When it was made; when it last changed, where the disk does not keep that. */
  born: number;
  /** The same for every name of one file. */
  id: string;
}

export interface Survey {
  /** Folders before what is in them. */
  entries: TreeEntry[];
  /** Targets for a second survey after the command: decided by what is there now. */
  targets: Target[];
  /** Folders that were not looked into because of the limits. */
  cut: string[];
  /** Existing targets outside the roots. */
  outside: string[];
}

export interface SurveyLimits {
  entries: number;
  /** Milliseconds. */
  time: number;
}

export interface FileTrees {
  /**
   * What stands at and below the targets. `follow`: a target that is a link stands for what it leads to as well. Installed dependencies and `.git` come last. With
   * `git`, the roots' own `.git` is left out. Rejects only when a root cannot be found.
   */
  survey(
    targets: readonly Target[],
    options: { roots: readonly string[]; git: boolean; follow: boolean; limits: SurveyLimits },
  ): Promise<Survey>;
  /** Content on the disk. undefined: not readable, larger than `limit` bytes, or something else by now. */
  read(entry: TreeEntry, limit: number): Promise<FileContent | undefined>;
  /** Branch or commit that the repository of this folder is at, such as `main 1a2b3c4`; undefined: there is none. */
  head(root: string): Promise<string | undefined>;
}
