/**
 * Creates a worktree. If that fails or is stopped, nothing remains. If the process dies, the record of the worktree is found
 * later.
 */
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import { Interrupt, ToolError } from "../../../core/errors.ts";
import type { Shell } from "../../../core/ports/shell.ts";
import type { Incomplete, NewlyCreated, NewWorktree } from "../../../core/ports/worktrees.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { dismantle } from "./dismantle.ts";
import { copyIncluded } from "./included-files.ts";
import { type GitTools, openWorkTree, type WorkTreeGit, worktreeError } from "./work-tree-git.ts";
import { type LockedRecord, type WorktreeRecord, WorktreeRecords } from "./worktree-records.ts";
import { addWorkTree, checkOutSubmodules, openSubmodules } from "./worktree-submodules.ts";

/** Characters of a failed setup command's output that its error shows. */
const MOST_OUTPUT = 2_000;

export interface CreateParts {
  tools: GitTools;
  /** Folder of all worktrees. */
  worktreesDir: string;
  shell: Pick<Shell, "run">;
}

export async function createWorktree(
  wanted: NewWorktree,
  parts: CreateParts,
  signal: AbortSignal,
): Promise<NewlyCreated> {
  const project = await openWorkTree(wanted.folder, parts.tools, signal);
  const base = await startOf(project, wanted.revision);
  const records = new WorktreeRecords(parts.worktreesDir, project.repository);
  const submodules = await openSubmodules(project, parts.tools);
  const branches = await branchesOf(project);
  for (const { git } of submodules) branches.push(...(await branchesOf(git)));
  const uncommitted = await uncommittedFiles(project);
  const scope = await worktreeScope(project, wanted.folder);
  const locked = await records.reserve(wanted.title, branches, { base, scope });
  try {
    const incomplete = await build(project, locked, wanted.setup, records, parts);
    signal.throwIfAborted();
    await records.write(locked.name, { ...locked.record, state: "ready", branch: "keep" });
    return { worktree: locked.record.worktree, uncommitted, incomplete };
  } catch (error) {
    const reason = await worktreeError(error, records.folder);
    await undo(project, locked, records, parts);
    throw signal.aborted ? new Interrupt() : reason;
  } finally {
    await locked.lock.release();
  }
}

async function build(
  project: WorkTreeGit,
  { name, record }: LockedRecord & { record: WorktreeRecord },
  setup: string | undefined,
  records: WorktreeRecords,
  { tools, shell }: CreateParts,
): Promise<Incomplete[]> {
  const { worktree } = record;
  const added = await addWorkTree(project, worktree.path, worktree.branch, worktree.base, tools);
  const converted = await added.filtered(await added.names(["ls-files", "-z"]));
  const submodules = await checkOutSubmodules(project, added, worktree.branch, tools);
  const { copied, incomplete } = await copyIncluded(project, worktree.path);
  await records.writeCopied(name, copied);
  // The project's folder may contain no committed files.
  await mkdir(worktree.root, { recursive: true });
  if (setup !== undefined && setup.trim() !== "") await prepare(setup, worktree.root, shell, project.signal);
  return [...converted.map((each) => ({ path: each, why: "filter" as const })), ...submodules, ...incomplete];
}

async function prepare(
  setup: string,
  cwd: string,
  shell: Pick<Shell, "run">,
  signal: AbortSignal,
): Promise<void> {
  let output = "";
  const onOutput = (text: string): void => {
    output = (output + text).slice(-MOST_OUTPUT);
  };
  const end = await shell.run(setup, { cwd, timeoutMs: Number.POSITIVE_INFINITY, signal, onOutput });
  if (end.exitCode === 0) return;
  if (signal.aborted || end.stoppedByUser) throw new Interrupt();
  const how = end.exitCode === null ? `ended by ${end.signal}` : `exit code ${end.exitCode}`;
  const words = `${how}\n${output.trim()}`.trim();
  throw new ToolError(`The setup command for worktrees failed: ${words}`, reasonOf("worktree-setup", words));
}

/** If it cannot be removed now, its record says so, and the next `list` removes it. */
async function undo(
  project: WorkTreeGit,
  { name, record }: LockedRecord & { record: WorktreeRecord },
  records: WorktreeRecords,
  { tools }: CreateParts,
): Promise<void> {
  const never = new AbortController().signal;
  const git = await openWorkTree(project.top, tools, never);
  await dismantle(git, record.worktree, "delete", await openSubmodules(git, tools));
  await records.erase(name);
}

async function startOf(project: WorkTreeGit, revision: string | undefined): Promise<string> {
  const commit = await project.commitOf(revision ?? "HEAD");
  if (commit !== undefined) return commit;
  if (revision === undefined || (await project.commitOf("HEAD")) === undefined)
    throw new ToolError("The repository has no commit. Create one first.", reasonOf("repository-empty"));
  throw new ToolError(`The repository has no revision ${revision}.`, reasonOf("revision-unknown", revision));
}

async function branchesOf(git: WorkTreeGit): Promise<string[]> {
  const text = await git.text(["for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/"]);
  return text.split("\n").filter((name) => name !== "");
}

export async function uncommittedFiles(git: WorkTreeGit): Promise<string[]> {
  const lines = await git.names([
    ...["status", "--porcelain", "-z", "--no-renames", "--untracked-files=all"],
    "--ignore-submodules=dirty",
  ]);
  return lines.map((line) => line.slice(3));
}

/** The folder relative to the repository's top. */
export async function worktreeScope(project: WorkTreeGit, folder: string): Promise<string> {
  return path.relative(project.top, await realpath(folder));
}
