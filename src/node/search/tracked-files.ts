/** Files that Git tracks although an ignore file matches them. Git treats them like all other files. */
import { lstat } from "node:fs/promises";
import path from "node:path";
import { Interrupt } from "../../core/errors.ts";
import { findProgram } from "../find-programs.ts";
import { findRepository } from "../git/find-repository.ts";
import { inTime, plainGitEnvironment, QUIET, runGit } from "../git/git-process.ts";

export interface TrackedOptions {
  environment: NodeJS.ProcessEnv;
  /** Workspace folders, from which git is never taken. */
  roots: readonly string[];
  signal: AbortSignal;
}

/** Bytes of names that are read. */
const MOST_BYTES = 4 * 1024 * 1024;

/** Relative to `folder`, with `/`; none where there is no repository or no git. */
export async function trackedButIgnored(folder: string, options: TrackedOptions): Promise<string[]> {
  const { environment, roots, signal } = options;
  try {
    const repository = await findRepository(folder);
    const git = repository && findProgram("git", environment, roots);
    if (!git) return [];
    const env = { ...plainGitEnvironment(environment, roots), GIT_WORK_TREE: repository.top };
    const args = [...QUIET, "ls-files", "-z", "--cached", "--ignored", "--exclude-standard"];
    const out = await inTime(signal, (stop) => runGit(git, args, env, folder, { ...stop, most: MOST_BYTES }));
    // The last part is empty, or a name that was cut.
    const names = [...new Set(out.toString("utf8").split("\0").slice(0, -1))];
    const found = await Promise.all(names.map((name) => isFile(path.join(folder, name))));
    return names.filter((_, index) => found[index]);
  } catch (error) {
    // Without git's answer, what is ignored is not searched, as in a folder without a repository.
    if (error instanceof Interrupt) throw error;
    return [];
  }
}

/** Links are not followed, as in the rest of a search. */
const isFile = (file: string) =>
  lstat(file).then(
    (found) => found.isFile(),
    () => false,
  );
