/** Finds the repository of a folder as git does, and reads its own configuration, without running git. */
import { isAbsolute, join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import { type ConfigEntry, readGitConfig } from "./git-config.ts";

export interface Repository {
  /** The folder of its files, real; undefined where it has none. */
  top: string | undefined;
  /** Where its index is. */
  gitDir: string;
  /** Where its configuration and hooks are. */
  commonDir: string;
  /** Its own configuration with what that includes. */
  entries: ConfigEntry[];
}

/** Thrown for what must ask. `reason`: why, where something in particular is at fault. */
export class Unclear extends Error {
  constructor(readonly reason?: Reason) {
    super(reason?.code);
  }
}

export interface RepositoryReader {
  files: Files;
  home: string;
}

const LARGEST = 1_000_000;
const DEEPEST_INCLUDE = 10;

/** Of the innermost repository that a folder (real, absolute) is in, one without files included. */
export async function repositoryOf(
  folder: string,
  reader: RepositoryReader,
): Promise<Repository | undefined> {
  for (let at = folder; ; at = resolve(at, "..")) {
    const found = await repositoryAt(at, reader);
    if (found) return found;
    if (await isGitDir(at, reader)) return described(undefined, at, reader);
    if (resolve(at, "..") === at) return undefined;
  }
}

/** The repository whose files are directly in this folder. */
export async function repositoryAt(top: string, reader: RepositoryReader): Promise<Repository | undefined> {
  const { files } = reader;
  const named = join(top, ".git");
  const stat = await files.stat(named);
  if (!stat) return undefined;
  if (stat.kind === "file") {
    const target = /^gitdir: (.+?)[\r\n]*$/s.exec((await textOf(named, reader)) ?? "")?.[1];
    if (target === undefined) throw new Unclear(reasonOf("repository-unclear", named));
    return described(top, resolve(top, target), reader);
  }
  return (await isGitDir(named, reader)) ? described(top, named, reader) : undefined;
}

async function isGitDir(folder: string, reader: RepositoryReader): Promise<boolean> {
  const { files } = reader;
  const has = async (name: string) => (await files.stat(join(folder, name))) !== undefined;
  if (!(await has("HEAD"))) return false;
  const linked = await has("commondir");
  if (!linked && !((await has("objects")) && (await has("refs")))) return false;
  // Where git does not take this for a repository it goes on with the folder above, which may be another one.
  const head = await textOf(join(folder, "HEAD"), reader);
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head ?? ""))
    throw new Unclear(reasonOf("repository-unclear", folder));
  return true;
}

async function described(
  top: string | undefined,
  gitDir: string,
  reader: RepositoryReader,
): Promise<Repository> {
  const common = (await textOf(join(gitDir, "commondir"), reader))?.trim();
  const commonDir = common === undefined ? gitDir : resolve(gitDir, common);
  const entries: ConfigEntry[] = [];
  for (const file of new Set([join(commonDir, "config"), join(gitDir, "config.worktree")]))
    await readInto(entries, file, reader, 0);
  return { top, gitDir, commonDir, entries };
}

/** The settings in a file of configuration, with what it includes; none where there is no such file. */
export async function configEntries(path: string, reader: RepositoryReader): Promise<ConfigEntry[]> {
  const entries: ConfigEntry[] = [];
  await readInto(entries, path, reader, 0);
  return entries;
}

async function readInto(
  entries: ConfigEntry[],
  path: string,
  reader: RepositoryReader,
  depth: number,
): Promise<void> {
  const text = await textOf(path, reader);
  if (text === undefined) return;
  const read = readGitConfig(text);
  if (!read) throw new Unclear(reasonOf("repository-unclear", path));
  for (const entry of read) {
    entries.push(entry);
    if (entry.key !== "path" || !/^include(?:if)?$/.test(entry.section)) continue;
    if (depth >= DEEPEST_INCLUDE) throw new Unclear(reasonOf("repository-unclear", path));
    await readInto(entries, pathFrom(resolve(path, ".."), entry.value, reader.home), reader, depth + 1);
  }
}

/** A path in a configuration, from the folder that it is relative to. */
export function pathFrom(folder: string, path: string, home: string): string {
  if (/^~(?:[\\/]|$)/.test(path)) return join(home, path.slice(1));
  if (/^~|^%\(/.test(path)) throw new Unclear(reasonOf("repository-unclear", path));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** undefined: there is no such file. */
export async function textOf(path: string, { files }: RepositoryReader): Promise<string | undefined> {
  const stat = await files.stat(path);
  if (!stat) return undefined;
  if (stat.kind !== "file") throw new Unclear(reasonOf("repository-unclear", path));
  // As it is on the disk: an editor's unsaved text is not what git reads.
  return new TextDecoder().decode(await files.readBytes(path, LARGEST));
}
