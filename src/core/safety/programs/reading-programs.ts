/**
 * The programs that only read, each in its plain forms. Whatever is not plain asks: an option that is not listed here, for example.
 * This is all that runs unasked where there is no sandbox; where there is one, it is what may run in its reading profile.
 */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Word } from "../shells/shell-words.ts";
import { cdTarget } from "./change-folder.ts";
import { CMDLETS, SHOWS_CONTENT } from "./cmdlets.ts";

export interface ReadingProgram {
  /** The words beginning with `-` that may follow; each is one whole word, without the next one as its value. Absent: any. */
  options?: RegExp;
  /** Returns why these words ask for another reason than an option. */
  odd?(words: readonly Word[], shell: ShellKind): Reason | undefined;
  /** Returns the words that may name files whose content it shows. Absent: all of them. */
  reads?(words: readonly Word[]): readonly Word[];
  /** Returns the folders, as written, of which it may show every file. They may also be files, or nothing that exists. */
  folders?(words: readonly Word[]): readonly string[];
}

const anyOptions: ReadingProgram = {};
/** It shows names, or its own words, and the content of no file. */
const showsNames = { reads: () => [] } satisfies ReadingProgram;

const isOption = ({ text }: Pick<Word, "text">) => text.startsWith("-") && text !== "-";
const operandsOf = (words: readonly Word[]) => words.filter((word) => !isOption(word));

const FIND =
  /^-(?:H|L|P|E|a|and|o|or|not|name|iname|path|ipath|wholename|regex|iregex|regextype|type|maxdepth|mindepth|depth|size|empty|newer|[acm]time|[acm]min|perm|user|group|mount|xdev|prune|print|print0|printf|ls|follow|\d+)$/;

const find: ReadingProgram = { options: FIND, ...showsNames };

/** A program that searches files, or folders, for its first operand. `switches`: options that certainly have no value in the next word. */
const searching = (switches: RegExp) => {
  /** Returns the words without the pattern, if it is certain which one that is. */
  const reads = (words: readonly Word[]) => {
    const isCertain = words.every((word) => !isOption(word) || switches.test(word.text));
    const pattern = isCertain ? operandsOf(words)[0] : undefined;
    return words.filter((word) => word !== pattern && !/^--(?:exclude|exclude-dir)=/.test(word.text));
  };
  /** Returns the folders that are searched, and the current one unless others certainly are named. */
  const folders = (words: readonly Word[]) => {
    const named = operandsOf(reads(words));
    const isCertain = named.length > 0 && named.length < operandsOf(words).length;
    return [...named.map(({ text }) => text), ...(isCertain ? [] : ["."])];
  };
  return { reads, folders } satisfies ReadingProgram;
};

const grepping = searching(
  /^(?:--|-[EFGPHILRchilnoqrsvwxz0-9]+|--(?:recursive|line-number|ignore-case|files-with-matches|count)|--(?:include|exclude|exclude-dir|color|max-count|context)=.*)$/,
);
const ripgrep = searching(
  /^(?:--|-[FHIPSUcilnopqsuvwx.]+|--(?:hidden|no-ignore|line-number|ignore-case|files-with-matches|count|no-heading)|--(?:glob|type|color|max-count|context)=.*)$/,
);

const RECURSES = /^-[^-]*[rRd]|^--(?:r|d)/;
const grep: ReadingProgram = {
  // Each option, and each abbreviation, only selects and prints.
  reads: grepping.reads,
  folders: (words) => (words.some(({ text }) => RECURSES.test(text)) ? grepping.folders(words) : []),
};

const rg: ReadingProgram = {
  options:
    /^(?:-[EFHINSUcehilnopqsuvwx.0-9]+|-[ABCTegmt].*|--(?:files|files-with-matches|files-without-match|count|count-matches|line-number|no-line-number|column|ignore-case|case-sensitive|smart-case|word-regexp|line-regexp|fixed-strings|invert-match|only-matching|multiline|pcre2|hidden|no-ignore|heading|no-heading|no-filename|with-filename|no-messages|trim|stats|json|sort|vimgrep|version|(?:glob|iglob|type|type-not|max-count|max-depth|context|after-context|before-context|color|sort|regexp|replace)(?:=.*)?))$/,
  reads: ripgrep.reads,
  folders: (words) => (words.some(({ text }) => text === "--files") ? [] : ripgrep.folders(words)),
};

/** Of its switches, these take files or folders from elsewhere. */
const findstr: ReadingProgram = {
  reads: (words) => words.filter(({ text }) => !text.startsWith("/")),
  odd: (words) => {
    const other = words.find(({ text }) => /^\/[fgd]/i.test(text));
    return other && reasonOf("option-of-program", "findstr", other.text);
  },
};

/** Without -l, which starts pr. Two folders are compared with all files in them. */
const diff: ReadingProgram = {
  folders: (words) => operandsOf(words).map(({ text }) => text),
  options:
    /^(?:-[abdeinqstuwyBENTZ0-9]+|-[UCW]\d*|--(?:brief|unified(?:=\d+)?|side-by-side|suppress-common-lines|width=\d+|text|minimal|color(?:=\w+)?|strip-trailing-cr|ignore-(?:case|all-space|space-change|blank-lines|trailing-space)))$/,
};

/** What follows an operand may be another one on some systems, and the second is written. */
const uniq: ReadingProgram = {
  options: /^-[cdDiuz]+$/,
  odd: (words) => {
    const first = words.findIndex((word) => !isOption(word));
    return first >= 0 && first < words.length - 1 ? reasonOf("writes-file") : undefined;
  },
};

/** A line, or the first with some plain text. */
const SED_LINE = String.raw`(?:\d+|\$|/[^/\\[\n]*/)`;
/** `5p`, `/a/,/b/d`, `s/a/b/g`. Where a bracket in a pattern ends, seds do not agree. */
const SED_SCRIPT = new RegExp(
  String.raw`^(?:(?:${SED_LINE}(?:,${SED_LINE})?)?[pdq=]|s([/|#,])(?:\\[^\n]|(?!\1)[^\\\n[])*\1(?:(?!\1)[^\\\n]|\\[^\n])*\1[gIp0-9]*)$`,
);
const sed: ReadingProgram = {
  options: /^-[nErs]+$/,
  reads: (words) => words.filter((word) => word !== operandsOf(words)[0]),
  odd: (words) => {
    const [script] = operandsOf(words);
    return script?.literal && SED_SCRIPT.test(script.text) ? undefined : reasonOf("script-writes-or-runs");
  },
};

const cd: ReadingProgram = {
  ...showsNames,
  odd: (words) => (cdTarget(words) === undefined ? reasonOf("leaves-folder") : undefined),
};

const rows: readonly (readonly [names: string, program: ReadingProgram])[] = [
  [
    "cat head tail tac nl rev cut fold comm cmp od hexdump paste join column expand unexpand fmt type",
    anyOptions,
  ],
  // -c reads the names of the files from a file.
  ["md5sum sha1sum sha256sum sha512sum shasum", { options: /^(?:-[bt]+|-a\d*)$/ }],
  [
    "ls dir pwd echo tr true false basename dirname realpath readlink stat df uname whoami id groups",
    showsNames,
  ],
  ["which where whereis nproc uptime seq sleep tty ver vol", showsNames],
  ["grep egrep fgrep", grep],
  ["rg", rg],
  ["findstr", findstr],
  ["find", find],
  ["diff", diff],
  ["sed", sed],
  [
    "jq",
    {
      reads: (words) => words.filter((word) => word !== operandsOf(words)[0]),
      odd: () => reasonOf("filter-reads-more"),
    },
  ],
  [
    "sort",
    {
      options:
        /^(?:-[bdfghinrsuzMRVcm]*(?:k[\d.,bdfginrMRV]*)?|-t.*|--(?:numeric-sort|reverse|unique|human-numeric-sort|version-sort))$/,
    },
  ],
  ["uniq", uniq],
  ["wc", { options: /^(?:-[clmwL]+|--(?:lines|words|bytes|chars|max-line-length))$/ }],
  [
    "du",
    {
      options:
        /^(?:-[abcdhkmsxHLP0-9]+|--(?:max-depth=\d+|human-readable|summarize|apparent-size|total|all|exclude=.*))$/,
    },
  ],
  ["tree", { options: /^(?:-[adfhipsugCDF]+|-[LIP].*|--(?:noreport|dirsfirst|prune|du))$/, ...showsNames }],
  ["file", { options: /^(?:-[bikhNr]+|--(?:brief|mime|mime-type|mime-encoding))$/ }],
  ["cd chdir", cd],
];

/** The cmdlets of PowerShell. In other shells, their aliases may be other programs. */
const cmdlets: ReadonlyMap<string, ReadingProgram> = new Map([
  ...[...CMDLETS].map((name): [string, ReadingProgram] => [
    name,
    SHOWS_CONTENT.test(name) ? anyOptions : showsNames,
  ]),
  // The Windows version prints lines of files.
  ["find", { ...find, reads: (words) => words }],
  ["set-location", cd],
  ["sl", cd],
]);

const programs: ReadonlyMap<string, ReadingProgram> = new Map(
  rows.flatMap(([list, program]) => list.split(" ").map((name): [string, ReadingProgram] => [name, program])),
);

/** Returns what is known of a program; undefined: it may do more than read. */
export function readingProgram(name: string, shell: ShellKind): ReadingProgram | undefined {
  return (shell === "powershell" ? cmdlets.get(name) : undefined) ?? programs.get(name);
}

/** Returns why a call of a reading program asks; undefined: it is one of its plain forms. */
export function readingFault(
  name: string,
  { options, odd }: ReadingProgram,
  words: readonly Word[],
  shell: ShellKind,
): Reason | undefined {
  const dashes = words.findIndex(({ text }) => text === "--");
  // What follows the dashes may still be options: what precedes them may have them as its value.
  const other =
    options &&
    words.find(
      (word, i) =>
        isOption(word) && i !== dashes && ((i > dashes && dashes >= 0) || !options.test(word.text)),
    );
  return other ? reasonOf("option-of-program", name, other.text) : odd?.(words, shell);
}
