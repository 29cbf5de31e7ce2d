/** The port that scans folders recursively, for checkpoints before and after a command. */
import type { NotBackedUp } from "../../shared/event.ts";
import type { FileContent } from "./file-states.ts";

/** Folders whose content a tool installs or generates and can recreate. */
export const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set([
  ...["node_modules", "bower_components", ".venv", "venv", "__pycache__", ".tox", ".gradle"],
  ...[".next", ".nuxt", ".cache", "Pods", ".dart_tool", ".terraform"],
]);

/** Folders of what a build writes, when git ignores them. */
export const OUTPUT_FOLDERS: ReadonlySet<string> = new Set([
  ...[
    "dist",
    "build",
    "out",
    "target",
    "bin",
    "obj",
    "coverage",
    "htmlcov",
    "tmp",
    "logs",
    "_build",
    "storybook-static",
  ],
  ...[
    ".turbo",
    ".parcel-cache",
    ".svelte-kit",
    ".output",
    ".vite",
    ".angular",
    ".nyc_output",
    ".eggs",
    ".bundle",
  ],
  ...[
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".nox",
    ".stack-work",
    ".zig-cache",
    ".build",
    "DerivedData",
  ],
]);

/** A path that a command deletes, overwrites or moves, including everything below it. */
export interface Target {
  /** Absolute. With `glob`, segments may contain `*`, `?` and `[...]`; a backslash escapes these characters. */
  path: string;
  glob?: boolean;
  /**
   * If the path is an existing folder, it only receives files, which have their own targets, so its content is skipped.
   * Anything else at the path, now or later, counts.
   */
  receives?: boolean;
  /** Skips the folders of installed dependencies below the path, because the command does not touch them. */
  light?: boolean;
}

/** What a command line is known to destroy. */
export interface Destruction {
  targets: Target[];
  /** The command runs git: its changes to the git folder itself (HEAD, index, refs, stash) are not undone. */
  git: boolean;
  /** What else the command may change, without a backup. */
  notKept?: readonly NotBackedUp[];
}

export interface TreeEntry {
  /** Absolute, with the links in its folder resolved. */
  path: string;
  kind: FileContent["kind"] | "other";
  /** In bytes; 0 for a folder. */
  size: number;
  /** Permission bits; not set on Windows. */
  mode?: number;
  /** Changes whenever the content changes, except for changes within the resolution of file times. */
  stamp: string;
  /** Time of the last change, in milliseconds since 1970. */
  changed: number;
  /** Creation time; the time of the last change if the file system does not record it. */
  born: number;
  /** The same for all hard links of one file. */
  id: string;
}

export interface Survey {
  /** Each folder precedes its content. */
  entries: TreeEntry[];
  /** Targets for a second survey after the command, derived from what exists now. */
  targets: Target[];
  /** Folders that were skipped because of the limits. */
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
   * Lists what exists at and below the targets. With `follow`, a target that is a link also covers what it points to.
   * Installed dependencies and `.git` come last. With `git`, the roots' own `.git` folders are skipped. Rejects only if
   * a root cannot be found.
   */
  survey(
    targets: readonly Target[],
    options: { roots: readonly string[]; git: boolean; follow: boolean; limits: SurveyLimits },
  ): Promise<Survey>;
  /**
   * Returns the content from the disk; undefined if it is unreadable, larger than `limit` bytes, or no longer the same
   * kind of entry.
   */
  read(entry: TreeEntry, limit: number): Promise<FileContent | undefined>;
  /**
   * Returns the branch or commit that this folder's repository is on, such as `main 1a2b3c4`; undefined if there is no
   * repository.
   */
  head(root: string): Promise<string | undefined>;
}
