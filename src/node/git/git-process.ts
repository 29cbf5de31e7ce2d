/** Runs git so that no other program starts: without hooks, pagers, network access, or variables that change its behavior. */
import { devNull } from "node:os";
import { Interrupt, ToolError } from "../../core/errors.ts";
import { reasonOf } from "../../shared/reason.ts";
import { withSafePath } from "../find-programs.ts";
import { runProgram } from "../run-program.ts";

export interface GitRun {
  /** Bytes for its standard input. */
  input?: Uint8Array;
  /** Bytes of output to read; git is ended after that many. */
  most?: number;
  /** Ends git and everything that it started. */
  signal?: AbortSignal;
  /** Rejects after an abort only when git is gone, so that it writes nothing after that. */
  untilGone?: boolean;
  /** Exit codes other than 0 that are valid results. */
  answers?: readonly number[];
}

/** With these variables git contacts no host, does not prompt, starts no program and takes no optional lock. */
export const ALONE = {
  GIT_NO_LAZY_FETCH: "1",
  // A repository can configure its objects to be fetched by a program that it names.
  GIT_ALLOW_PROTOCOL: "none",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SSH_COMMAND: ":",
  GIT_ASKPASS: ":",
} as const;

/** Options before a command: no file system monitor, hooks, pager or signature checks. Names are printed in full and unquoted. */
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

/** Milliseconds for one call of `inTime`. */
const TIMEOUT_MS = 15_000;

/** Runs `work` with a signal that aborts with `signal` (then rejects with Interrupt) or after a timeout (ToolError). */
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
    if (timeout.aborted) throw new ToolError("Git did not respond in time", reasonOf("git-timeout"));
    throw error;
  }
}

/**
 * The environment for git without the user's git variables, without configuration files other than the repository's own, and
 * without workspace folders (`roots`) in PATH.
 */
export function plainGitEnvironment(
  environment: NodeJS.ProcessEnv,
  roots: readonly string[],
): NodeJS.ProcessEnv {
  const variables = Object.entries(withSafePath(environment, roots)).filter(
    ([name]) => !/^(GIT_|LD_|DYLD_|LANG|LC_|PAGER|EDITOR|VISUAL|SSH_)/i.test(name),
  );
  return {
    ...Object.fromEntries(variables),
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

/** Bytes of git's error messages that are kept. */
const MOST_ERRORS = 4_000;

/** Resolves with git's output. Rejects with git's error message if it fails, and with the signal's reason if that aborts. */
export async function runGit(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
  { input, signal, most = Number.POSITIVE_INFINITY, untilGone = false, answers = [] }: GitRun = {},
): Promise<Buffer> {
  const out: Buffer[] = [];
  let size = 0;
  const { exitCode, stderr, blockedOn, endedBy } = await runProgram({
    file: program,
    args,
    cwd,
    environment: env,
    ...(input && { input }),
    signal,
    outputLimit: MOST_ERRORS,
    onOutput(chunk) {
      out.push(chunk);
      size += chunk.length;
      return size < most;
    },
    // Ends child processes too: `git stash list` runs `git log`, which would outlive it.
    scope: "tree",
    leavesAtOnce: !untilGone,
    watchesFiles: true,
  });
  if (exitCode === 0 || (exitCode !== null && answers.includes(exitCode)) || endedBy !== undefined)
    return Buffer.concat(out);
  const command = args.find((arg) => /^[a-z]/.test(arg) && !arg.includes("=")) ?? "";
  const why =
    blockedOn === undefined
      ? Buffer.from(stderr.bytes).toString().trim()
      : `${blockedOn} is a pipe or a device, which git waits for`;
  throw new Error(`git ${command} failed (${exitCode}): ${why}`);
}
