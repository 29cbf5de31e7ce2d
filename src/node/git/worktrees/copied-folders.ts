/** The folders that a worktree is a copy of: those of the repository, and of the worktree that it was made from. */
import { realpath } from "node:fs/promises";
import path from "node:path";
import type { CopiedFolder } from "../../../core/ports/workspace.ts";
import { findRepository } from "../find-repository.ts";

/** `folder`: in the worktree. `from`: the same folder where the worktree was made, if that is known. */
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
  const given = from === undefined ? [] : [{ original: from, copy: folder }];
  return withRealPaths([
    ...given,
    ...tops.flatMap((original) => (repository ? [{ original, copy: repository.top }] : [])),
  ]);
}

/** Each folder by its given path and by its real one, the innermost first. */
export async function withRealPaths(folders: readonly CopiedFolder[]): Promise<CopiedFolder[]> {
  const all = await Promise.all(
    folders.map(async ({ original, copy }) => {
      const real = await realpath(original).catch(() => original);
      return [...new Set([original, real])].map((each) => ({ original: each, copy }));
    }),
  );
  return all.flat().sort((a, b) => b.original.length - a.original.length);
}
