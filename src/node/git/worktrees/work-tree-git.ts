/**
 * Runs git in one working tree to create, examine and merge worktrees: with the user's own settings, such as line endings and
 * ignored names, but without any program that these or the repository name, and without contacting other hosts.
 */
import { lstat, statfs } from "node:fs/promises";
import path from "node:path";
import { Interrupt, messageOf, ToolError } from "../../../core/errors.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { findProgram, withSafePath } from "../../find-programs.ts";
import { ownEnvironment, STEERING } from "../ask.ts";
import { disabling, filterDrivers } from "../filters.ts";
import { findRepository, type Repository } from "../find-repository.ts";
import { type GitRun, QUIET, runGit } from "../git-process.ts";
import { names } from "../plumbing-output.ts";

export interface GitTools {
  environment: NodeJS.ProcessEnv;
  /** The workspace folders, from which git is never taken. */
  roots: () => readonly string[];
}

/** Submodules are handled one by one, because each has settings of its own. */
const ALONE_TOO = ["submodule.recurse=false", "user.useConfigOnly=true", "advice.detachedHead=false"].flatMap(
  (setting) => ["-c", setting],
);

interface WorkTreeGitParts {
  repository: Repository;
  program: string;
  env: NodeJS.ProcessEnv;
  /** The configured filters, none of which is run. */
  drivers: ReadonlySet<string>;
  signal: AbortSignal;
}

export class WorkTreeGit {
  readonly repository: Repository;
  readonly signal: AbortSignal;
  readonly #program: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #drivers: ReadonlySet<string>;

  constructor(parts: WorkTreeGitParts) {
    this.repository = parts.repository;
    this.signal = parts.signal;
    this.#program = parts.program;
    this.#env = parts.env;
    this.#drivers = parts.drivers;
  }

  /** Git without the working tree, for use after that is removed. It must not run commands that require a working tree. */
  ofRepository(): WorkTreeGit {
    const { commonDir } = this.repository;
    return new WorkTreeGit({
      repository: { ...this.repository, top: commonDir, gitDir: commonDir },
      program: this.#program,
      env: { ...this.#env, GIT_DIR: commonDir, GIT_WORK_TREE: undefined },
      drivers: this.#drivers,
      signal: this.signal,
    });
  }

  get top(): string {
    return this.repository.top;
  }

  run(
    args: readonly string[],
    how: Omit<GitRun, "signal"> & { env?: NodeJS.ProcessEnv } = {},
  ): Promise<Buffer> {
    const { env = {}, ...rest } = how;
    return runGit(this.#program, [...QUIET, ...ALONE_TOO, ...args], { ...this.#env, ...env }, this.top, {
      ...rest,
      signal: this.signal,
      untilGone: true,
    });
  }

  /** The output without its last line break. */
  async text(args: readonly string[], how?: Parameters<WorkTreeGit["run"]>[1]): Promise<string> {
    return (await this.run(args, how)).toString("utf8").replace(/\n$/, "");
  }

  /** The names in an output that `-z` separates. */
  async names(args: readonly string[], how?: Parameters<WorkTreeGit["run"]>[1]): Promise<string[]> {
    return names(await this.run(args, how));
  }

  /** The full hash of a commit; undefined: there is none of that name. */
  async commitOf(revision: string): Promise<string | undefined> {
    const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`];
    const found = await this.text(args, { answers: [1, 128] });
    return /^[0-9a-f]{40,64}$/.test(found) ? found : undefined;
  }

  async isAncestor(older: string, newer: string): Promise<boolean> {
    // Lists what `older` contains and `newer` does not.
    const missing = await this.text(["rev-list", "--max-count=1", older, `^${newer}`, "--"]);
    return missing === "";
  }

  /** Those of the paths that a configured program converts when they are checked out or added. */
  async filtered(paths: readonly string[]): Promise<string[]> {
    if (this.#drivers.size === 0 || paths.length === 0) return [];
    const input = zeros(paths);
    const fields = (await this.run(["check-attr", "-z", "--stdin", "filter"], { input }))
      .toString("utf8")
      .split("\0");
    const converted: string[] = [];
    for (let at = 0; at + 2 < fields.length; at += 3) {
      if (this.#drivers.has(fields[at + 2] ?? "")) converted.push(fields[at] ?? "");
    }
    return converted;
  }

  /** Rejects with ToolError if git does not know the user's name and address, which a commit requires. */
  async requireIdentity(): Promise<void> {
    for (const name of ["GIT_AUTHOR_IDENT", "GIT_COMMITTER_IDENT"]) {
      if ((await this.text(["var", name], { answers: [1, 128] })) === "")
        throw new ToolError(
          "Git does not know who the user is: user.name and user.email are not set.",
          reasonOf("git-identity"),
        );
    }
  }
}

/** Opens the repository of a folder. Rejects with ToolError if there is none, it is bare, or git is missing. */
export async function openWorkTree(
  folder: string,
  { environment, roots }: GitTools,
  signal: AbortSignal,
): Promise<WorkTreeGit> {
  const repository = await findRepository(folder).catch(() => undefined);
  if (!repository && (await isBare(folder)))
    throw new ToolError("The repository is bare: it has no working tree.", reasonOf("repository-bare"));
  if (!repository)
    throw new ToolError("the folder is not in a Git repository", reasonOf("not-in-repository"));
  const outside = [...roots(), repository.top];
  const program = findProgram("git", environment, outside);
  if (program === undefined) throw new ToolError("Git is not installed", reasonOf("git-missing"));
  const own = Object.entries(ownEnvironment(withSafePath(environment, outside)));
  const plain = {
    ...Object.fromEntries(own.filter(([name]) => !STEERING.test(name))),
    GIT_LITERAL_PATHSPECS: "1",
    // A repository can configure another folder as its working tree.
    GIT_DIR: repository.gitDir,
    GIT_WORK_TREE: repository.top,
  };
  const drivers = await filterDrivers(program, plain, repository.top, { signal });
  const env = { ...plain, ...disabling(drivers, plain) };
  return new WorkTreeGit({ repository, program, env, drivers, signal });
}

async function isBare(folder: string): Promise<boolean> {
  const parts = await Promise.all(
    ["HEAD", "objects", "refs"].map((name) => lstat(path.join(folder, name)).catch(() => undefined)),
  );
  return parts.every((part) => part !== undefined);
}

export function zeros(all: readonly string[]): Buffer {
  return Buffer.from(all.map((name) => `${name}\0`).join(""));
}

const FULL = /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/;
/** What git prints, without the reason, when a disk is full. */
const NOT_WRITTEN = /unable to write file/;
/** Bytes that may be free on a full disk after git removed its incomplete files. */
const NEARLY_FULL = 64_000_000;

/** The error for the user and the model when a step failed. `folder`: where it wrote. */
export async function worktreeError(error: unknown, folder: string): Promise<Error> {
  if (error instanceof ToolError || error instanceof Interrupt) return error;
  const words = messageOf(error);
  const isFull = FULL.test(words) || (NOT_WRITTEN.test(words) && (await freeBytes(folder)) < NEARLY_FULL);
  if (isFull) return new ToolError(`The disk is full: ${words}`, reasonOf("disk-full"));
  return new ToolError(words, reasonOf("system-error", words));
}

async function freeBytes(folder: string): Promise<number> {
  const found = await statfs(folder).catch(() => undefined);
  return found ? found.bavail * found.bsize : Number.POSITIVE_INFINITY;
}
