/** The `Git` port: reads repository information for the model. Never writes, and runs nothing that a repository configures. */
import { Interrupt, messageOf, ToolError } from "../../core/errors.ts";
import type { DiffRange, Git, TextBounds } from "../../core/ports/git.ts";
import { sliceWhole } from "../../core/text.ts";
import { reasonOf } from "../../shared/reason.ts";
import { type EncodingNames, editorConfigNames } from "../files/encoding-names.ts";
import { findProgram, withSafePath } from "../find-programs.ts";
import { askGit, STEERING } from "./ask.ts";
import { diffText } from "./diff-text.ts";
import { withoutFilters } from "./filters.ts";
import { findRepository } from "./find-repository.ts";
import { inTime, plainGitEnvironment, QUIET, runGit } from "./git-process.ts";

/** Changes in submodules are not examined, because a submodule has its own settings. */
const PLAIN_DIFF = [
  ...["--no-ext-diff", "--no-textconv", "--submodule=short", "--ignore-submodules=dirty"],
  // A repository can configure other prefixes.
  ...["--src-prefix=a/", "--dst-prefix=b/"],
];
const STATUS_ARGS = [
  "status",
  "--short",
  "--branch",
  "--untracked-files=normal",
  "--ignore-submodules=dirty",
];
const MOST_COMMITS = 50;
/** Separates the fields of a commit. */
const SEPARATOR = "\u001f";

function rangeArgs(range: Exclude<DiffRange, "working">): string[] {
  if (range === "staged") return ["--cached"];
  const ends = [range.from, ...(range.to === undefined ? [] : [range.to])];
  if (!ends.every((end) => end === "HEAD" || /^[0-9a-f]{4,64}$/.test(end)))
    throw new ToolError("the text is not a commit hash", reasonOf("not-a-commit"));
  return ends;
}

/** `roots`: the current workspace folders, from which git is never taken. `names`: what names the encoding of a file. */
export function createGit(
  environment: NodeJS.ProcessEnv,
  roots: () => readonly string[],
  names: EncodingNames = editorConfigNames,
): Git {
  function programOf(): string {
    const git = findProgram("git", environment, roots());
    if (git === undefined) throw new ToolError("Git is not installed", reasonOf("git-missing"));
    return git;
  }

  async function run(
    folder: string,
    args: readonly string[],
    { limit, signal }: TextBounds,
  ): Promise<string> {
    const git = programOf();
    const repository = await findRepository(folder).catch(() => undefined);
    if (!repository)
      throw new ToolError("the folder is not in a Git repository", reasonOf("not-in-repository"));
    // A repository can configure another folder as its working tree; the user opened this one.
    const plain = { ...plainGitEnvironment(environment, roots()), GIT_WORK_TREE: repository.top };
    try {
      return await inTime(signal, async (stop) => {
        const env = { ...plain, ...(await withoutFilters(git, plain, folder, stop)) };
        // A character has at most four bytes; git is ended after that many.
        const out = await runGit(git, [...QUIET, ...args], env, folder, { ...stop, most: limit * 4 });
        const text = await diffText(out.subarray(0, limit * 4), { top: repository.top, names });
        return sliceWhole(text, 0, limit);
      });
    } catch (error) {
      throw error instanceof Interrupt || error instanceof ToolError
        ? error
        : new ToolError(messageOf(error));
    }
  }

  return {
    async workingState(folder, bounds) {
      const status = await run(folder, [...STATUS_ARGS], bounds);
      const changed = status.split("\n").some((line) => line !== "" && !line.startsWith("##"));
      if (!changed) return `${status.trimEnd()}\n(nothing is uncommitted)`;
      // Before the first commit, only the index can be compared.
      const diff = await run(folder, ["diff", "HEAD", ...PLAIN_DIFF], bounds).catch((error: unknown) => {
        if (error instanceof Interrupt) throw error;
        return run(folder, ["diff", "--cached", ...PLAIN_DIFF], bounds);
      });
      return `${status.trimEnd()}\n\n${diff.trimEnd()}`.trimEnd();
    },

    async commit(folder, hash, bounds) {
      if (!/^[0-9a-f]{4,64}$/i.test(hash))
        throw new ToolError("the text is not a commit hash", reasonOf("not-a-commit"));
      return run(
        folder,
        ["show", "--stat", "--patch", "--format=fuller", ...PLAIN_DIFF, `${hash}^{commit}`, "--"],
        bounds,
      );
    },

    async diff(folder, range, bounds) {
      const diff = (args: readonly string[]) =>
        run(folder, ["diff", "--find-renames", "--unified=2", ...PLAIN_DIFF, ...args, "--"], bounds);
      if (range !== "working") return diff(rangeArgs(range));
      return diff(["HEAD"]).catch((error: unknown) => {
        if (error instanceof Interrupt) throw error;
        return diff(["--cached"]);
      });
    },

    steeredBy: Object.keys(environment).find((name) => STEERING.test(name)),

    async ask(folder, args, bounds, input) {
      return askGit(programOf(), withSafePath(environment, roots()), folder, args, bounds, input);
    },

    async commits(folder, query, bounds) {
      const format = `--format=%H${SEPARATOR}%s${SEPARATOR}%aI`;
      const isHash = /^[0-9a-f]{4,40}$/i.test(query);
      const search = query === "" ? [] : ["--regexp-ignore-case", "--fixed-strings", `--grep=${query}`];
      const list = (args: string[]) =>
        run(folder, ["log", `--max-count=${MOST_COMMITS}`, format, ...args, "--"], bounds);
      const named = isHash ? await list(["--max-count=1", query]).catch(() => "") : "";
      const found = await list(search).catch((error: unknown) => {
        if (error instanceof Interrupt) throw error;
        return "";
      });
      const lines = [...new Set(`${named}\n${found}`.split("\n"))].filter((line) => line.includes(SEPARATOR));
      return lines.slice(0, MOST_COMMITS).map((line) => {
        const [commit = "", subject = "", date = ""] = line.split(SEPARATOR);
        return { hash: commit, subject, date };
      });
    },
  };
}
