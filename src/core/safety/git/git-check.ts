/**
 * Checks a repository before git reads it: what its configuration would run, and which secrets a command would show.
 */
import { join, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Files } from "../../ports/files.ts";
import type { Git } from "../../ports/git.ts";
import type { Clock } from "../../ports/system.ts";
import { fetchesMissing, startedBy } from "./configured-programs.ts";
import { alternates, leadsElsewhere, secretsInConfig } from "./elsewhere.ts";
import { refusedShown } from "./git-output-check.ts";
import type { GitUse } from "./git-use.ts";
import {
  type LocatedRepository,
  pathFrom,
  RepositoryUncertain,
  repositoryAt,
  repositoryOf,
} from "./locate-repository.ts";
import { gitlinks } from "./submodules.ts";

export interface GitCheck {
  files: Files;
  git: Git | undefined;
  clock: Clock;
  home: string;
  /** Whether .nekodeignore matches this absolute path. */
  ignored(path: string): boolean;
}

const MAX_SUBMODULES = 200;
const MAX_INDEX_BYTES = 200_000_000;
/** Time limit in milliseconds for git to report what it would show, and maximum characters of the report. */
const TIMEOUT_MS = 2_000;
const MAX_CHARACTERS = 2_000_000;
/**
 * Hooks that run even if nothing is changed: git writes updated file information into the index, or asks a file
 * watcher.
 */
const READING_HOOKS = ["post-index-change", "fsmonitor-watchman", "query-watchman"];
/** Folders that the user's own settings may use for hooks, in any repository. */
const HOOK_FOLDERS = [".githooks", ".git-hooks", "githooks", ".hooks", "hooks", ".husky", ".husky/_"];

/** Returns why this use of git in a folder (real, absolute) asks; otherwise undefined. */
export async function refusedGit(use: GitUse, folder: string, check: GitCheck): Promise<Reason | undefined> {
  if (check.git?.steeredBy !== undefined) return reasonOf("git-steered", check.git.steeredBy);
  let repository: LocatedRepository | undefined;
  try {
    repository = await repositoryOf(folder, check);
    const elsewhere = repository && (await leadsElsewhere(repository, check));
    if (elsewhere) return elsewhere;
    const secret = await secretsInConfig(use, repository, check);
    if (secret) return secret;
    const started = repository && (await startedIn(repository, use, check));
    if (started) return started;
  } catch (error) {
    return reasonIn(error) ?? reasonOf("repository-unclear", folder);
  }
  try {
    return await shownOf(use, folder, repository, check);
  } catch (error) {
    return reasonIn(error) ?? reasonOf("folder-not-searchable", use.verb);
  }
}

function reasonIn(error: unknown): Reason | undefined {
  return error instanceof RepositoryUncertain ? error.reason : undefined;
}

async function startedIn(
  first: LocatedRepository,
  use: GitUse,
  check: GitCheck,
): Promise<Reason | undefined> {
  const pending = [first];
  const seen = new Set<string>();
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (seen.has(next.gitDir)) continue;
    seen.add(next.gitDir);
    if (seen.size > MAX_SUBMODULES)
      throw new RepositoryUncertain(reasonOf("repository-unclear", first.top ?? first.gitDir));
    const started = await startedByOne(next, use, check);
    if (started)
      return next === first
        ? reasonOf("repository-runs-program", started)
        : reasonOf("submodule-runs-program", started, next.top ?? next.gitDir);
    if (use.reach === "files" || use.reach === "changes") pending.push(...(await submodulesOf(next, check)));
  }
  return undefined;
}

/** Returns the name of a setting or hook of this repository that makes git run a program; undefined if there is none. */
async function startedByOne(
  { top, gitDir, commonDir, entries }: LocatedRepository,
  use: GitUse,
  check: GitCheck,
): Promise<string | undefined> {
  const fetches = fetchesMissing(entries);
  for (const entry of entries) {
    const started = startedBy(entry, use, fetches);
    if (started) return started;
  }
  const values = (key: string) =>
    entries.filter((entry) => entry.section === "core" && entry.key === key).map(({ value }) => value);
  for (const worktree of values("worktree")) {
    const meant = pathFrom(gitDir, worktree, check.home);
    if (top === undefined || (await real(meant, check)) !== (await real(top, check))) return "core.worktree";
  }
  if (use.reach === "refs") return undefined;
  const folders = [join(commonDir, "hooks"), join(gitDir, "hooks")];
  if (top !== undefined) folders.push(...HOOK_FOLDERS.map((name) => join(top, name)));
  for (const path of values("hookspath")) folders.push(pathFrom(top ?? gitDir, path, check.home));
  return readingHookIn(new Set(folders), check.files);
}

/** Returns the first hook in these folders that runs although nothing is changed, as `hooks/NAME`; otherwise undefined. */
async function readingHookIn(folders: ReadonlySet<string>, files: Files): Promise<string | undefined> {
  for (const folder of folders) {
    const names = (await files.stat(folder))?.kind === "directory" ? await files.list(folder) : [];
    const hook = names.find(({ name }) => READING_HOOKS.includes(name.replace(/\.exe$/i, "")));
    if (hook) return `hooks/${hook.name}`;
  }
  return undefined;
}

async function submodulesOf(repository: LocatedRepository, check: GitCheck): Promise<LocatedRepository[]> {
  const { top, gitDir, entries } = repository;
  if (top === undefined) return [];
  const sha256 = entries.some(({ key, value }) => key === "objectformat" && value === "sha256");
  const links = await linksIn(join(gitDir, "index"), sha256 ? 32 : 20, check.files);
  const submodules: LocatedRepository[] = [];
  for (const link of links.slice(0, MAX_SUBMODULES + 1)) {
    const submodule = await repositoryAt(join(top, link), check);
    if (submodule) submodules.push(submodule);
  }
  return submodules;
}

/** The gitlinks of each index, by its path, with the version of the index that they were read from. */
const indexes = new WeakMap<Files, Map<string, { version: string; links: string[] }>>();

async function linksIn(index: string, hash: 20 | 32, files: Files): Promise<string[]> {
  const stat = await files.stat(index);
  if (!stat) return [];
  const known = indexes.get(files) ?? new Map();
  indexes.set(files, known);
  const before = known.get(index);
  if (before?.version === stat.version) return before.links;
  if (stat.kind !== "file") throw new RepositoryUncertain(reasonOf("repository-unclear", index));
  const links = gitlinks(new Uint8Array(await files.readBytes(index, MAX_INDEX_BYTES)), hash);
  if (!links) throw new RepositoryUncertain(reasonOf("repository-unclear", index));
  if (known.size > 50) known.clear();
  known.set(index, { version: stat.version, links });
  return links;
}

async function real(path: string, { files }: GitCheck): Promise<string> {
  return files.realpath(path).catch(() => resolve(path));
}

/** Returns why the shown content requires approval, determined by running git with the command's own words. */
async function shownOf(
  use: GitUse,
  folder: string,
  repository: LocatedRepository | undefined,
  check: GitCheck,
): Promise<Reason | undefined> {
  if (use.unknown !== undefined) return use.unknown;
  if (Object.keys(use.shows).length === 0) return undefined;
  if (repository && (await alternates(repository, check))) return reasonOf("git-elsewhere");
  if (!check.git) throw new RepositoryUncertain();
  const ended = new AbortController();
  const timer = check.clock.after(TIMEOUT_MS, () => ended.abort());
  const bounds = { limit: MAX_CHARACTERS, signal: ended.signal };
  try {
    const { files, git, ignored } = check;
    return await refusedShown(use.shows, use.globals, folder, repository, { files, git, ignored, bounds });
  } catch (error) {
    throw ended.signal.aborted ? new RepositoryUncertain() : error;
  } finally {
    timer.dispose();
  }
}
