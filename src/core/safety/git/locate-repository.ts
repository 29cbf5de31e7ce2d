/** Finds the repository of a folder as git does, and reads its own configuration, without running git. */
import { isAbsolute, join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import { type ConfigEntry, readGitConfig } from "./git-config.ts";

export interface LocatedRepository {
  /** The real top folder of its working tree; undefined if it has none. */
  top: string | undefined;
  /** The folder of its index. */
  gitDir: string;
  /** The folder of its configuration and hooks. */
  commonDir: string;
  /** Its own configuration, including the files that it includes. */
  entries: ConfigEntry[];
}

/** Thrown for anything that must ask. `reason`: why, if there is a specific cause. */
export class RepositoryUncertain extends Error {
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

/** Finds the innermost repository that contains a folder (real, absolute), including bare ones. */
export async function repositoryOf(
  folder: string,
  reader: RepositoryReader,
): Promise<LocatedRepository | undefined> {
  for (let at = folder; ; at = resolve(at, "..")) {
    const found = await repositoryAt(at, reader);
    if (found) return found;
    if (await isGitDir(at, reader)) return described(undefined, at, reader);
    if (resolve(at, "..") === at) return undefined;
  }
}

/** Returns the repository whose working tree is directly in this folder. */
export async function repositoryAt(
  top: string,
  reader: RepositoryReader,
): Promise<LocatedRepository | undefined> {
  const { files } = reader;
  const named = join(top, ".git");
  const stat = await files.stat(named);
  if (!stat) return undefined;
  if (stat.kind === "file") {
    const target = /^gitdir: (.+?)[\r\n]*$/s.exec((await smallText(named, reader)) ?? "")?.[1];
    if (target === undefined) throw new RepositoryUncertain(reasonOf("repository-unclear", named));
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
  // If git does not accept this as a repository, it continues with the parent folder, which may be another one.
  const head = await smallText(join(folder, "HEAD"), reader);
  if (!/^(?:ref:\s*refs\/|[0-9a-f]{40})/.test(head ?? ""))
    throw new RepositoryUncertain(reasonOf("repository-unclear", folder));
  return true;
}

async function described(
  top: string | undefined,
  gitDir: string,
  reader: RepositoryReader,
): Promise<LocatedRepository> {
  const common = (await smallText(join(gitDir, "commondir"), reader))?.trim();
  const commonDir = common === undefined ? gitDir : resolve(gitDir, common);
  const entries: ConfigEntry[] = [];
  for (const file of new Set([join(commonDir, "config"), join(gitDir, "config.worktree")]))
    await readInto(entries, file, reader, 0);
  return { top, gitDir, commonDir, entries };
}

/** Returns the settings in a configuration file and the files that it includes; empty if the file does not exist. */
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
  const text = await smallText(path, reader);
  if (text === undefined) return;
  const read = readGitConfig(text);
  if (!read) throw new RepositoryUncertain(reasonOf("repository-unclear", path));
  for (const entry of read) {
    entries.push(entry);
    if (entry.key !== "path" || !/^include(?:if)?$/.test(entry.section)) continue;
    if (depth >= DEEPEST_INCLUDE) throw new RepositoryUncertain(reasonOf("repository-unclear", path));
    await readInto(entries, pathFrom(resolve(path, ".."), entry.value, reader.home), reader, depth + 1);
  }
}

/** Resolves a path in a configuration from the folder that it is relative to. */
export function pathFrom(folder: string, path: string, home: string): string {
  if (/^~(?:[\\/]|$)/.test(path)) return join(home, path.slice(1));
  if (/^~|^%\(/.test(path)) throw new RepositoryUncertain(reasonOf("repository-unclear", path));
  return isAbsolute(path) ? path : resolve(folder, path);
}

/** undefined: the file does not exist. */
export async function smallText(path: string, { files }: RepositoryReader): Promise<string | undefined> {
  const stat = await files.stat(path);
  if (!stat) return undefined;
  if (stat.kind !== "file") throw new RepositoryUncertain(reasonOf("repository-unclear", path));
  // Reads from the disk: git does not see an editor's unsaved text.
  return new TextDecoder().decode(await files.readBytes(path, LARGEST));
}
