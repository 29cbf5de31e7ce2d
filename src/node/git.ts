/** ports.Git: what git says of a repository, for the model. Reads only, and runs nothing that a repository configures. */
import { Interrupt, messageOf, ToolError } from "../core/errors.ts";
import type { Git, TextBounds } from "../core/ports.ts";
import { sliceWhole } from "../core/text.ts";
import { findRepository } from "./git-find.ts";
import { plainGitEnvironment, runGit } from "./git-process.ts";
import { findProgram } from "./programs.ts";

/** Before each command: no watcher, hook, pager, helper or check of signatures of the repository's is started. */
const quiet = [
  "-c",
  "core.fsmonitor=false",
  "-c",
  "core.hooksPath=/dev/null",
  "-c",
  "core.quotePath=false",
  "-c",
  "color.ui=false",
  "-c",
  "log.showSignature=false",
  "--no-pager",
];
/** What goes on in a submodule is not looked at: it has settings of its own. */
const plainDiff = ["--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty"];
const statusArgs = ["status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"];
/** Milliseconds for one command. */
const timeoutMs = 15_000;
const mostCommits = 50;
/** So it ends where there is no such commit, whatever is asked of it. */
const showsNothing = /failed \(\d+\): (?:fatal: (?:ambiguous argument|bad revision)|No stash entries found)/;
/** Between the fields of a commit. */
const separator = "\u001f";

/** `roots`: the folders of the workspace now; no git is taken from there. */
export function createGit(environment: NodeJS.ProcessEnv, roots: () => readonly string[]): Git {
  async function run(
    folder: string,
    args: readonly string[],
    { limit, signal }: TextBounds,
    more: { input?: string; environment?: NodeJS.ProcessEnv } = {},
  ): Promise<string> {
    const ours = roots();
    const git = findProgram("git", environment, ours);
    if (git === undefined) throw new ToolError("git is not installed");
    const repository = await findRepository(folder).catch(() => undefined);
    if (!repository) throw new ToolError("the folder is in no git repository");
    const timeout = AbortSignal.timeout(timeoutMs);
    // A repository may name another folder as its files: the person opened this one.
    const plain = { ...plainGitEnvironment(environment, ours), GIT_WORK_TREE: repository.top };
    const stop = { signal: AbortSignal.any([signal, timeout]) };
    try {
      const env = { ...plain, ...(await withoutFilters(git, plain, folder, stop)), ...more.environment };
      const input = more.input === undefined ? {} : { input: new TextEncoder().encode(more.input) };
      // Characters are at most so many bytes, and what lies beyond is neither waited for nor decoded.
      const out = await runGit(git, [...quiet, ...args], env, folder, {
        ...stop,
        ...input,
        most: limit * 4,
      });
      return sliceWhole(out.subarray(0, limit * 4).toString("utf8"), 0, limit);
    } catch (error) {
      if (signal.aborted) throw new Interrupt();
      if (timeout.aborted) throw new ToolError("git did not answer in time");
      throw new ToolError(messageOf(error));
    }
  }

  return {
    async workingState(folder, bounds) {
      const status = await run(folder, [...statusArgs], bounds);
      const changed = status.split("\n").some((line) => line !== "" && !line.startsWith("##"));
      if (!changed) return `${status.trimEnd()}\n(nothing is uncommitted)`;
      // Before the first commit there is nothing to compare with but the index.
      const diff = await run(folder, ["diff", "HEAD", ...plainDiff], bounds).catch((error: unknown) => {
        if (error instanceof Interrupt) throw error;
        return run(folder, ["diff", "--cached", ...plainDiff], bounds);
      });
      return `${status.trimEnd()}\n\n${diff.trimEnd()}`.trimEnd();
    },

    async commit(folder, hash, bounds) {
      if (!/^[0-9a-f]{4,64}$/i.test(hash)) throw new ToolError("that is not a commit's hash");
      return run(
        folder,
        ["show", "--stat", "--patch", "--format=fuller", ...plainDiff, `${hash}^{commit}`, "--"],
        bounds,
      );
    },

    async names(folder, args, bounds) {
      const environment = { GIT_LITERAL_PATHSPECS: "0" };
      const out = await run(folder, ["-c", "diff.relative=false", ...args], bounds, { environment }).catch(
        (error: unknown) => {
          if (showsNothing.test(messageOf(error))) return "";
          throw error;
        },
      );
      if (out.length >= bounds.limit) throw new ToolError("git names too many files");
      return out.split("\0").filter((name) => name !== "");
    },

    async filesAmong(folder, revisions, bounds) {
      if (revisions.some((revision) => revision.includes("\n"))) return [...revisions];
      // A tag is followed to what it stands for.
      const input = revisions.map((revision) => `${revision}^{}\n`).join("");
      const out = await run(folder, ["cat-file", "--batch-check=%(objecttype)"], bounds, { input });
      const kinds = out.split("\n");
      return revisions.filter((_, index) => kinds[index] === "blob");
    },

    async commits(folder, query, bounds) {
      const format = `--format=%H${separator}%s${separator}%aI`;
      const isHash = /^[0-9a-f]{4,40}$/i.test(query);
      const search = query === "" ? [] : ["--regexp-ignore-case", "--fixed-strings", `--grep=${query}`];
      const list = (args: string[]) =>
        run(folder, ["log", `--max-count=${mostCommits}`, format, ...args, "--"], bounds);
      const named = isHash ? await list(["--max-count=1", query]).catch(() => "") : "";
      const found = await list(search).catch((error: unknown) => {
        if (error instanceof Interrupt) throw error;
        return "";
      });
      const lines = [...new Set(`${named}\n${found}`.split("\n"))].filter((line) => line.includes(separator));
      return lines.slice(0, mostCommits).map((line) => {
        const [commit = "", subject = "", date = ""] = line.split(separator);
        return { hash: commit, subject, date };
      });
    },
  };
}

/**
 * Settings for one command, by which no filter runs: git passes a file through the programs that the repository names for
 * it whenever it has to compare the file. An empty command is none.
 */
async function withoutFilters(
  git: string,
  env: NodeJS.ProcessEnv,
  folder: string,
  stop: { signal: AbortSignal },
): Promise<NodeJS.ProcessEnv> {
  const args = ["config", "--null", "--name-only", "--get-regexp", "^filter\\."];
  const listed = await runGit(git, args, env, folder, stop).catch((error: unknown) => {
    // So it ends where there is none.
    if (messageOf(error).includes("failed (1)")) return Buffer.alloc(0);
    throw error;
  });
  const text = listed.toString("utf8");
  if (text.includes("\uFFFD")) throw new Error("the repository names a filter that cannot be switched off");
  const drivers = new Set<string>();
  for (const key of text.split("\0")) {
    const driver = /^filter\.([\s\S]*)\.[^.]+$/.exec(key)?.[1];
    if (driver !== undefined) drivers.add(driver);
  }
  const settings = [...drivers].flatMap((driver) => [
    ...["clean", "smudge", "process"].map((name) => [`filter.${driver}.${name}`, ""]),
    [`filter.${driver}.required`, "false"],
  ]);
  return Object.fromEntries([
    ["GIT_CONFIG_COUNT", String(settings.length)],
    ...settings.flatMap(([key, value], index) => [
      [`GIT_CONFIG_KEY_${index}`, key],
      [`GIT_CONFIG_VALUE_${index}`, value],
    ]),
  ]);
}
