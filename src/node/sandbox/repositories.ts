/** What commands may write of the Git repositories of a project: everything but what steers Git itself. */
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, stat } from "node:fs/promises";
import path from "node:path";
import type { Placeholder } from "./placeholders.ts";

/** Files and folders of a repository that name programs which Git runs, or other folders; `modules` has those of submodules. */
const STEERING = ["hooks", "config", "config.worktree", "commondir", "gitdir", "modules"];

/** Settings that would be read from a file that is not there yet, or not from this one if the repository named its own folder. */
const UNFIXABLE = /^\s*worktree(?:config)?\s*=/im;

export interface RepositoryRules {
  /** Folders of the repository that commands write: as such they cannot be renamed. */
  folders: string[];
  fixed: string[];
  placeholders: Placeholder[];
}

/** `file`: the `.git` in a folder of the project, a folder or a file that names one. */
export async function repositoryRules(file: string): Promise<RepositoryRules> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isDirectory()) return rulesOf(file);
  const worktree = found?.isFile() ? await worktreeOf(file) : undefined;
  if (worktree === undefined) return { folders: [], fixed: [file], placeholders: [] };
  const { own, common } = worktree;
  const rules = await rulesOf(common);
  return { ...rules, fixed: [file, ...rules.fixed, ...existing(own)] };
}

async function rulesOf(folder: string): Promise<RepositoryRules> {
  const config = await readFile(path.join(folder, "config"), "utf8").catch(() => "");
  if (UNFIXABLE.test(config)) return { folders: [], fixed: [folder], placeholders: [] };
  // Git makes none where it has no templates. It is not made where it cannot be.
  await mkdir(path.join(folder, "hooks")).catch(() => undefined);
  const worktrees = path.join(folder, "worktrees");
  const entries = await readdir(worktrees, { withFileTypes: true }).catch(() => []);
  const own = entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(worktrees, entry.name));
  return {
    folders: [folder],
    fixed: [folder, ...own].flatMap(existing),
    // With it, Git would read the configuration in another folder. This one names the same folder.
    placeholders: [{ path: path.join(folder, "commondir"), content: ".\n" }],
  };
}

const existing = (folder: string): string[] =>
  STEERING.map((name) => path.join(folder, name)).filter((file) => existsSync(file));

/**
 * The repository's folder for this worktree, and the one that all worktrees share; undefined: the repository does not know the
 * worktree, so the file may name any folder.
 */
async function worktreeOf(file: string): Promise<{ own: string; common: string } | undefined> {
  const [, named] = /^gitdir: (.+?)\s*$/.exec(await readFile(file, "utf8")) ?? [];
  if (named === undefined) return undefined;
  try {
    const own = await realpath(path.resolve(path.dirname(file), named));
    const back = (await readFile(path.join(own, "gitdir"), "utf8")).trim();
    if ((await realpath(path.resolve(own, back))) !== (await realpath(file))) return undefined;
    const common = await realpath(
      path.resolve(own, (await readFile(path.join(own, "commondir"), "utf8")).trim()),
    );
    return path.dirname(path.dirname(own)) === common ? { own, common } : undefined;
  } catch {
    // A submodule, or a repository that is gone: Git itself says so to whoever uses it.
    return undefined;
  }
}
