/** What commands may write of the Git repositories of a project: everything but what steers Git itself. */
import { existsSync } from "node:fs";
import { readdir, readFile, realpath } from "node:fs/promises";
import path from "node:path";
import { blocks } from "../files/blocking-files.ts";
import { findRepository } from "../git/find-repository.ts";
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
  const all = { folders: [], fixed: [file], placeholders: [] };
  // Reads nothing that would have to be waited for, such as a pipe in a file's place.
  const repository = await findRepository(path.dirname(file)).catch(() => undefined);
  if (repository === undefined || repository.top !== path.dirname(file)) return all;
  const { gitDir, commonDir } = repository;
  if (gitDir === file) return rulesOf(file);
  // The file of a submodule, or of a worktree that its repository does not know, may name any folder.
  const common = await realpath(commonDir);
  if (path.dirname(path.dirname(gitDir)) !== common || !(await namesBack(gitDir, file))) return all;
  const rules = await rulesOf(common);
  return { ...rules, fixed: [file, ...rules.fixed, ...existing(gitDir)] };
}

/** Whether the repository's folder for a worktree names this file. */
async function namesBack(gitDir: string, file: string): Promise<boolean> {
  const named = path.join(gitDir, "gitdir");
  if (await blocks(named)) return false;
  const back = await readFile(named, "utf8")
    .then((text) => realpath(path.resolve(gitDir, text.trim())))
    .catch(() => undefined);
  return back === file;
}

async function rulesOf(folder: string): Promise<RepositoryRules> {
  const config = await readFile(path.join(folder, "config"), "utf8").catch(() => "");
  if (UNFIXABLE.test(config)) return { folders: [], fixed: [folder], placeholders: [] };
  const worktrees = path.join(folder, "worktrees");
  const entries = await readdir(worktrees, { withFileTypes: true }).catch(() => []);
  const own = entries.filter((entry) => entry.isDirectory()).map((entry) => path.join(worktrees, entry.name));
  return {
    folders: [folder],
    fixed: [folder, ...own].flatMap(existing),
    placeholders: [
      // Git makes none where it has no templates.
      { path: path.join(folder, "hooks") },
      // With it, Git would read the configuration in another folder. This one names the same folder.
      { path: path.join(folder, "commondir"), content: ".\n" },
    ],
  };
}

const existing = (folder: string): string[] =>
  STEERING.map((name) => path.join(folder, name)).filter((file) => existsSync(file));
