/** The plain forms of git's subcommands that only show, and what they show; the repository itself is checked in git-check.ts. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";

export interface GitUse {
  verb: string;
  /** It may show the content of files, or of their older versions. */
  showsContent: boolean;
  /** It may print settings, such as the addresses of other repositories. */
  printsSettings: boolean;
  /** Outside a repository, it would compare or search files that it names. */
  readsAnyFiles: boolean;
  /** The words that may name files of which it shows the content. */
  reads: readonly Word[];
}

/** Options before the subcommand that only change the form of the output. */
const PLAIN_GLOBALS = new Set(["--no-pager", "-P", "--no-optional-locks"]);

/** Makes `git --no-pager log` match `git log`. */
export function withoutPlainGlobals(words: readonly string[]): string[] {
  const [git = "", ...rest] = words;
  return [git, ...rest.slice(globalsIn(rest))];
}

function globalsIn(words: readonly string[]): number {
  const first = words.findIndex((word) => !PLAIN_GLOBALS.has(word));
  return first < 0 ? words.length : first;
}

interface ShowingVerb {
  /** Words beginning with `-` that may follow, each without the next word as its value. Absent: `OPTIONS`. */
  options?: RegExp;
  /** Its operands show, and do not create, move or delete; absent: any do. */
  operands?(words: readonly string[]): boolean;
  /** "patch": content, unless options ask for names or numbers. */
  shows: "names" | "content" | "patch" | "patch if asked to";
}

/** Options that no subcommand which only shows takes for anything else than what is shown, and how. */
const LONG = [
  "oneline|graph|all|branches|tags|remotes|decorate(?:=\\w+)?|no-decorate|date=[\\w:%. +-]+|(?:since|until|after|before)(?:=.*)?",
  "stat(?:=[\\d,]+)?|shortstat|numstat|dirstat|summary|name-only|name-status|patch|no-patch|raw|cached|staged|merge-base|no-color",
  "color(?:=\\w+)?|word-diff(?:=\\w+)?|color-words|no-merges|merges|first-parent|reverse|follow|(?:author|committer|grep)(?:=.*)?",
  "max-count=\\d+|skip=\\d+|diff-filter=\\w+|abbrev(?:=\\d+)?|abbrev-commit|no-renames|find-renames|ignore-all-space|ignore-space-change",
  "ignore-blank-lines|minimal|histogram|patience|unified=\\d+|function-context|exit-code|quiet|check|relative|no-ext-diff|no-textconv",
  "cherry-pick|left-right|left-only|right-only|topo-order|date-order|full-history|source|cc|pickaxe-all|pickaxe-regex|count",
  "(?:format|pretty)(?:=(?!.*(?:%[-+ ]?G|signature)).*)?|short(?:=\\d+)?|branch|porcelain(?:=v\\d)?|long|show-stash|ignored|null",
  "untracked-files(?:=\\w+)?|ahead-behind|no-ahead-behind|deleted|modified|others|stage|exclude-standard|full-name|unmerged|error-unmatch",
  "full-tree|verify|abbrev-ref(?:=\\w+)?|symbolic-full-name|show-toplevel|show-prefix|git-dir|git-common-dir|is-inside-work-tree",
].join("|");
const OPTIONS = new RegExp(`^(?:-\\d+|-[nUMC]\\d*|-[SG].*|-L.*|-[abcdimnopqrstuwzRW]+|--(?:${LONG}))$`);
const PATCH =
  /^-(?:\d*[puScmGLUW]|[a-z]*[pucm])|^--(?:patch|raw|word-diff|color-words|cc|unified|function-context|check)/;

/** Options with which a patch is replaced by names and numbers. */
const NAMES_ONLY = /^(?:-s|--(?:stat|shortstat|numstat|dirstat|summary|name-only|name-status|no-patch))/;

const listsOnly = (lists: RegExp) => (words: readonly string[]) =>
  words.every((word) => word.startsWith("-")) || words.some((word) => lists.test(word));

const showsNames: ShowingVerb = { shows: "names" };
const LISTING =
  "--(?:all|remotes|verbose|list|show-current|no-color|contains|no-contains|merged|no-merged|sort=[\\w:-]+|format=(?!.*(?:%G|signature)).*)";
const listing = (short: string): ShowingVerb => ({
  options: new RegExp(`^(?:${short}|${LISTING})$`),
  operands: listsOnly(/^(?:-l|-n\d*|--(?:list|contains|no-contains|merged|no-merged))$/),
  shows: "names",
});

const VERBS: Readonly<Record<string, ShowingVerb>> = {
  ...{ status: showsNames, "ls-files": showsNames, "ls-tree": showsNames, "rev-parse": showsNames },
  ...{ diff: { shows: "patch" }, show: { shows: "patch" }, log: { shows: "patch if asked to" } },
  blame: {
    options: /^(?:-[lsetwfnMC]+|-L.*|--(?:date=\w+|porcelain|show-email|show-name|show-number))$/,
    shows: "content",
  },
  grep: {
    options:
      /^(?:-[inIlLwvEFGPchHopWe]+|-[ABC]?\d+|--(?:line-number|ignore-case|files-with-matches|count|word-regexp|fixed-strings|extended-regexp|perl-regexp|heading|break|cached|column|all-match|and|or|not|no-color))$/,
    shows: "content",
  },
  ...{ branch: listing("-[arvi]+"), tag: listing("-[li]+|-n\\d*") },
  remote: {
    options: /^(?:-v|--verbose)$/,
    operands: (words) => words[0] === "get-url" || words.every((word) => word.startsWith("-")),
    shows: "names",
  },
  config: {
    options: /^(?:-[lz]+|--(?:list|get|get-all|show-origin|show-scope|name-only|null|global|local|system))$/,
    // Git reads no option after the first operand.
    operands: (words) => {
      const first = words.findIndex((word) => !word.startsWith("-"));
      return words
        .slice(0, first < 0 ? words.length : first)
        .some((word) => /^(?:-l|--(?:list|get|get-all))$/.test(word));
    },
    shows: "names",
  },
  stash: { operands: ([first = ""]) => /^(?:list|show)$/.test(first), shows: "patch if asked to" },
  "cat-file": { options: /^-[tspe]$/, shows: "content" },
  "check-ignore": { options: /^-[qvn]+$/, shows: "names" },
};

/** Text after these is searched for, or a time, and not a file. A pathspec that begins with :! or :^ excludes files. */
const NO_FILE =
  /^:[!^]|^[\w./@{}-]+~\d+$|^(?:--(?:grep|author|committer|format|pretty|since|until|after|before)=|-[SG].)/;

/** Returns what the words after `git` show, or why they ask. */
export function gitUse(words: readonly Word[]): GitUse | { fault: Reason } {
  const texts = words.map(({ text }) => text);
  const at = globalsIn(texts);
  const verb = texts[at];
  if (verb === undefined) return { fault: reasonOf("missing-argument", "git") };
  const use = { verb, showsContent: false, printsSettings: false, readsAnyFiles: false, reads: [] };
  if (verb === "--version" && texts.length === 1) return use;
  if (verb.startsWith("-")) return { fault: reasonOf("option-of-program", "git", verb) };
  const known = Object.hasOwn(VERBS, verb) ? VERBS[verb] : undefined;
  if (!known) return { fault: reasonOf("git-subcommand", verb) };
  const rest = words.slice(at + 1);
  const after = texts.slice(at + 1);
  const dashes = after.indexOf("--");
  const before = dashes < 0 ? after : after.slice(0, dashes);
  const option = before.find((text) => text.startsWith("-") && !(known.options ?? OPTIONS).test(text));
  if (option !== undefined) return { fault: reasonOf("option-of-program", `git ${verb}`, option) };
  // An option among the files may be the value of what is before the dashes, and the dashes as well.
  if (dashes >= 0 && after.slice(dashes + 1).some((text) => text.startsWith("-")))
    return { fault: reasonOf("options-of-program", `git ${verb}`) };
  if (known.operands?.(after) === false) return { fault: reasonOf("git-changes", `git ${verb}`) };
  const asksForPatch = before.some((text) => PATCH.test(text));
  const isPatch = known.shows === "patch" && (asksForPatch || !before.some((text) => NAMES_ONLY.test(text)));
  const showsContent =
    known.shows === "content" || isPatch || (known.shows === "patch if asked to" && asksForPatch);
  return {
    verb,
    showsContent,
    printsSettings:
      verb === "remote" ||
      verb === "config" ||
      (verb === "branch" && before.some((text) => /^-\w*v|^--(?:verbose|format)/.test(text))),
    readsAnyFiles:
      verb === "grep" || (verb === "diff" && after.filter((text) => !text.startsWith("-")).length > 1),
    reads: showsContent ? rest.filter(({ text }) => !NO_FILE.test(text)) : [],
  };
}
