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
  /** Words beginning with `-` that may follow, each without the next word as its value. */
  options: RegExp;
  /** Its operands show, and do not create, move or delete; absent: any do. */
  operands?(words: readonly string[]): boolean;
  shows: "names" | "content" | "content if asked to";
}

const LONG =
  "oneline|graph|all|branches|tags|remotes|decorate(?:=\\w+)?|no-decorate|stat(?:=[\\d,]+)?|shortstat|numstat|dirstat|summary|name-only|name-status|patch|no-patch|raw|cached|staged|merge-base|no-color|color(?:=\\w+)?|word-diff(?:=\\w+)?|color-words|no-merges|merges|first-parent|reverse|follow|date=[\\w:%. +-]+|(?:since|until|after|before)(?:=.*)?|(?:author|committer|grep)(?:=.*)?|max-count=\\d+|skip=\\d+|diff-filter=\\w+|abbrev(?:=\\d+)?|abbrev-commit|no-renames|find-renames|ignore-all-space|ignore-space-change|ignore-blank-lines|minimal|histogram|patience|unified=\\d+|function-context|exit-code|quiet|check|relative|no-ext-diff|no-textconv|cherry-pick|left-right|left-only|right-only|topo-order|date-order|full-history|source|cc|pickaxe-all|pickaxe-regex|count|(?:format|pretty)(?:=(?!.*(?:%[-+ ]?G|signature)).*)?";
const HISTORY = new RegExp(`^(?:-\\d+|-[nUMC]\\d*|-[SG].*|-L.*|-[aizsptwbcmRuW]+|--(?:${LONG}))$`);
const PATCH =
  /^-(?:\d*[puScmGLUW]|[a-z]*[pucm])|^--(?:patch|raw|word-diff|color-words|cc|unified|function-context|check)/;

const listsOnly = (lists: RegExp) => (words: readonly string[]) =>
  words.every((word) => word.startsWith("-")) || words.some((word) => lists.test(word));

const VERBS: Readonly<Record<string, ShowingVerb>> = {
  status: {
    options:
      /^(?:-[sbvz]+|-u\w*|--(?:short|branch|porcelain(?:=v\d)?|long|show-stash|ignored|untracked-files(?:=\w+)?|no-renames|ahead-behind|no-ahead-behind|null))$/,
    shows: "names",
  },
  diff: { options: HISTORY, shows: "content" },
  log: { options: HISTORY, shows: "content if asked to" },
  show: { options: HISTORY, shows: "content" },
  blame: {
    options: /^(?:-[lsetwfnMC]+|-L.*|--(?:date=\w+|porcelain|show-email|show-name|show-number))$/,
    shows: "content",
  },
  grep: {
    options:
      /^(?:-[inIlLwvEFGPchHopWe]+|-[ABC]?\d+|--(?:line-number|ignore-case|files-with-matches|count|word-regexp|fixed-strings|extended-regexp|perl-regexp|heading|break|cached|column|all-match|and|or|not|no-color))$/,
    shows: "content",
  },
  "ls-files": {
    options:
      /^(?:-[cdmostz]+|--(?:cached|deleted|modified|others|stage|exclude-standard|full-name|unmerged|error-unmatch))$/,
    shows: "names",
  },
  "ls-tree": {
    options: /^(?:-[drtlz]+|--(?:name-only|name-status|long|full-tree|full-name))$/,
    shows: "names",
  },
  "rev-parse": {
    options:
      /^(?:-q|--(?:verify|quiet|short(?:=\d+)?|abbrev-ref(?:=\w+)?|symbolic-full-name|all|branches|tags|remotes|show-toplevel|show-cdup|show-prefix|git-dir|git-common-dir|absolute-git-dir|is-inside-work-tree|is-bare-repository))$/,
    shows: "names",
  },
  branch: {
    options:
      /^(?:-[arvi]+|--(?:all|remotes|verbose|list|show-current|no-color|contains|no-contains|merged|no-merged|sort=[\w:-]+|format=(?!.*(?:%G|signature)).*))$/,
    operands: listsOnly(/^--(?:list|contains|no-contains|merged|no-merged)$/),
    shows: "names",
  },
  tag: {
    options: /^(?:-[li]+|-n\d*|--(?:list|contains|no-contains|merged|no-merged|sort=[\w:-]+|no-color))$/,
    operands: listsOnly(/^(?:-l|-n\d*|--(?:list|contains|no-contains|merged|no-merged))$/),
    shows: "names",
  },
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
  stash: {
    options: HISTORY,
    operands: ([first = ""]) => /^(?:list|show)$/.test(first),
    shows: "content if asked to",
  },
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
  const option = before.find((text) => text.startsWith("-") && !known.options.test(text));
  if (option !== undefined) return { fault: reasonOf("option-of-program", `git ${verb}`, option) };
  // An option among the files may be the value of what is before the dashes, and the dashes as well.
  if (dashes >= 0 && after.slice(dashes + 1).some((text) => text.startsWith("-")))
    return { fault: reasonOf("options-of-program", `git ${verb}`) };
  if (known.operands?.(after) === false) return { fault: reasonOf("git-changes", `git ${verb}`) };
  const showsContent =
    known.shows === "content"
      ? !isNamesOnly(before)
      : known.shows !== "names" && before.some((text) => PATCH.test(text));
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

/** Whether a form that shows content otherwise shows names and numbers alone. */
function isNamesOnly(options: readonly string[]): boolean {
  return (
    options.some((text) =>
      /^(?:-s|--(?:stat|shortstat|numstat|dirstat|summary|name-only|name-status|no-patch))/.test(text),
    ) && !options.some((text) => PATCH.test(text))
  );
}
