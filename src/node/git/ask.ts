/** Asks git what a command would show, with the user's configuration but without starting any program that it names. */
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { TextBounds } from "../../core/ports/git.ts";
import { withoutFilters } from "./filters.ts";
import { ALONE, inTime, QUIET, runGit } from "./git-process.ts";

/** Variables that make git use another repository or other objects than those of its working folder. */
export const STEERING =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|SHALLOW_FILE|GRAFT_FILE)$/;

/** git's errors for a revision that does not exist. */
const SHOWS_NOTHING =
  /failed \(\d+\): (?:fatal: (?:ambiguous argument '[^']*': unknown revision|bad revision|your current branch '[^']*' does not have any commits yet)|(?:error: .*\n)?No stash entries found)/;
/** git's errors for a search without matches and for a missing setting. */
const NOTHING_FOUND = /^git (?:grep|config) failed \(1\): $/;
/** Only these commands read files of the working tree through configured filters. */
const FILTERED = /^diff(?:-index|-files)?$/;

/** See `Git.ask`. `environment`: its PATH must not contain a workspace folder. `run`: starts git. */
export async function askGit(
  git: string,
  environment: NodeJS.ProcessEnv,
  folder: string,
  args: readonly string[],
  { limit, signal }: TextBounds,
  input?: string,
  run: typeof runGit = runGit,
): Promise<string | undefined> {
  const plain = ownEnvironment(environment);
  const filtered = args.some((arg) => FILTERED.test(arg));
  try {
    return await inTime(signal, async (stop) => {
      const env = filtered ? { ...plain, ...(await withoutFilters(git, plain, folder, stop, run)) } : plain;
      const out = await run(git, [...QUIET, ...args], env, folder, {
        ...stop,
        most: limit,
        ...(input === undefined ? {} : { input: new TextEncoder().encode(input) }),
      });
      if (out.length >= limit) throw new ToolError("Git lists too many files");
      return out.toString("utf8");
    });
  } catch (error) {
    if (error instanceof ToolError || error instanceof Interrupt) throw error;
    const message = messageOf(error);
    if (NOTHING_FOUND.test(message)) return "";
    if (SHOWS_NOTHING.test(message)) return undefined;
    throw new ToolError(message);
  }
}

/** The environment of the user's commands, without variables that start programs, trace or write files. */
export function ownEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const variables = Object.entries(environment).filter(
    ([name]) => !/^(?:GIT_TRACE.*|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|LANG|LC_.*|LANGUAGE)$/i.test(name),
  );
  return {
    ...Object.fromEntries(variables),
    LC_ALL: "C",
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
    ...ALONE,
  };
}
