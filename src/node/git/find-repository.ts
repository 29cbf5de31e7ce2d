/** Finds the repository of a folder from its files, without running git in an untrusted folder. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { blocks } from "../files/blocking-files.ts";
import { lstat, realpath } from "../files/direct-calls.ts";
import { readWhole } from "../files/disk-files.ts";

export interface Repository {
  /** The working tree's top folder, with links resolved. */
  top: string;
  /** The folder of its index: the repository's own, or that of a worktree or submodule. */
  gitDir: string;
  /** The folder of its objects and excludes. */
  commonDir: string;
  sha256: boolean;
}

/** undefined: the folder is not in a repository, or the repository is not valid. */
export async function findRepository(folder: string): Promise<Repository | undefined> {
  for (let top = await realpath(folder); ; top = path.dirname(top)) {
    const gitDir = await gitDirOf(top);
    if (gitDir !== undefined) return describe(top, gitDir);
    if (path.dirname(top) === top) return undefined;
  }
}

/** For example `main 1a2b3c4d5e`, `1a2b3c4d5e` for a detached HEAD, or `main` before the first commit. */
export async function findHead(folder: string): Promise<string | undefined> {
  const repository = await findRepository(folder).catch(() => undefined);
  if (!repository) return undefined;
  const text = async (...names: string[]): Promise<string> =>
    readFile(path.join(...names), "utf8").catch(() => "");
  const head = (await text(repository.gitDir, "HEAD")).trim();
  const ref = /^ref: (refs\/\S+)$/.exec(head)?.[1];
  if (ref === undefined) return short(head);
  const packed = await text(repository.commonDir, "packed-refs");
  const line = packed.split("\n").find((each) => each.endsWith(` ${ref}`));
  const commit = short((await text(repository.commonDir, ref)).trim()) ?? short(line ?? "");
  const branch = ref.replace(/^refs\/heads\//, "");
  return commit === undefined ? branch : `${branch} ${commit}`;
}

function short(id: string): string | undefined {
  return /^[0-9a-f]{40}/.test(id) ? id.slice(0, 10) : undefined;
}

async function gitDirOf(top: string): Promise<string | undefined> {
  const dotGit = path.join(top, ".git");
  const stats = await lstat(dotGit).catch(() => undefined);
  if (stats?.isDirectory() || stats?.isSymbolicLink()) {
    return (await isRepository(dotGit)) ? realpath(dotGit) : undefined;
  }
  if (!stats?.isFile() || stats.size > 10_000) return undefined;
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
  // Git would block if one of these files is a pipe.
  const read = ["HEAD", "index", "commondir", "config.worktree"].map((name) => path.join(gitDir, name));
  read.push(...["config", "packed-refs", "info/exclude"].map((name) => path.join(commonDir, name)));
  if ((await Promise.all(read.map(blocks))).includes(true)) return undefined;
  const config = await readSmall(path.join(commonDir, "config")).catch(() => "");
  return { top, gitDir, commonDir, sha256: /^\s*objectformat\s*=\s*"?sha256/im.test(config) };
}

/** Reads a regular file of git's. Never blocks on a pipe in its place. */
async function readSmall(file: string): Promise<string> {
  return (await readWhole(file, 10_000_000)).bytes.toString("utf8");
}
