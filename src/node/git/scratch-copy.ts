/**
 * Copies a project to a temporary folder, as it is or as of a revision, with a repository of its own there. The user's files and
 * repository are only read: the copy uses the repository's objects as alternates, and nothing that the repository configures runs.
 */
import { constants } from "node:fs";
import {
  copyFile,
  lstat,
  mkdir,
  mkdtemp,
  readlink,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { inParallel } from "../../core/async.ts";
import { findProgram } from "../find-programs.ts";
import { findRepository, type Repository } from "./find-repository.ts";
import { plainGitEnvironment, QUIET, runGit } from "./git-process.ts";
import { names } from "./plumbing-output.ts";

/** no-repository: the folder is not in a Git repository. no-git: Git is not installed. no-revision: no such commit. */
export type ScratchRefusal = "no-repository" | "no-git" | "no-revision";

export class ScratchRefused extends Error {
  override name = "ScratchRefused";
  readonly code: ScratchRefusal;
  constructor(code: ScratchRefusal) {
    super(`no copy was made: ${code}`);
    this.code = code;
  }
}

export interface ScratchCopy {
  /** The folder that is only this copy's, with links resolved. */
  folder: string;
  /** The repository's top folder in the copy. */
  top: string;
  /** The project's folder in the copy. */
  root: string;
  /** The commit that is checked out in it; undefined: the repository has none. */
  commit: string | undefined;
  dispose(): Promise<void>;
}

export interface ScratchOptions {
  /** The project's folder. */
  root: string;
  /** Default: the files as they are, without ignored ones. */
  revision?: string | undefined;
  environment: NodeJS.ProcessEnv;
}

/** Rejects with ScratchRefused, and leaves nothing behind. */
export async function makeScratchCopy({ root, revision, environment }: ScratchOptions): Promise<ScratchCopy> {
  const repository = await findRepository(root);
  if (!repository) throw new ScratchRefused("no-repository");
  const env = plainGitEnvironment(environment, [repository.top, root]);
  const program = findProgram("git", env, [repository.top, root]);
  if (program === undefined) throw new ScratchRefused("no-git");
  const git = (args: readonly string[], cwd: string) => runGit(program, [...QUIET, ...args], env, cwd);
  const commit = await commitOf(git, repository, revision ?? "HEAD");
  if (commit === undefined && revision !== undefined) throw new ScratchRefused("no-revision");
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "nekode-replay-")));
  const dispose = () => rm(folder, { recursive: true, force: true });
  try {
    // Programs see the folder's name.
    const top = path.join(folder, path.basename(repository.top));
    await makeRepository(git, repository, top);
    if (commit !== undefined) {
      await git(["update-ref", "--no-deref", "HEAD", commit], top);
      await git(["read-tree", commit], top);
    }
    if (revision === undefined) await copyFiles(git, repository.top, top);
    else await git(["checkout-index", "--all", "--quiet"], top);
    const scratchRoot = path.join(top, path.relative(repository.top, await realpath(root)));
    await mkdir(scratchRoot, { recursive: true });
    return { folder, top, root: scratchRoot, commit, dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

type RunGit = (args: readonly string[], cwd: string) => Promise<Buffer>;

async function commitOf(git: RunGit, { top }: Repository, revision: string): Promise<string | undefined> {
  try {
    const hash = await git(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`],
      top,
    );
    return hash.toString("latin1").trim();
  } catch {
    // Without a message: git reports only that there is none.
    return undefined;
  }
}

async function makeRepository(git: RunGit, { commonDir, sha256 }: Repository, top: string): Promise<void> {
  const objects = path.join(commonDir, "objects");
  if (objects.includes("\n")) throw new Error("the path of the repository contains a line break");
  await mkdir(top);
  await git(["init", "--quiet", "--template=", ...(sha256 ? ["--object-format=sha256"] : [])], top);
  const info = path.join(top, ".git", "objects", "info");
  await mkdir(info, { recursive: true });
  await writeFile(path.join(info, "alternates"), `${objects}\n`);
}

/** The files that git tracks or would, byte for byte. Submodules and other repositories inside are left out. */
async function copyFiles(git: RunGit, from: string, to: string): Promise<void> {
  const listed = await git(
    ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"],
    from,
  );
  await inParallel(
    names(listed).filter((name) => !name.endsWith("/")),
    async (name) => {
      const [source, target] = [path.join(from, name), path.join(to, name)];
      const stats = await lstat(source).catch(() => undefined);
      if (!stats?.isFile() && !stats?.isSymbolicLink()) return;
      await mkdir(path.dirname(target), { recursive: true });
      if (stats.isFile()) await copyFile(source, target, constants.COPYFILE_FICLONE);
      else await symlink(await readlink(source), target);
    },
    16,
  );
}
