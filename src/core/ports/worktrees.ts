/** The port that gives a session a git worktree of its own, and ends it. Nothing that is not committed is lost silently. */
import type { Worktree } from "../../shared/history/worktree.ts";

export type { Worktree };

export interface NewWorktree {
  /** The project's folder, absolute. It is in the repository, but need not be its top folder. */
  folder: string;
  /** What the branch is named after, such as the title of a task. */
  title: string;
  /** The revision to begin at. Default: the commit that is checked out. */
  revision?: string;
  /** A command of the user's settings that prepares the new folder, such as one that installs dependencies. */
  setup?: string;
}

/** A file that differs between the worktree and its base. `path`: relative to the worktree's top folder, with `/`. */
export interface WorktreeChange {
  path: string;
  kind: "added" | "changed" | "deleted";
  /** It is not committed on the worktree's branch. */
  uncommitted: boolean;
}

/** Something that a new worktree does not have as the project's folder has it. `path`: as in `WorktreeChange`. */
export interface Incomplete {
  path: string;
  /**
   * `filter`: it contains what git stores, because the program that converts it, such as Git LFS, was not run. `link`: an ignored
   * link to outside the repository, which is not copied. `submodule`: its commit is not on this machine.
   */
  why: "filter" | "link" | "submodule";
}

export interface NewlyCreated {
  worktree: Worktree;
  /** Files of the project that have changes that are not committed; the worktree does not have these changes. */
  uncommitted: readonly string[];
  incomplete: readonly Incomplete[];
}

export interface WorktreeState {
  /** Committed and uncommitted changes since the base, without ignored files. */
  changes: readonly WorktreeChange[];
  /** Ignored files and folders that differ from what was copied into the worktree; a removal loses them. */
  ignored: readonly string[];
  /** The number of commits since the base. */
  commits: number;
  /** The hash of what is checked out, if that is on no branch and has no tag; a removal loses it. */
  loose?: string;
}

export type Merged =
  | { type: "merged"; commit: string }
  | { type: "nothing-to-merge" }
  /** Nothing was changed. `files`: relative to the repository's top folder. */
  | { type: "conflicts"; files: readonly string[] }
  | { type: "would-overwrite"; files: readonly string[] };

export interface Worktrees {
  /**
   * Creates a worktree with a branch of its own, copies the ignored files that `.worktreeinclude` lists, checks out submodules and
   * runs `setup`. Rejects with ToolError, and leaves nothing behind, if that is not possible; the same with Interrupt when `signal`
   * aborts.
   */
  create(wanted: NewWorktree, signal: AbortSignal): Promise<NewlyCreated>;
  /** undefined: the worktree no longer exists. */
  state(worktree: Worktree, signal: AbortSignal): Promise<WorktreeState | undefined>;
  /** All changes since the base, also those that are not committed, as one unified diff that `git apply` accepts. */
  diff(worktree: Worktree, signal: AbortSignal): Promise<string>;
  /** Commits everything in the worktree that is not ignored, as the user. Returns the hash; undefined: there is nothing to commit. */
  commit(worktree: Worktree, message: string, signal: AbortSignal): Promise<string | undefined>;
  /** Merges the worktree's branch into what is checked out in the project's folder. Does not remove the worktree. */
  merge(worktree: Worktree, folder: string, signal: AbortSignal): Promise<Merged>;
  /**
   * Removes the worktree. `losing`: the uncommitted and ignored files that the user agreed to lose, as `state` named them, and
   * `loose`; if there are others, nothing is removed and they are returned. `branch`: whether the branch is removed too.
   */
  remove(
    worktree: Worktree,
    how: { losing: readonly string[]; branch: "keep" | "delete" },
    signal: AbortSignal,
  ): Promise<readonly string[]>;
  /**
   * The worktrees that this port created for the folder and that still exist. Removes what a process that died left of
   * one that it was creating or removing.
   */
  list(folder: string, signal: AbortSignal): Promise<readonly Worktree[]>;
}

/** What a removal loses, as `remove` expects it in `losing`. */
export function lossesOf({ changes, ignored, loose }: WorktreeState): string[] {
  const uncommitted = changes.filter((change) => change.uncommitted).map((change) => change.path);
  return [...new Set([...uncommitted, ...ignored, ...(loose === undefined ? [] : [loose])])];
}
