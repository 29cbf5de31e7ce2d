/** Recognizes a folder in a worktree that Nekode made, from files alone: the folder need not be trusted. */
import { realpath } from "node:fs/promises";
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
