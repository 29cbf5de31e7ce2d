/** The `Git` port: what git says of a repository, for the model. Reads only, and runs nothing that a repository configures. */
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { Git } from "../../core/ports/git.ts";
import type { TextBounds } from "../../core/ports/text-bounds.ts";
import { sliceWhole } from "../../core/text.ts";
import { reasonOf } from "../../shared/reason.ts";
import { findProgram, withSafePath } from "../find-programs.ts";
import { askGit, STEERING } from "./ask.ts";
import { withoutFilters } from "./filters.ts";
import { findRepository } from "./find-repository.ts";
import { inTime, plainGitEnvironment, QUIET, runGit } from "./git-process.ts";

/** What goes on in a submodule is not looked at: it has settings of its own. */
const plainDiff = ["--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty"];
const statusArgs = ["status", "--short", "--branch", "--untracked-files=normal", "--ignore-submodules=dirty"];
const mostCommits = 50;
/** Between the fields of a commit. */
const separator = "\u001f";

/** `roots`: the folders of the workspace now; no git is taken from there. */
export function createGit(environment: NodeJS.ProcessEnv, roots: () => readonly string[]): Git {
  function programOf(): string {
    const git = findProgram("git", environment, roots());
    if (git === undefined) throw new ToolError("git is not installed", reasonOf("git-missing"));
    return git;
  }

  async function run(
    folder: string,
    args: readonly string[],
    { limit, signal }: TextBounds,
  ): Promise<string> {
    const git = programOf();
    const repository = await findRepository(folder).catch(() => undefined);
    if (!repository) throw new ToolError("the folder is in no git repository", reasonOf("not-in-repository"));
    // A repository may name another folder as its files: the person opened this one.
    const plain = { ...plainGitEnvironment(environment, roots()), GIT_WORK_TREE: repository.top };
    try {
      return await inTime(signal, async (stop) => {
        const env = { ...plain, ...(await withoutFilters(git, plain, folder, stop)) };
        // A character has at most four bytes; what is beyond is neither waited for nor decoded.
        const out = await runGit(git, [...QUIET, ...args], env, folder, { ...stop, most: limit * 4 });
        return sliceWhole(out.subarray(0, limit * 4).toString("utf8"), 0, limit);
      });
    } catch (error) {
      throw error instanceof Interrupt || error instanceof ToolError
        ? error
        : new ToolError(messageOf(error));
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
      if (!/^[0-9a-f]{4,64}$/i.test(hash))
        throw new ToolError("that is not a commit's hash", reasonOf("not-a-commit"));
      return run(
        folder,
        ["show", "--stat", "--patch", "--format=fuller", ...plainDiff, `${hash}^{commit}`, "--"],
        bounds,
      );
    },

    steeredBy: Object.keys(environment).find((name) => STEERING.test(name)),

    async ask(folder, args, bounds, input) {
      return askGit(programOf(), withSafePath(environment, roots()), folder, args, bounds, input);
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
