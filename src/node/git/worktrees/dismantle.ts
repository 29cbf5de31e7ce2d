/** Removes a worktree: its files, its entry in the repository, and its branch. Each step may already have been done. */
import { lstat, readdir, readFile, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../../core/errors.ts";
import type { Worktree } from "../../../core/ports/worktrees.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { isMissing } from "../../files/fs-errors.ts";
import type { WorkTreeGit } from "./work-tree-git.ts";

/** The folder in which a repository stores the data of one worktree. undefined: the repository does not know this worktree. */
export async function adminFolderOf(commonDir: string, worktree: string): Promise<string | undefined> {
  const folder = path.join(commonDir, "worktrees");
  const ids = await readdir(folder).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const place = path.join(await withoutLinks(worktree), ".git");
  for (const id of ids) {
    const named = await readFile(path.join(folder, id, "gitdir"), "utf8").catch(() => "");
    const file = named.trim();
    if (file === "") continue;
    const known = path.join(await withoutLinks(path.dirname(file)), path.basename(file));
    if (known === place) return path.join(folder, id);
  }
  return undefined;
}

/** Rejects with ToolError if the user has locked the worktree (`git worktree lock`). */
export async function refuseLocked(commonDir: string, worktree: string): Promise<void> {
  const folder = await adminFolderOf(commonDir, worktree);
  const mark = folder && (await lstat(path.join(folder, "locked")).catch(() => undefined));
  if (mark)
    throw new ToolError(
      `The worktree is locked. Run git worktree unlock ${worktree} first.`,
      reasonOf("worktree-locked", worktree),
    );
}

/**
 * `git`: of any working tree of the repository, also of the worktree itself. `submodules`: those of that working tree; the
 * worktree has its own of the same repositories.
 */
export async function dismantle(
  git: WorkTreeGit,
  worktree: Worktree,
  branch: "keep" | "delete",
  submodules: readonly { git: WorkTreeGit; path: string }[],
): Promise<void> {
  const admins = await Promise.all(
    submodules.map((each) =>
      adminFolderOf(each.git.repository.commonDir, path.join(worktree.path, each.path)),
    ),
  );
  admins.push(await adminFolderOf(git.repository.commonDir, worktree.path));
  await rm(worktree.path, { recursive: true, force: true, maxRetries: 3 });
  for (const admin of admins) {
    if (admin !== undefined) await rm(admin, { recursive: true, force: true });
  }
  for (const each of submodules)
    await dropBranch(each.git.ofRepository(), worktree.branch, branch === "delete" ? "always" : "unused");
  if (branch === "delete") await dropBranch(git.ofRepository(), worktree.branch, "always");
}

/** `unused`: only if another branch or tag contains its commits. */
async function dropBranch(git: WorkTreeGit, branch: string, when: "always" | "unused"): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const tip = await git.commitOf(ref);
  if (tip === undefined) return;
  if (when === "unused") {
    const args = ["for-each-ref", "--format=%(refname)", `--contains=${tip}`];
    const others = (await git.text(args)).split("\n").filter((name) => name !== "" && name !== ref);
    if (others.length === 0) return;
  }
  // Refuses if the user has it checked out.
  await git.run(["branch", "--quiet", "-D", "--", branch]);
}

async function withoutLinks(folder: string): Promise<string> {
  for (
    let at = path.resolve(folder), rest = "";
    ;
    rest = path.join(path.basename(at), rest), at = path.dirname(at)
  ) {
    const real = await realpath(at).catch(() => undefined);
    if (real !== undefined) return path.join(real, rest);
    if (path.dirname(at) === at) return path.resolve(folder);
  }
}
