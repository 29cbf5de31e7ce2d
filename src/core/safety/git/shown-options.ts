/**
 * What each option of git's reading subcommands means for the files that are shown. The names are those of
 * git-tables.ts.
 */
import type { ReadOptions } from "../programs/option-tables.ts";

const long = (list: string) =>
  list
    .split(/\s+/)
    .filter((name) => name !== "")
    .map((name) => `--${name}`);
const short = (letters: string) => [...letters].map((letter) => `-${letter}`);

/** Options that only determine the form in which a change is printed: no question passes them on. */
export const FORMS: ReadonlySet<string> = new Set([
  ...short("pusUz"),
  ...long(`
    patch no-patch unified raw patch-with-raw stat compact-summary numstat shortstat dirstat cumulative dirstat-by-file
    summary patch-with-stat name-only name-status check binary quiet exit-code submodule oneline pretty format encoding
    line-prefix log-size
  `),
  "-q",
]);

/**
 * Options that change how differences are found, drawn or paired; a question for every differing file does without
 * them.
 */
export const VIEWS: ReadonlySet<string> = new Set([
  ...short("abwWRMCBXDltv"),
  ...long(`
    indent-heuristic no-indent-heuristic minimal patience histogram color no-color color-moved no-color-moved
    no-color-moved-ws word-diff color-words no-renames no-rename-empty rename-empty full-index abbrev break-rewrites
    find-renames find-copies irreversible-delete relative no-relative text ignore-cr-at-eol ignore-space-at-eol
    ignore-space-change ignore-all-space ignore-blank-lines function-context no-ext-diff no-textconv ignore-submodules
    no-prefix default-prefix skip-to rotate-to src-prefix dst-prefix color-moved-ws word-diff-regex ws-error-highlight
    diff-algorithm anchored inter-hunk-context stat-width stat-name-width stat-count stat-graph-width
    output-indicator-new output-indicator-old output-indicator-context
  `),
]);

/** Options that omit files by their content or kind of change, and commits with them. */
export const FILTERS: ReadonlySet<string> = new Set([
  ...short("SG"),
  ...long("pickaxe-all pickaxe-regex diff-filter follow"),
]);

/** Options that select what is compared: a comparison is asked for with them, in their position. */
export const OPERANDS: ReadonlySet<string> = new Set([
  ...short("cmr1"),
  ...long("cached staged merge-base base ours theirs cc combined-all-paths root no-index"),
]);

/** Options that replace the patch. */
const INSTEAD: ReadonlySet<string> = new Set([
  ...short("sq"),
  ...long(`
    no-patch raw stat compact-summary numstat shortstat dirstat cumulative dirstat-by-file summary name-only name-status quiet
  `),
]);

/** Options that do not produce a patch by themselves in any version of git. */
const QUIET: ReadonlySet<string> = new Set([
  ...INSTEAD,
  ...FILTERS,
  ...short("zMCBRlrt"),
  ...long(`
    oneline pretty format encoding log-size color no-color no-renames no-rename-empty rename-empty abbrev break-rewrites
    find-renames find-copies find-copies-harder relative no-relative no-ext-diff no-textconv ignore-submodules exit-code
    stat-width stat-name-width stat-count stat-graph-width src-prefix dst-prefix no-prefix default-prefix line-prefix
  `),
]);

/** Options for showing merges or lines that produce a patch. */
const WITH_PATCH: ReadonlySet<string> = new Set([
  ...short("cmL"),
  ...long("cc dd diff-merges combined-all-paths"),
]);

const BY_DEFAULT = /^(?:diff|show|stash)$/;

/** Whether some content may be shown. If that is uncertain, the question is asked. */
export function showsPatch(sub: string, read: ReadOptions): boolean {
  const names = read.parts.flatMap((part) => part.names);
  const loud = names.some(
    (name) => WITH_PATCH.has(name) || ((FORMS.has(name) || VIEWS.has(name)) && !QUIET.has(name)),
  );
  const listed = sub === "stash" && read.positionals[0]?.text === "list";
  if (!BY_DEFAULT.test(sub) || listed) return loud;
  return loud || !names.some((name) => INSTEAD.has(name));
}
