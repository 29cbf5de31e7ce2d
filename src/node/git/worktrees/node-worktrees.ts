/**
 * The `Worktrees` port: worktrees in the user's data folder, with branches in the project's repository. git runs no program that
 * the repository configures, and contacts no other host.
 */
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../../core/errors.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { Log } from "../../../core/ports/system.ts";
import {
  lossesOf,
  type Merged,
  type Worktree,
  type WorktreeState,
  type Worktrees,
} from "../../../core/ports/worktrees.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { createWorktree, worktreeScope } from "./create-worktree.ts";
import { adminFolderOf, dismantle, refuseLocked } from "./dismantle.ts";
import { mergeBranch } from "./merge-worktree.ts";
import { type GitTools, openWorkTree, type WorkTreeGit, worktreeError } from "./work-tree-git.ts";
import { changesSince, exists, ignoredChanges, stageAll, withSnapshot } from "./worktree-changes.ts";
import { WorktreeRecords } from "./worktree-records.ts";
import { openSubmodules } from "./worktree-submodules.ts";

export interface WorktreesOptions extends GitTools {
  /** The folder of all worktrees of this user; created when needed. */
  worktreesDir: string;
  shell: Pick<Shell, "run">;
  log: Log;
}

export function createWorktrees(options: WorktreesOptions): Worktrees {
  const { worktreesDir, shell, log, ...tools } = options;
  /** The worktree's own git; undefined: it no longer exists. */
  const opened = async (worktree: Worktree, signal: AbortSignal): Promise<WorkTreeGit | undefined> =>
    (await isWorktree(worktree, tools, signal)) ? openWorkTree(worktree.path, tools, signal) : undefined;
  const present = async (worktree: Worktree, signal: AbortSignal): Promise<WorkTreeGit> => {
    const git = await opened(worktree, signal);
    if (git) return git;
    throw new ToolError("The worktree no longer exists.", reasonOf("worktree-gone"));
  };
  const stateOf = async (git: WorkTreeGit, worktree: Worktree): Promise<WorktreeState> => {
    const records = new WorktreeRecords(worktreesDir, git.repository);
    const name = await records.nameOf(worktree.path);
    const copied = name === undefined ? {} : await records.readCopied(name);
    const changes = await changesSince(git, worktree.base);
    const ignored = await ignoredChanges(git, copied);
    for (const inner of await openSubmodules(git, tools)) {
      const within = (file: string) => `${inner.path}/${file}`;
      const theirs = await changesSince(inner.git, "HEAD");
      changes.push(...theirs.map((change) => ({ ...change, path: within(change.path) })));
      // The copied files of a submodule are listed with the paths of the whole.
      ignored.push(...(await ignoredChanges(inner.git, {})).map(within).filter((file) => !(file in copied)));
    }
    const count = await git.text(["rev-list", "--count", `${worktree.base}..HEAD`, "--"]);
    const loose = await looseCommit(git);
    return { changes, ignored, commits: Number(count), ...(loose === undefined ? {} : { loose }) };
  };

  /** Rejects with Interrupt after an abort, and otherwise with ToolError. */
  const guarded = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw signal.aborted ? new Interrupt() : await worktreeError(error, worktreesDir);
    }
  };

  return {
    create: (wanted, signal) =>
      guarded(signal, () => createWorktree(wanted, { tools, worktreesDir, shell }, signal)),

    state: (worktree, signal) =>
      guarded(signal, async () => {
        const git = await opened(worktree, signal);
        return git && stateOf(git, worktree);
      }),

    diff: (worktree, signal) =>
      guarded(signal, async () => {
        const git = await present(worktree, signal);
        const args = ["diff", "--cached", "--binary", "--full-index", "--no-renames", "--no-ext-diff"];
        return withSnapshot(git, async ({ env }) =>
          (await git.run([...args, "--no-textconv", worktree.base, "--"], { env })).toString("utf8"),
        );
      }),

    commit: (worktree, message, signal) =>
      guarded(signal, async () => {
        const git = await present(worktree, signal);
        return commitAll(git, worktree, message);
      }),

    merge: (worktree, folder, signal): Promise<Merged> =>
      guarded(signal, async () => mergeBranch(await openWorkTree(folder, tools, signal), worktree.branch)),

    remove: (worktree, { losing, branch }, signal) =>
      guarded(signal, async () => {
        const git = await opened(worktree, signal);
        if (!git) return [];
        const records = new WorktreeRecords(worktreesDir, git.repository);
        const name = await records.nameOf(worktree.path);
        if (name === undefined)
          throw new ToolError(`${worktree.path} is not a worktree of Nekode's.`, reasonOf("worktree-gone"));
        const locked = await records.lock(name);
        try {
          await refuseLocked(git.repository.commonDir, worktree.path);
          const lost = lossesOf(await stateOf(git, worktree)).filter((each) => !losing.includes(each));
          if (lost.length > 0) return lost;
          await records.write(name, { state: "removing", branch, worktree });
          await dismantle(git, worktree, branch, await openSubmodules(git, tools));
          await records.erase(name);
          return [];
        } finally {
          await locked.lock.release();
        }
      }),

    list: (folder, signal) =>
      guarded(signal, async () => {
        const git = await openWorkTree(folder, tools, signal);
        const records = new WorktreeRecords(worktreesDir, git.repository);
        const scope = await worktreeScope(git, folder);
        const existing: Worktree[] = [];
        for (const name of await records.names()) {
          const record = await records.read(name);
          const isThere = record !== undefined && (await isWorktree(record.worktree, tools, signal));
          if (record?.state === "ready" && isThere) {
            const { root, path: top } = record.worktree;
            if (path.relative(top, root) === scope) existing.push(record.worktree);
          } else if (record) await clean(git, records, name);
        }
        return existing;
      }),
  };

  /**
   * Completes the work of a process that died, unless another process is doing so. If that fails, the next call tries again.
   */
  async function clean(git: WorkTreeGit, records: WorktreeRecords, name: string): Promise<void> {
    const locked = await records.tryLock(name);
    if (!locked) return;
    try {
      const record = await records.read(name);
      // A record that names another folder was not written by this program.
      if (!record || (await records.nameOf(record.worktree.path)) !== name) return;
      if (record.state === "ready" && (await exists(record.worktree.path))) return;
      if (record.state === "ready") await refuseLocked(git.repository.commonDir, record.worktree.path);
      await dismantle(git, record.worktree, record.branch, await openSubmodules(git, tools));
      await records.erase(name);
    } catch (error) {
      if (git.signal.aborted) throw error;
      log.info(`what is left of the worktree ${name} could not be removed: ${messageOf(error)}`);
    } finally {
      await locked.lock.release();
    }
  }
}

async function commitAll(git: WorkTreeGit, worktree: Worktree, message: string): Promise<string | undefined> {
  const head = await git.text(["symbolic-ref", "--quiet", "HEAD"], { answers: [1] });
  if (head !== `refs/heads/${worktree.branch}`)
    throw new ToolError(
      `The worktree no longer has its branch ${worktree.branch} checked out.`,
      reasonOf("worktree-branch", worktree.branch),
    );
  const changed = (await changesSince(git, "HEAD")).map((change) => change.path);
  if (changed.length === 0) return undefined;
  await git.requireIdentity();
  const [filtered] = await git.filtered(changed);
  if (filtered !== undefined)
    throw new ToolError(
      `${filtered} is converted by a program, such as Git LFS, that Nekode does not run. Commit with git.`,
      reasonOf("git-filter", filtered),
    );
  await stageAll(git, {});
  const tree = await git.text(["write-tree"]);
  const parent = await git.text(["rev-parse", "HEAD"]);
  if (tree === (await git.text(["rev-parse", "HEAD^{tree}"]))) return undefined;
  const input = new TextEncoder().encode(message);
  const commit = await git.text(["commit-tree", "-p", parent, "-F", "-", tree], { input });
  await git.run(["update-ref", "-m", "commit", "HEAD", commit, parent]);
  return commit;
}

/** The hash of the checked-out commit if no branch and no tag contains it. */
async function looseCommit(git: WorkTreeGit): Promise<string | undefined> {
  const args = ["rev-list", "--max-count=1", "HEAD", "--not", "--branches", "--tags", "--remotes", "--"];
  const found = await git.text(args);
  return found === "" ? undefined : found;
}

/** Whether the folder is there and is a worktree of a repository that knows it. */
async function isWorktree(worktree: Worktree, tools: GitTools, signal: AbortSignal): Promise<boolean> {
  if (!(await exists(`${worktree.path}/.git`))) return false;
  const git = await openWorkTree(worktree.path, tools, signal).catch((error: unknown) => {
    if (error instanceof ToolError) return undefined;
    throw error;
  });
  if (!git) return false;
  return (await adminFolderOf(git.repository.commonDir, worktree.path)) !== undefined;
}
