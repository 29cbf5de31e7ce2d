/** What a git command touches and shows, for the part of judging that takes a look at the repository. */
import { gitTables } from "../programs/git-tables.ts";
import { type ReadOptions, readOptions } from "../programs/options.ts";
import type { Word } from "../words.ts";

export interface GitUse {
  /** The subcommand, in lower case. */
  verb: string;
  /** The folder of `-C`. */
  folder?: string;
  /** refs: names and settings; history: commits; files: the index and the working tree too; changes: anything. */
  reach: "refs" | "history" | "files" | "changes";
  /** Commands of git's that print, by `-z`, the names of the files whose content this one shows. */
  names: string[][];
  /** Operands that show a file without its name when they are a file's object. */
  objects: string[];
  /** Why it is not known what it shows. */
  unknown?: string;
}

const list = (names: string) => new Set(names.split(" "));
const REFS = list(
  "branch tag remote config rev-parse for-each-ref show-ref merge-base name-rev count-objects version",
);
const HISTORY = list("log show reflog shortlog rev-list cherry cat-file ls-tree diff-tree whatchanged");
/** The same as these reads, without what would run, or look into submodules. */
const NAMES_ONLY = [
  "--name-only",
  "-z",
  "--no-renames",
  "--no-ext-diff",
  "--no-textconv",
  "--ignore-submodules=dirty",
];

/** Options that make a patch of what would be none. */
const PATCH =
  /^(?:-p|-u|-U|-W|-c|--(?:patch|unified|function-context|cc|dd|patch-with-raw|patch-with-stat|word-diff|word-diff-regex|color-words|binary|full-index|remerge-diff|check|diff-merges))$|^-L$/;
/** Options that show something else than content. */
const NO_PATCH =
  /^(?:-s|--(?:no-patch|raw|stat|compact-summary|numstat|shortstat|dirstat|cumulative|dirstat-by-file|summary|name-only|name-status|quiet))$/;
/** Options by which other commits or files are meant. The others only say how something is shown. */
const SELECTS =
  /^(?:-[nSGmcgilEFPR]|--(?:all|branches|tags|remotes|glob|exclude|not|reflog|walk-reflogs|bisect|max-count|skip|since|until|after|before|since-as-filter|author|committer|grep|grep-reflog|all-match|invert-grep|regexp-ignore-case|basic-regexp|extended-regexp|fixed-strings|perl-regexp|pickaxe-all|pickaxe-regex|merges|no-merges|min-parents|max-parents|first-parent|left-only|right-only|cherry-pick|no-walk|do-walk|follow|cc|dd|diff-merges|root|cached|staged|merge-base|base|ours|theirs|diff-filter|ignore-missing|single-worktree))$/;

/** What the words behind `git` do; undefined where nothing is run. `words` may begin with options of git itself. */
export function gitUse(words: readonly Word[]): GitUse | undefined {
  let at = 0;
  let folder: string | undefined;
  for (; words[at]?.text.startsWith("-"); at++) {
    if (/^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env))$/.test(words[at]?.text ?? "")) {
      if (words[at]?.text === "-C") folder = words[at + 1]?.text;
      at++;
    }
  }
  const sub = words[at]?.text;
  if (sub === undefined) return undefined;
  const rest = words.slice(at + 1);
  const verb = sub.toLowerCase();
  const table = gitTables[sub];
  const reach = !table ? "changes" : REFS.has(sub) ? "refs" : HISTORY.has(sub) ? "history" : "files";
  const use: GitUse = { verb, reach, names: [], objects: [], ...(folder === undefined ? {} : { folder }) };
  // It packs every file of what it names.
  const packed = rest.find(({ text }) => !text.startsWith("-"))?.text;
  if (sub === "archive" && packed !== undefined)
    return { ...use, names: [["ls-tree", "-r", "--name-only", "-z", "--full-tree", packed]] };
  if (!table || reach === "refs") return use;
  const read = readOptions(rest, table);
  if ("reason" in read) return { ...use, unknown: read.reason };
  return { ...use, ...shownBy(sub, read, rest) };
}

type Shown = Pick<GitUse, "names" | "objects" | "unknown">;

const nothing: Shown = { names: [], objects: [] };

function shownBy(sub: string, read: ReadOptions, words: readonly Word[]): Shown {
  const has = (pattern: RegExp) => read.options.some(({ name }) => pattern.test(name));
  const operands = read.positionals.map(({ text }) => text);
  const behind = read.rest.length > 0 ? ["--", ...read.rest.map(({ text }) => text)] : [];
  const selected = read.options.flatMap((option) => (SELECTS.test(option.name) ? spelt(option) : []));
  const limit = words.filter(({ text }) => /^-\d+$/.test(text)).map(({ text }) => text);
  const quiet = has(NO_PATCH) && !has(PATCH);
  if (read.options.some(({ name, value }) => name === "--submodule" && value === "diff"))
    return { ...nothing, unknown: "submodules" };
  const history = (start: string[], revisions: string[]): Shown => ({
    names: [["log", ...start, "--format=", ...NAMES_ONLY, ...limit, ...selected, ...revisions, ...behind]],
    // HEAD:path names its file, and is judged by that.
    objects: [],
  });
  switch (sub) {
    case "diff":
    case "diff-tree": {
      if (quiet || (sub === "diff-tree" && !has(PATCH))) return nothing;
      const start = sub === "diff" ? ["diff"] : ["diff-tree", "-r", "--no-commit-id"];
      return { names: [[...start, ...NAMES_ONLY, ...selected, ...operands, ...behind]], objects: operands };
    }
    case "status":
      if (!has(/^(?:-v|--verbose)$/)) return nothing;
      return {
        names: [
          ["diff", "--cached", ...NAMES_ONLY],
          ["diff", ...NAMES_ONLY],
        ],
        objects: [],
      };
    case "show": {
      const revisions = operands.filter((text) => !namesFile(text));
      if (revisions.length === 0 && operands.length > 0) return nothing;
      const shows = history(["--no-walk", "--cc"], revisions);
      return quiet ? { names: [], objects: revisions } : { ...shows, objects: revisions };
    }
    case "log":
    case "whatchanged":
      if (!has(PATCH)) return nothing;
      return history(has(/^(?:--remerge-diff|--diff-merges)$/) ? ["-m"] : [], operands);
    case "reflog":
      return has(PATCH) ? history(["-g"], operands[0] === "show" ? operands.slice(1) : operands) : nothing;
    case "stash": {
      if (operands[0] === "list")
        return has(PATCH) ? history(["-g", "-m", "--first-parent"], ["refs/stash"]) : nothing;
      const stashes = operands.slice(1);
      return quiet
        ? nothing
        : {
            names: [["stash", "show", "--include-untracked", ...NAMES_ONLY.slice(0, 3), ...stashes]],
            objects: [],
          };
    }
    case "cat-file":
      return {
        names: [],
        objects: has(/^-p$/) || operands[0] === "blob" ? operands.filter((o) => !namesFile(o)) : [],
      };
    case "grep": {
      // Files in the working tree are looked through as those of any other search.
      const patterns = has(/^-[ef]$/) ? 0 : 1;
      if (operands.length <= patterns) return nothing;
      return {
        names: [["grep", "--name-only", "--full-name", "-z", ...words.map(({ text }) => text)]],
        objects: [],
      };
    }
    default:
      return nothing;
  }
}

/** `HEAD:path`, `:0:path`; `:/text` is a search for a commit. */
function namesFile(text: string): boolean {
  return text.includes(":") && !text.startsWith(":/");
}

function spelt({ name, value }: { name: string; value?: string }): string[] {
  if (value === undefined) return [name];
  return [name.startsWith("--") ? `${name}=${value}` : `${name}${value}`];
}
