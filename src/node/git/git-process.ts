/** Running git's plumbing so that nothing but git runs: no configuration, hook or variable of anybody's is read. */
import { spawn } from "node:child_process";
import { devNull } from "node:os";
import { Interrupt, ToolError } from "../../core/errors.ts";
import { reasonOf } from "../../shared/reason.ts";
import { watchForPipes } from "../files/blocking-files.ts";
import { withSafePath } from "../find-programs.ts";
import { endTree } from "../shell/process-tree.ts";

export interface GitRun {
  /** Bytes for its standard input. */
  input?: Uint8Array;
  /** Bytes of what it prints that are wanted: it is ended when it has printed them. */
  most?: number;
  /** Ends it, with everything that it started. */
  signal?: AbortSignal;
}

/** git contacts no host, asks nothing, starts no program and takes no optional lock. */
export const ALONE = {
  GIT_NO_LAZY_FETCH: "1",
  // A repository may say that its objects are to be fetched from somewhere, by a program that it names.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SSH_COMMAND: ":",
  GIT_ASKPASS: ":",
} as const;

/** Before a command: no watcher, hook, pager or check of signatures. Names are printed whole, and not quoted. */
export const QUIET = [
  "core.fsmonitor=false",
  `core.hooksPath=${devNull}`,
  "core.quotePath=false",
  "color.ui=false",
  "log.showSignature=false",
  "diff.relative=false",
]
  .flatMap((setting) => ["-c", setting])
  .concat("--no-pager");

/** Milliseconds for one answer. */
const TIMEOUT_MS = 15_000;

/** Gives `work` a signal that ends it when `signal` does (then rejects with Interrupt) or when it takes too long (ToolError). */
export async function inTime<T>(
  signal: AbortSignal,
  work: (stop: { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    return await work({ signal: AbortSignal.any([signal, timeout]) });
  } catch (error) {
    if (error instanceof ToolError) throw error;
    if (signal.aborted) throw new Interrupt();
    if (timeout.aborted) throw new ToolError("git did not answer in time", reasonOf("git-timeout"));
    throw error;
  }
}

/**
 * Nothing from the user's environment that steers git, no file of settings but that of `gitDir` itself, and no folder of the
 * workspace (`roots`) in which git would look for a program.
 */
export function plainGitEnvironment(
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  const kept = Object.entries(withSafePath(environment, roots)).filter(
    ([name]) => !/^(GIT_|LD_|DYLD_|LANG|LC_|PAGER|EDITOR|VISUAL|SSH_)/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_COUNT: "0",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_LITERAL_PATHSPECS: "1",
    GIT_NO_REPLACE_OBJECTS: "1",
    ...ALONE,
  };
}

/** What it printed. Rejects with its own words when it fails. */
export function runGit(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  { input, signal, most = Number.POSITIVE_INFINITY }: GitRun = {},
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const child = spawn(program, args, {
      env,
      cwd,
      stdio: ["pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    const out: Buffer[] = [];
    let words = "";
    const closed = new Promise<void>((told) => child.once("close", () => told()));
    // With the git that it starts itself: `git stash list` runs `git log`, which does not end with it.
    const stop = () => {
      if (child.pid !== undefined) endTree({ leader: child.pid }, closed).catch(reject);
    };
    const interrupted = () => {
      watch.end();
      stop();
      reject(signal?.reason);
    };
    signal?.addEventListener("abort", interrupted, { once: true });
    const watch = watchForPipes(cwd, (file) => {
      words = `${file} is a pipe or a device, which git waits for`;
      child.kill("SIGKILL");
    });
    let size = 0;
    child.stdout.on("data", (chunk: Buffer) => {
      watch.heard();
      if (size >= most) return;
      out.push(chunk);
      size += chunk.length;
      if (size >= most) stop();
    });
    child.stderr.on("data", (chunk: Buffer) => {
      if (words.length < 4_000) words += chunk.toString();
    });
    child.on("error", (error) => {
      signal?.removeEventListener("abort", interrupted);
      watch.end();
      reject(error);
    });
    child.on("close", (code) => {
      signal?.removeEventListener("abort", interrupted);
      watch.end();
      if (code === 0 || size >= most) resolve(Buffer.concat(out));
      else
        reject(
          new Error(
            `git ${args.find((arg) => /^[a-z]/.test(arg) && !arg.includes("=")) ?? ""} failed (${code}): ${words.trim()}`,
          ),
        );
    });
    // It may end before it has read everything.
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
