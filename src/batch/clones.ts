/** Keeps one clone of each repository that tasks name. Worktrees are created from the clones, which later tasks use again. */
import { createHash } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { devNull } from "node:os";
import path from "node:path";
import { messageOf } from "../core/errors.ts";
import { isFolder } from "../node/files/fs-errors.ts";
import { findProgram, withSafePath } from "../node/find-programs.ts";
import { runGit } from "../node/git/git-process.ts";
import { withLock } from "../node/store/process-locks.ts";
import { TaskFault } from "./task-fault.ts";

/** Milliseconds for a clone or a fetch, and for waiting until another process has finished one. */
const TRANSFER_MS = 30 * 60_000;

/** Programs that a repository configures do not run; credential helpers and SSH of the user do. */
const PLAIN = ["-c", `core.hooksPath=${devNull}`, "-c", "core.fsmonitor=false"];

export class Clones {
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = gitEnvironment(environment);
  }

  /** Resolves with the folder of a clone, and the commit that `rev` names in it. Rejects with TaskFault. */
  async at(
    repo: string,
    rev: string | undefined,
    signal: AbortSignal,
  ): Promise<{ folder: string; commit: string }> {
    const folder = path.join(this.#folder, createHash("sha256").update(repo).digest("hex").slice(0, 16));
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const stop = AbortSignal.any([signal, AbortSignal.timeout(TRANSFER_MS)]);
    try {
      return await withLock(`${folder}.lock`, () => this.#update(folder, repo, rev, stop), TRANSFER_MS);
    } catch (error) {
      if (error instanceof TaskFault || signal.aborted) throw error;
      const why = stop.aborted ? "it took too long" : withoutCredentials(messageOf(error));
      throw new TaskFault({ code: "not-cloned", repo: withoutCredentials(repo), why });
    }
  }

  async #update(folder: string, repo: string, rev: string | undefined, signal: AbortSignal) {
    const git = (cwd: string, ...args: string[]) => this.#git(cwd, args, signal);
    const resolve = async (name: string) => {
      const args = ["rev-parse", "--verify", "--quiet", "--end-of-options", `${name}^{commit}`];
      return (await git(folder, ...args).catch(() => "")).trim();
    };
    const isHash = rev !== undefined && /^[0-9a-f]{40,64}$/i.test(rev);
    if (!(await isFolder(folder))) {
      const draft = `${folder}.draft`;
      await rm(draft, { recursive: true, force: true });
      await git(this.#folder, "clone", "--quiet", "--no-checkout", "--", repo, draft);
      await rename(draft, folder);
    } else if (!isHash || (await resolve(rev)) === "")
      await git(folder, "fetch", "--quiet", "--tags", "--force", "--prune", "origin");
    const names =
      rev === undefined
        ? ["refs/remotes/origin/HEAD", "HEAD"]
        : [`refs/remotes/origin/${rev}`, `refs/tags/${rev}`, rev];
    for (const name of names) {
      const commit = await resolve(name);
      if (commit !== "") return { folder, commit };
    }
    // A commit that is on no branch, such as that of a pull request.
    if (isHash) await git(folder, "fetch", "--quiet", "origin", rev).catch(() => "");
    const commit = isHash ? await resolve(rev) : "";
    if (commit === "") throw new TaskFault({ code: "no-revision", rev: rev ?? "HEAD" });
    return { folder, commit };
  }

  async #git(cwd: string, args: readonly string[], signal: AbortSignal): Promise<string> {
    const program = findProgram("git", this.#environment, []);
    if (program === undefined) throw new TaskFault({ code: "no-git" });
    return (await runGit(program, [...PLAIN, ...args], this.#environment, cwd, { signal })).toString("utf8");
  }
}

/** The user's environment, without what points git to other repositories, and without prompts. */
function gitEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables = Object.entries(withSafePath(environment, [])).filter(
    ([name]) => !/^(?:NEKODE_|GIT_(?!SSH|ASKPASS|SSL|HTTP|PROXY|CONFIG|TERMINAL))/i.test(name),
  );
  return {
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
    ...Object.fromEntries(variables),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ALLOW_PROTOCOL: "file:git:http:https:ssh",
  };
}

/** A URL can contain a password or a token. */
export function withoutCredentials(text: string): string {
  return text.replaceAll(/(\/\/)[^/\s@]+@/g, "$1***@");
}
