/**
 * Copies the ignored files that `.worktreeinclude` lists, such as `.env`, into a new worktree. The file has the syntax of a
 * `.gitignore`; of what it matches only files that git ignores are copied.
 */

import { constants, type Stats } from "node:fs";
import { copyFile, lstat, mkdir, readlink, realpath, symlink, utimes } from "node:fs/promises";
import path from "node:path";
import { inParallel } from "../../../core/async.ts";
import type { Incomplete } from "../../../core/ports/worktrees.ts";
import { isInside } from "../../../core/roots.ts";
import { codeOf } from "../../files/fs-errors.ts";
import { belongsTo } from "../../find-programs.ts";
import { type WorkTreeGit, zeros } from "./work-tree-git.ts";
import type { CopiedVersions } from "./worktree-records.ts";

const INCLUDE_FILE = ".worktreeinclude";

/** `top`: the worktree's top folder. */
export async function copyIncluded(
  project: WorkTreeGit,
  top: string,
): Promise<{ copied: CopiedVersions; incomplete: Incomplete[] }> {
  const copied: CopiedVersions = {};
  const incomplete: Incomplete[] = [];
  const copy = async (name: string): Promise<void> => {
    project.signal.throwIfAborted();
    const [from, to] = [path.join(project.top, name), path.join(top, name)];
    const stats = await lstat(from).catch(() => undefined);
    if (!stats?.isFile() && !stats?.isSymbolicLink()) return;
    await mkdir(path.dirname(to), { recursive: true });
    // A committed link may have the name of a folder.
    if (!isInside(top, await realpath(path.dirname(to)))) return;
    try {
      if (stats.isFile()) await copyWithTimes(from, to, stats);
      else if (await pointsInside(project.top, from)) await symlink(await readlink(from), to);
      else return void incomplete.push({ path: name, why: "link" });
    } catch (error) {
      // The commit contains a file with that name, which is ignored now.
      if (codeOf(error) === "EEXIST") return;
      throw error;
    }
    const version = await versionIn(top, name);
    if (version !== undefined) copied[name] = version;
  };
  await inParallel(await includedNames(project), copy, 8);
  return { copied, incomplete };
}

/** The current version of a file, to detect later whether it has changed. undefined: there is no file. */
export async function versionIn(top: string, name: string): Promise<string | undefined> {
  const found = await lstat(path.join(top, name), { bigint: true }).catch(() => undefined);
  return found && `${found.mode}-${found.size}-${found.mtimeNs}`;
}

async function includedNames(project: WorkTreeGit): Promise<string[]> {
  const list = path.join(project.top, INCLUDE_FILE);
  // git would wait at a pipe.
  if (!(await lstat(list).catch(() => undefined))?.isFile()) return [];
  const wanted = await project.names(["ls-files", "-z", "--others", "--ignored", `--exclude-from=${list}`]);
  const files = wanted.filter((name) => !name.endsWith("/"));
  if (files.length === 0) return [];
  // Without the prefix, git would read a name that begins with a colon as a pattern. Exit code 1: none of them is ignored.
  const input = zeros(files.map((name) => `./${name}`));
  const env = { GIT_LITERAL_PATHSPECS: undefined };
  const ignored = await project.names(["check-ignore", "-z", "--stdin"], { env, input, answers: [1] });
  return ignored.map((name) => name.slice("./".length));
}

/** Does not replace a file. */
async function copyWithTimes(from: string, to: string, { atime, mtime }: Stats): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  await utimes(to, atime, mtime);
}

/** Whether a copy of the link in another folder with the same files would point to the same file there. */
async function pointsInside(top: string, link: string): Promise<boolean> {
  if (path.isAbsolute(await readlink(link)) || !belongsTo(link, [top])) return false;
  const target = await realpath(link).catch(() => undefined);
  return target !== undefined && isInside(top, target);
}
