/** What differs in a working tree, seen with a private index and private objects: the worktree and its repository stay as they are. */
import { copyFile, lstat, mkdir, mkdtemp, readdir, rm, stat, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { WorktreeChange } from "../../../core/ports/worktrees.ts";
import { isMissing } from "../../files/fs-errors.ts";
import { names } from "../plumbing-output.ts";
import { versionIn } from "./included-files.ts";
import { type WorkTreeGit, zeros } from "./work-tree-git.ts";
import type { CopiedVersions } from "./worktree-records.ts";

type Kind = WorktreeChange["kind"];
const KINDS: Readonly<Record<string, Kind>> = { A: "added", D: "deleted" };

export interface WorkTreeSnapshot {
  /** The environment with the private index. */
  env: NodeJS.ProcessEnv;
  /** Folders that are repositories of their own and no submodules. git stores nothing of what is in them. */
  nested: readonly string[];
}

/** Runs `work` with an index of everything in the working tree that is not ignored. */
export async function withSnapshot<T>(
  git: WorkTreeGit,
  work: (snapshot: WorkTreeSnapshot) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-worktree-"));
  try {
    const objects = path.join(folder, "objects");
    await mkdir(objects);
    const index = path.join(folder, "index");
    await copyIndex(path.join(git.repository.gitDir, "index"), index);
    const env = {
      GIT_INDEX_FILE: index,
      GIT_OBJECT_DIRECTORY: objects,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: listEntry(path.join(git.repository.commonDir, "objects")),
    };
    const nested = await stageAll(git, env);
    return await work({ env, nested });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Updates an index to the files. Returns the nested repositories, which it leaves out. */
export async function stageAll(git: WorkTreeGit, env: NodeJS.ProcessEnv): Promise<string[]> {
  const { files, nested } = await unstaged(git, env);
  if (files.length > 0) {
    const args = ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"];
    await git.run(args, { env, input: zeros(files) });
  }
  return nested;
}

/** Files that differ from an index, or are not in it. */
export async function unstaged(
  git: WorkTreeGit,
  env: NodeJS.ProcessEnv,
): Promise<{ files: string[]; nested: string[] }> {
  const args = ["diff-files", "-z", "--name-only", "--ignore-submodules=dirty", "--no-renames"];
  const tracked = await git.names(args, { env });
  const untracked = await git.names(["ls-files", "-z", "--others", "--exclude-standard"], { env });
  const isFolder = (name: string) => name.endsWith("/");
  const nested = untracked.filter(isFolder).map((name) => name.slice(0, -1));
  return { files: [...new Set(tracked), ...untracked.filter((name) => !isFolder(name))], nested };
}

/** All changes since `base`, and which of them are not committed. */
export async function changesSince(git: WorkTreeGit, base: string): Promise<WorktreeChange[]> {
  return withSnapshot(git, async ({ env, nested }) => {
    const since = await compared(git, base, env);
    const uncommitted = await compared(git, "HEAD", env);
    const all = [...new Set([...since.keys(), ...uncommitted.keys()])].sort();
    return [
      ...all.map((name) => ({
        path: name,
        kind: since.get(name) ?? uncommitted.get(name) ?? ("changed" as const),
        uncommitted: uncommitted.has(name),
      })),
      ...nested.map((name) => ({ path: name, kind: "added" as const, uncommitted: true })),
    ];
  });
}

async function compared(git: WorkTreeGit, base: string, env: NodeJS.ProcessEnv): Promise<Map<string, Kind>> {
  const args = ["diff-index", "--cached", "-z", "--name-status", "--no-renames", base, "--"];
  const fields = (await git.run(args, { env })).toString("utf8").split("\0");
  const kinds = new Map<string, Kind>();
  for (let at = 0; at + 1 < fields.length; at += 2)
    kinds.set(fields[at + 1] ?? "", KINDS[fields[at] ?? ""] ?? "changed");
  return kinds;
}

/** Ignored files and folders that are not as they were copied. Folders in which everything is ignored end with `/`. */
export async function ignoredChanges(git: WorkTreeGit, copied: CopiedVersions): Promise<string[]> {
  const output = await git.run([
    ...["ls-files", "-z", "--others", "--ignored", "--exclude-standard"],
    ...["--directory", "--no-empty-directory"],
  ]);
  const known = Object.keys(copied);
  const changed: string[] = [];
  for (const name of names(output)) {
    const isFolder = name.endsWith("/");
    if (isFolder && known.some((each) => each.startsWith(name))) {
      for (const file of await filesBelow(git.top, name))
        if (!(await isCopy(git.top, file, copied))) changed.push(file);
    } else if (isFolder || !(await isCopy(git.top, name, copied))) changed.push(name);
  }
  return changed;
}

async function isCopy(top: string, name: string, copied: CopiedVersions): Promise<boolean> {
  const version = copied[name];
  return version !== undefined && version === (await versionIn(top, name));
}

async function filesBelow(top: string, folder: string): Promise<string[]> {
  const entries = await readdir(path.join(top, folder), { withFileTypes: true });
  const deeper = entries.map((entry) =>
    entry.isDirectory() ? filesBelow(top, `${folder}${entry.name}/`) : [`${folder}${entry.name}`],
  );
  return (await Promise.all(deeper)).flat().sort();
}

/** Keeps the index's time: git reads files again that are as recent as the index. */
async function copyIndex(from: string, to: string): Promise<void> {
  try {
    const { atimeMs, mtimeMs } = await stat(from);
    await copyFile(from, to);
    await utimes(to, Math.floor(atimeMs / 1000), Math.floor(mtimeMs / 1000));
  } catch (error) {
    // A repository that was just created has none.
    if (!isMissing(error)) throw error;
  }
}

/** The variable is a list, in which git reads an entry that begins with a quotation mark as quoted. */
function listEntry(folder: string): string {
  return /["\n]/.test(folder) || folder.includes(path.delimiter) ? JSON.stringify(folder) : folder;
}

/** Whether something is at this path, also a link without a target. */
export async function exists(file: string): Promise<boolean> {
  return (await lstat(file).catch(() => undefined)) !== undefined;
}
