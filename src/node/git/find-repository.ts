/** Finding the repository of a folder by looking, without running git in a place that nobody has vouched for. */
import { lstat, realpath } from "node:fs/promises";
import path from "node:path";
import { blocks } from "../files/blocking-files.ts";
import { readWhole } from "../files/disk-files.ts";

export interface Repository {
  /** The working tree's top folder, links resolved. */
  top: string;
  /** Where its index is: the repository's own folder, or that of a worktree or submodule. */
  gitDir: string;
  /** Where its objects and excludes are. */
  commonDir: string;
  sha256: boolean;
}

/** undefined: the folder is in no repository, or in one that looks like none. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let top = await realpath(folder); ; top = path.dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) return describe(top, gitDir);
    if (path.dirname(top) === top) return undefined;
  }
}

async function gitDirOf(top: string): Promise<string | undefined> {
  const dotGit = path.join(top, ".git");
  const found = await lstat(dotGit).catch(() => undefined);
  if (found?.isDirectory() || found?.isSymbolicLink()) {
    return (await isRepository(dotGit)) ? realpath(dotGit) : undefined;
  }
  if (!found?.isFile() || found.size > 10_000) return undefined;
  const named = /^gitdir: (.+?)\r?\n?$/s.exec(await readSmall(dotGit))?.[1];
  if (named === undefined) return undefined;
  const gitDir = path.resolve(top, named);
  return (await isRepository(gitDir)) ? realpath(gitDir) : undefined;
}

async function isRepository(gitDir: string): Promise<boolean> {
  const head = await lstat(path.join(gitDir, "HEAD")).catch(() => undefined);
  return head !== undefined;
}

async function describe(top: string, gitDir: string): Promise<Repository | undefined> {
  const common = await readSmall(path.join(gitDir, "commondir")).catch(() => undefined);
  const commonDir = common === undefined ? gitDir : path.resolve(gitDir, common.trim());
  const objects = await lstat(path.join(commonDir, "objects")).catch(() => undefined);
  if (!objects) return undefined;
  // Git would wait for what a pipe in the place of one of these never says.
  const read = ["HEAD", "index", "commondir", "config.worktree"].map((name) => path.join(gitDir, name));
  read.push(...["config", "packed-refs", "info/exclude"].map((name) => path.join(commonDir, name)));
  if ((await Promise.all(read.map(blocks))).includes(true)) return undefined;
  const config = await readSmall(path.join(commonDir, "config")).catch(() => "");
  return { top, gitDir, commonDir, sha256: /^\s*objectformat\s*=\s*"?sha256/im.test(config) };
}

/** A regular file of git's: a pipe in its place would keep whoever opens it waiting. */
async function readSmall(file: string): Promise<string> {
  return (await readWhole(file, 10_000_000)).bytes.toString("utf8");
}
