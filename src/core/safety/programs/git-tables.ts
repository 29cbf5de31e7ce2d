import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";
import type { OptionTable, ReadOptions } from "./option-tables.ts";

export interface GitTable extends OptionTable {
  /** Returns why these operands ask; `first` is the first of `words`, which are all words after the subcommand. */
  operands?(read: ReadOptions, first: string | undefined, words: readonly Word[]): Reason | undefined;
}

const DIFF_LONG =
  "patch no-patch unified raw patch-with-raw indent-heuristic no-indent-heuristic minimal patience histogram stat compact-summary numstat shortstat dirstat cumulative dirstat-by-file summary patch-with-stat name-only name-status submodule color no-color color-moved no-color-moved no-color-moved-ws word-diff color-words no-renames no-rename-empty rename-empty check full-index binary abbrev break-rewrites find-renames find-copies find-copies-harder irreversible-delete pickaxe-all pickaxe-regex relative no-relative text ignore-cr-at-eol ignore-space-at-eol ignore-space-change ignore-all-space ignore-blank-lines function-context exit-code quiet no-ext-diff no-textconv ignore-submodules no-prefix default-prefix ita-invisible-in-index";
const DIFF_VALUED =
  "diff-filter skip-to rotate-to src-prefix dst-prefix line-prefix color-moved-ws word-diff-regex ws-error-highlight diff-algorithm anchored inter-hunk-context stat-width stat-name-width stat-count stat-graph-width output-indicator-new output-indicator-old output-indicator-context";
const DIFF: OptionTable = { short: "pusztrabwWRcm", attached: "UMCDBX", valued: "lSGO", number: true };

const LOG_LONG =
  "follow no-decorate decorate no-decorate-refs clear-decorations source no-mailmap mailmap use-mailmap log-size all-match invert-grep regexp-ignore-case basic-regexp extended-regexp fixed-strings perl-regexp remove-empty merges no-merges min-parents max-parents no-min-parents no-max-parents first-parent exclude-first-parent-only not all branches tags remotes reflog single-worktree ignore-missing bisect boundary left-right left-only right-only cherry-pick cherry-mark cherry walk-reflogs merge merge-base simplify-by-decoration full-history show-pulls dense sparse simplify-merges ancestry-path date-order author-date-order topo-order reverse no-walk do-walk abbrev-commit no-abbrev-commit no-abbrev oneline pretty format expand-tabs no-expand-tabs notes no-notes no-standard-notes show-notes parents children timestamp count graph no-graph relative-date dd combined-all-paths no-diff-merges cc root objects";
const LOG_VALUED =
  "encoding date diff-merges max-count skip since after until before since-as-filter author committer grep grep-reflog glob exclude decorate-refs decorate-refs-exclude";
const LOG: OptionTable = {
  short: `${DIFF.short}giEFPqN`,
  ...(DIFF.attached ? { attached: DIFF.attached } : {}),
  valued: "lSGOnL",
  number: true,
  long: `${DIFF_LONG} ${LOG_LONG}`,
  longValued: `${DIFF_VALUED} ${LOG_VALUED}`,
};

const none = (name: string) => (read: ReadOptions) =>
  read.positionals.length + read.rest.length > 0 ? reasonOf("git-changes", name) : undefined;

/** Accepts only the form that lists: with an operand, these subcommands create, move or delete. */
const listing = (name: string, lists: RegExp) => (read: ReadOptions) =>
  read.positionals.length + read.rest.length === 0 || read.options.some((o) => lists.test(o.name))
    ? undefined
    : reasonOf("git-changes", name);

/** Subcommands that only show, each with the options that do not change that. */
export const gitTables: Partial<Record<string, GitTable>> = {
  status: {
    short: "sbvz",
    attached: "uM",
    long: "short branch show-stash porcelain long verbose untracked-files ignore-submodules ignored column no-column ahead-behind no-ahead-behind renames no-renames find-renames null",
  },
  diff: {
    ...DIFF,
    long: `${DIFF_LONG} cached staged merge-base base ours theirs no-index`,
    longValued: DIFF_VALUED,
  },
  log: LOG,
  show: LOG,
  whatchanged: LOG,
  shortlog: {
    ...LOG,
    short: `${LOG.short}sen`,
    valued: "lSGOL",
    attached: `${LOG.attached}w`,
    long: `${LOG.long} summary numbered email`,
    longValued: `${LOG.longValued} group`,
  },
  "rev-list": { ...LOG, long: `${LOG.long} header objects-edge`, longValued: LOG.longValued ?? "" },
  reflog: {
    ...LOG,
    operands: (_, first) =>
      /^(?:expire|delete|drop|write)$/.test(first ?? "") ? reasonOf("git-changes", "git reflog") : undefined,
  },
  grep: {
    short: "aIivwEGFPnlLzohHWcqpr",
    valued: "ABCmef",
    number: true,
    long: "cached untracked no-exclude-standard exclude-standard recurse-submodules invert-match ignore-case word-regexp text no-textconv recursive no-recursive full-name extended-regexp basic-regexp fixed-strings perl-regexp line-number column files-with-matches name-only files-without-match null only-matching count color no-color break heading show-function function-context quiet all-match and or not",
    longValued: "max-depth max-count context after-context before-context threads",
  },
  blame: {
    short: "bltfnwscepk",
    attached: "MC",
    valued: "L",
    long: "root show-stats porcelain line-porcelain incremental progress no-progress score-debug show-name show-number show-email abbrev date color-lines color-by-age minimal first-parent",
    longValued: "ignore-rev",
  },
  "ls-files": {
    short: "cdmoiskutvfzr",
    valued: "x",
    long: "cached deleted modified others ignored stage directory no-empty-directory unmerged killed error-unmatch full-name recurse-submodules abbrev debug eol deduplicate exclude-standard",
    longValued: "exclude exclude-per-directory format",
  },
  "ls-tree": {
    short: "drtlz",
    long: "long name-only name-status object-only full-name full-tree abbrev",
    longValued: "format",
  },
  "rev-parse": {
    short: "q",
    long: "verify quiet short symbolic symbolic-full-name abbrev-ref all branches tags remotes show-toplevel show-cdup show-prefix git-dir git-common-dir absolute-git-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-superproject-working-tree show-object-format revs-only no-revs flags no-flags",
    longValued: "git-path disambiguate default",
  },
  describe: {
    short: "",
    long: "all tags contains abbrev exact-match debug long always first-parent dirty broken",
    longValued: "candidates match exclude",
  },
  branch: {
    short: "arvi",
    long: "all remotes verbose list show-current no-color color column no-column ignore-case no-abbrev abbrev contains no-contains merged no-merged",
    longValued: "sort points-at format",
    operands: listing("git branch", /^--(?:list|contains|no-contains|merged|no-merged)$/),
  },
  tag: {
    short: "li",
    attached: "n",
    long: "list no-color color column no-column ignore-case contains no-contains merged no-merged",
    longValued: "sort points-at format",
    operands: listing("git tag", /^(?:-l|-n|--(?:list|contains|no-contains|merged|no-merged))$/),
  },
  remote: {
    short: "v",
    long: "verbose all push",
    operands: (read, first) =>
      first === "get-url" || read.positionals.length + read.rest.length === 0
        ? undefined
        : reasonOf("git-changes", "git remote"),
  },
  config: {
    short: "lz",
    long: "list get get-all get-regexp show-origin show-scope name-only null local global system worktree includes no-includes type bool int path",
    // git config has no options after the first operand.
    operands: (read, first, words) => {
      const before = words.slice(0, words.findIndex(({ text }) => !text.startsWith("-")) >>> 0);
      return before.some(({ text }) => /^(?:-[a-z]*l[a-z]*|--(?:list|get|get-all|get-regexp))$/.test(text)) ||
        (/^(?:list|get)$/.test(first ?? "") && read.positionals.length + read.rest.length <= 2)
        ? undefined
        : reasonOf("git-changes", "git config");
    },
  },
  stash: {
    ...LOG,
    operands: (_, first) =>
      /^(?:list|show)$/.test(first ?? "") ? undefined : reasonOf("git-changes", "git stash"),
  },
  "cat-file": { short: "tspe" },
  "merge-base": { short: "a", long: "all octopus independent is-ancestor fork-point" },
  "name-rev": { short: "", long: "tags name-only always all", longValued: "refs exclude" },
  "for-each-ref": {
    short: "",
    long: "omit-empty ignore-case color no-color contains no-contains merged no-merged",
    longValued: "count sort format points-at exclude",
  },
  "show-ref": { short: "qsd", long: "head heads tags branches dereference hash abbrev verify quiet exists" },
  "count-objects": {
    short: "vH",
    long: "verbose human-readable",
    operands: none("git count-objects"),
  },
  "check-ignore": { short: "qvnz", long: "quiet verbose non-matching no-index" },
  cherry: { short: "v", long: "verbose abbrev" },
  "diff-tree": { ...LOG, short: `${LOG.short}dz` },
  "diff-index": {
    ...DIFF,
    long: `${DIFF_LONG} cached merge-base cc combined-all-paths`,
    longValued: DIFF_VALUED,
  },
  "diff-files": { ...DIFF, long: `${DIFF_LONG} base ours theirs cc`, longValued: DIFF_VALUED },
  version: { short: "", long: "build-options" },
};
