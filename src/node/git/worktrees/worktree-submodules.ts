/**
 * Submodules of a worktree. Each is checked out as a worktree of the repository that the project's own checkout of the submodule
 * has, so that nothing is fetched and nothing is stored twice. Its branch has the name of the worktree's branch.
 */
import { lstat } from "node:fs/promises";
import path from "node:path";
import type { Incomplete } from "../../../core/ports/worktrees.ts";
import { findRepository } from "../find-repository.ts";
import { type GitTools, openWorkTree, type WorkTreeGit } from "./work-tree-git.ts";

interface Gitlink {
  path: string;
  commit: string;
}

/** The submodules that the index of a working tree names. */
export async function submodulesOf(git: WorkTreeGit): Promise<Gitlink[]> {
  const staged = await git.names(["ls-files", "--stage", "-z"]);
  return staged.flatMap((line) => {
    const [, commit, name] = /^160000 ([0-9a-f]+) 0\s([\s\S]+)$/.exec(line) ?? [];
    return commit === undefined || name === undefined ? [] : [{ commit, path: name }];
  });
}

/**
 * Checks out what is initialized in `project` also in `worktree`, and the submodules in these. Returns those whose commit is not
 * on this machine.
 */
export async function checkOutSubmodules(
  project: WorkTreeGit,
  worktree: WorkTreeGit,
  branch: string,
  tools: GitTools,
): Promise<Incomplete[]> {
  const incomplete: Incomplete[] = [];
  for (const link of await submodulesOf(worktree)) {
    const theirs = await ownWorkTree(path.join(project.top, link.path), tools, project.signal);
    if (!theirs) continue;
    if ((await theirs.commitOf(link.commit)) === undefined) {
      incomplete.push({ path: link.path, why: "submodule" });
      continue;
    }
    const place = path.join(worktree.top, link.path);
    const ours = await addWorkTree(theirs, place, branch, link.commit, tools);
    const deeper = await checkOutSubmodules(theirs, ours, branch, tools);
    incomplete.push(...deeper.map((each) => ({ ...each, path: `${link.path}/${each.path}` })));
  }
  return incomplete;
}

/** Adds a worktree with a new branch and checks its files out. */
export async function addWorkTree(
  git: WorkTreeGit,
  place: string,
  branch: string,
  commit: string,
  tools: GitTools,
): Promise<WorkTreeGit> {
  // Without a checkout, which would run with settings of its own.
  await git.run(["worktree", "add", "--quiet", "--no-checkout", "-b", branch, "--", place, commit]);
  const added = await openWorkTree(place, tools, git.signal);
  await added.run(["reset", "--hard", "--quiet"]);
  return added;
}

/** The submodules of a worktree that are checked out, the innermost first. */
export async function openSubmodules(
  worktree: WorkTreeGit,
  tools: GitTools,
): Promise<{ git: WorkTreeGit; path: string }[]> {
  const all: { git: WorkTreeGit; path: string }[] = [];
  for (const link of await submodulesOf(worktree)) {
    const git = await ownWorkTree(path.join(worktree.top, link.path), tools, worktree.signal);
    if (!git) continue;
    for (const inner of await openSubmodules(git, tools))
      all.push({ git: inner.git, path: `${link.path}/${inner.path}` });
    all.push({ git, path: link.path });
  }
  return all;
}

/** undefined: the folder is not the top of a working tree, such as that of a submodule that is not initialized. */
async function ownWorkTree(
  folder: string,
  tools: GitTools,
  signal: AbortSignal,
): Promise<WorkTreeGit | undefined> {
  const dotGit = await lstat(path.join(folder, ".git")).catch(() => undefined);
  if (!dotGit) return undefined;
  const repository = await findRepository(folder).catch(() => undefined);
  if (path.relative(repository?.top ?? "", folder) !== "") return undefined;
  return openWorkTree(folder, tools, signal);
}
