/** Recognizes a folder in a worktree that Nekode made, and what it is a copy of, from files alone: the folder need not be trusted. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { CopiedFolder } from "../../../core/ports/workspace.ts";
import type { Worktree } from "../../../core/ports/worktrees.ts";
import { findRepository } from "../find-repository.ts";
import { WorktreeRecords } from "./worktree-records.ts";

export interface WorktreeAt {
  worktree: Worktree;
  /** Whether this folder is in the same repository, and in another working tree of it. */
  isBeside(folder: string): Promise<boolean>;
}

/** undefined: the folder is in no such worktree. */
export async function worktreeAt(worktreesDir: string, folder: string): Promise<WorktreeAt | undefined> {
  const repository = await findRepository(folder);
  if (!repository) return undefined;
  const { top, commonDir } = repository;
  const records = new WorktreeRecords(worktreesDir, repository);
  const name = await records.nameOf(top);
  const record = name === undefined ? undefined : await records.read(name);
  if (record?.state !== "ready" || (await realpath(record.worktree.path)) !== top) return undefined;
  return {
    worktree: record.worktree,
    async isBeside(other) {
      const found = await findRepository(other).catch(() => undefined);
      return found !== undefined && found.top !== top && (await isSame(found.commonDir, commonDir));
    },
  };
}

async function isSame(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([realpath(one), realpath(other)]);
  return first === second;
}

/**
 * The folders that a worktree is a copy of: those of the repository, and of the worktree that it was made from. `folder`: in the
 * worktree. `from`: the same folder where the worktree was made, if that is known.
 */
export async function copiedFolders(folder: string, from?: string): Promise<CopiedFolder[]> {
  const repository = await findRepository(folder).catch(() => undefined);
  const tops: string[] = [];
  if (repository && repository.commonDir !== repository.gitDir) {
    const { commonDir } = repository;
    // A bare repository has no files.
    if (path.basename(commonDir) === ".git") tops.push(path.dirname(commonDir));
  }
  const source = from === undefined ? undefined : await findRepository(from).catch(() => undefined);
  if (source) tops.push(source.top);
  const origins = from === undefined ? [] : [{ original: from, copy: folder }];
  return withRealPaths([
    ...origins,
    ...tops.flatMap((original) => (repository ? [{ original, copy: repository.top }] : [])),
  ]);
}

/** Each folder by its own path and by its real one, the innermost first. */
export async function withRealPaths(folders: readonly CopiedFolder[]): Promise<CopiedFolder[]> {
  const all = await Promise.all(
    folders.map(async ({ original, copy }) => {
      const real = await realpath(original).catch(() => original);
      return [...new Set([original, real])].map((each) => ({ original: each, copy }));
    }),
  );
  return all.flat().sort((a, b) => b.original.length - a.original.length);
}
