/** Asking git what a command of the user's would show: by their own configuration, without any program that it names. */
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { TextBounds } from "../../core/ports/text-bounds.ts";
import { withoutFilters } from "./filters.ts";
import { ALONE, inTime, QUIET, runGit } from "./git-process.ts";

/** Variables by which git takes another repository or other objects than those of the folder that it runs in. */
export const STEERING =
  /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|NAMESPACE|SHALLOW_FILE|GRAFT_FILE)$/;

/** So it ends where there is no such revision, whatever is asked of it. */
const SHOWS_NOTHING =
  /failed \(\d+\): (?:fatal: (?:ambiguous argument '[^']*': unknown revision|bad revision|your current branch '[^']*' does not have any commits yet)|(?:error: .*\n)?No stash entries found)/;
/** A search that finds nothing, and a setting that is not there. */
const NOTHING_FOUND = /^git (?:grep|config) failed \(1\): $/;
/** Only these look at files of the working tree through the filters that are configured for them. */
const FILTERED = /^diff(?:-index|-files)?$/;

/** See `Git.ask`. `environment` has no folder of the workspace in its PATH; `run` is what starts git. */
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
      if (out.length >= limit) throw new ToolError("git names too many files");
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

/** The environment of the user's own commands, without what starts programs, traces or writes. */
function ownEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(
    ([name]) => !/^(?:GIT_TRACE.*|GIT_EXTERNAL_DIFF|GIT_PROXY_COMMAND|LANG|LC_.*|LANGUAGE)$/i.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TRACE2: "0",
    GIT_TRACE2_EVENT: "0",
    GIT_TRACE2_PERF: "0",
    ...ALONE,
  };
}
