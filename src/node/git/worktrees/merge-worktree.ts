/** Merges a worktree's branch into the project's folder: completely, or not at all. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { messageOf, ToolError } from "../../../core/errors.ts";
import type { Merged } from "../../../core/ports/worktrees.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { plainGitEnvironment } from "../git-process.ts";
import { names } from "../plumbing-output.ts";
import type { WorkTreeGit } from "./work-tree-git.ts";
import { exists } from "./worktree-changes.ts";

/** `merge-tree --write-tree`, which merges without a working tree, is in git from this version on. */
const GIT_VERSION = "2.38";
/** In git's folder while an operation of the user's is not finished. */
const IN_PROGRESS = [
  "MERGE_HEAD",
  "CHERRY_PICK_HEAD",
  "REVERT_HEAD",
  "rebase-merge",
  "rebase-apply",
  "BISECT_LOG",
];

export async function mergeBranch(project: WorkTreeGit, branch: string): Promise<Merged> {
  const [head, tip] = [await project.commitOf("HEAD"), await project.commitOf(`refs/heads/${branch}`)];
  if (head === undefined) throw new ToolError("The repository has no commit.", reasonOf("repository-empty"));
  if (tip === undefined)
    throw new ToolError(`There is no branch ${branch}.`, reasonOf("revision-unknown", branch));
  if (await project.isAncestor(tip, head)) return { type: "nothing-to-merge" };
  for (const name of IN_PROGRESS) {
    if (await exists(path.join(project.repository.gitDir, name)))
      throw new ToolError(
        "A merge, rebase or cherry-pick is in progress in the project's folder.",
        reasonOf("git-merging"),
      );
  }
  const result = (await project.isAncestor(head, tip))
    ? { commit: tip }
    : await mergedCommit(project, head, tip, branch);
  if ("conflicts" in result) return { type: "conflicts", files: result.conflicts };
  const files = await overwritten(project, head, result.commit);
  if (files.length > 0) return { type: "would-overwrite", files };
  await checkOut(project, head, result.commit, branch);
  return { type: "merged", commit: result.commit };
}

async function mergedCommit(
  project: WorkTreeGit,
  head: string,
  tip: string,
  branch: string,
): Promise<{ commit: string } | { conflicts: string[] }> {
  await project.requireIdentity();
  const output = await mergedTree(project, head, tip);
  const [tree = "", ...conflicts] = names(output);
  if (conflicts.length > 0) return { conflicts };
  const input = new TextEncoder().encode(`Merge branch '${branch}'\n`);
  const commit = await project.text(["commit-tree", "-p", head, "-p", tip, "-F", "-", tree], { input });
  return { commit };
}

/**
 * Merges in a repository without settings, in which no merge driver is configured. Resolves with the tree's hash and then the
 * names of files with conflicts.
 */
async function mergedTree(project: WorkTreeGit, head: string, tip: string): Promise<Buffer> {
  const { commonDir, sha256 } = project.repository;
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-merge-"));
  try {
    await mkdir(path.join(folder, "refs"));
    await mkdir(path.join(folder, "objects"));
    await writeFile(path.join(folder, "HEAD"), "ref: refs/heads/none\n");
    const format = sha256 ? "1\n[extensions]\n\tobjectFormat = sha256" : "0";
    await writeFile(
      path.join(folder, "config"),
      `[core]\n\tbare = true\n\trepositoryformatversion = ${format}\n`,
    );
    const env = {
      ...plainGitEnvironment({}, []),
      GIT_DIR: folder,
      // An empty variable would name the current folder.
      GIT_WORK_TREE: undefined,
      GIT_OBJECT_DIRECTORY: path.join(commonDir, "objects"),
    };
    const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", head, tip];
    return await project.run(args, { env, answers: [1] });
  } catch (error) {
    if (/merge-tree failed \(129\)/.test(messageOf(error)))
      throw new ToolError(
        `Merging requires Git ${GIT_VERSION} or later.`,
        reasonOf("git-outdated", GIT_VERSION),
      );
    throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The user's files that are not committed and that the new commit would replace or remove. */
async function overwritten(project: WorkTreeGit, head: string, commit: string): Promise<string[]> {
  const args = ["diff-tree", "-r", "-z", "--name-status", "--no-renames", head, commit];
  const fields = (await project.run(args)).toString("utf8").split("\0");
  const changed = new Map<string, string>();
  for (let at = 0; at + 1 < fields.length; at += 2) changed.set(fields[at + 1] ?? "", fields[at] ?? "");
  const [filtered] = await project.filtered([...changed.keys()]);
  if (filtered !== undefined)
    throw new ToolError(
      `${filtered} is converted by a program, such as Git LFS, that Nekode does not run. Merge with git.`,
      reasonOf("git-filter", filtered),
    );
  const own = ["diff", "-z", "--name-only", "--no-renames", "--no-ext-diff", "--ignore-submodules=dirty"];
  const edited = new Set(await project.names([...own, "HEAD", "--"]));
  const files: string[] = [];
  for (const [name, status] of changed) {
    const isInTheWay = status === "A" && (await exists(path.join(project.top, name)));
    if (edited.has(name) || isInTheWay) files.push(name);
  }
  return files.sort();
}

async function checkOut(project: WorkTreeGit, head: string, commit: string, branch: string): Promise<void> {
  // Exit code 1: some files have changes, which are not those of the merge.
  await project.run(["update-index", "-q", "--refresh"], { answers: [1] });
  const move = (from: string, to: string) => project.run(["read-tree", "-m", "-u", from, to]);
  await move(head, commit);
  try {
    await project.run(["update-ref", "-m", `merge ${branch}`, "HEAD", commit, head]);
  } catch (error) {
    // Something else has moved the branch in the meantime.
    await move(commit, head);
    throw error;
  }
}
