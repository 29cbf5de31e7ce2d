/**
 * Commands that read whole folders without naming their content. The judge of commands cannot see the disk: it
 * determines which folders and which of their files are read, and the host checks whether any of them must not be read
 * without approval.
 */

import { type OptionTable, type ReadOptions, readProgramOptions } from "../programs/option-tables.ts";
import { DIFF, GREP, RG } from "../programs/text-tools.ts";
import type { SimpleCommand, Word } from "../shells/shell-words.ts";
import { componentPattern } from "./patterns.ts";

/** One folder that a command reads recursively. */
export interface TreeRead {
  /** As written in the command; "." for the folder that it runs in. It may also be a single file. */
  folder: string;
  /** False: only the files directly in the folder. */
  deep: boolean;
  /** Files and folders whose names begin with a dot are also read. */
  hidden: boolean;
  /** Files that .gitignore matches are also read. */
  ignored: boolean;
  /** Links to folders are followed. */
  follows: boolean;
  /** The program also reads .ignore and .rgignore: a `!` in one of them, or in .gitignore, re-includes files. */
  broughtBack?: boolean;
  /** Only files whose name matches one of these. */
  include?: RegExp[];
  /** Folders whose name matches one of these are skipped. */
  exclude?: RegExp[];
}

const EVERYTHING = { deep: true, hidden: true, ignored: true, follows: false };

/** grep under its names; the others pass their options on to it, or are written like it. */
const GREPS = /^(?:[efr]?grep|(?:z|bz|xz|lz|zst|zstd)[ef]?grep|pcre2?grep)$/;
/** Programs that search the current folder if only a pattern is given. */
const SEARCHERS = /^(?:ag|ack|ugrep|ug|pt|sift|ucg|rga|agrep)$/;
/** Programs that print lines of the given folders, or of the current one. */
const CHECKERS = /^(?:codespell|typos|misspell|ast-grep|semgrep|gitleaks|trufflehog|detect-secrets)$/;

/** Returns the folders that one command reads recursively; empty for most commands. */
export function treesOf(command: SimpleCommand): TreeRead[] {
  const [first, ...words] = command.words;
  const name = first?.text.toLowerCase() ?? "";
  if (GREPS.test(name)) return byGrep(words, name === "rgrep");
  if (name === "rg") return byRipgrep(words);
  if (/^(?:color)?diff$/.test(name)) return byDiff(words);
  // The pattern is an operand, or the value of an option.
  if (SEARCHERS.test(name)) return below(orHere(words, 2), EVERYTHING);
  if (CHECKERS.test(name)) return below(orHere(words, 1), EVERYTHING);
  if (/^(?:select-string|sls)$/.test(name) && command.piped) return byPipe(command.piped);
  return [];
}

/** Applies `of` to the folders, or to the current one if none is named. */
function below(folders: string[], of: Omit<TreeRead, "folder">): TreeRead[] {
  return (folders.length === 0 ? ["."] : folders).map((folder) => ({ folder, ...of }));
}

function operands(words: readonly Word[]): string[] {
  return words.filter(({ text }) => !text.startsWith("-")).map(folderOf);
}

/** Options that take no value in any of these programs. */
const SWITCHES = /^-[lLiwvcHnsq]+$/;

/**
 * Returns the operands, and the current folder as well unless `least` of them certainly are operands: after another
 * option, a word may be its value.
 */
function orHere(words: readonly Word[], least: number): string[] {
  const certain = words.filter(({ text }, i) => {
    const before = words[i - 1]?.text ?? "";
    return !text.startsWith("-") && (!before.startsWith("-") || before === "--" || SWITCHES.test(before));
  });
  return certain.length < least ? [".", ...operands(words)] : operands(words);
}

/** For a pattern, returns the folder in which its first wildcard is. */
function folderOf({ text, glob }: Word): string {
  if (glob === undefined) return text;
  return /^((?:[^*?[\]\\/#^]*\/)*)/.exec(text)?.[1] || ".";
}

/** Returns the files after the pattern if it is certain which word that is; otherwise every word counts. */
function searched(words: Word[], table: OptionTable): { read: ReadOptions | undefined; folders: string[] } {
  const read = readProgramOptions(words, table);
  if ("fault" in read) return { read: undefined, folders: [".", ...operands(words)] };
  const named = read.options.some(({ name }) => /^(?:-e|-f|--regexp|--file)$/.test(name));
  const all = [...read.positionals, ...read.rest].map(folderOf);
  return { read, folders: named ? all : all.slice(1) };
}

/** If the options are not understood, one of them may be the one that recurses. */
function byGrep(words: Word[], always: boolean): TreeRead[] {
  const { read, folders } = searched(words, GREP);
  if (!read) return below(folders, { ...EVERYTHING, follows: true });
  const has = (pattern: RegExp) => read.options.some(({ name }) => pattern.test(name));
  const recurses =
    always ||
    read.options.some(
      ({ name, value }) =>
        /^(?:-r|-R|--recursive|--dereference-recursive)$/.test(name) ||
        // grep accepts any abbreviation of `recurse`.
        (/^(?:-d|--directories)$/.test(name) && !/^(?:read|skip)$/.test(value ?? "")),
    );
  if (!recurses) return [];
  return below(folders, {
    ...EVERYTHING,
    follows: has(/^(?:-R|--dereference-recursive)$/),
    ...patterns("include", valuesOf(read, /^--include$/)),
    ...patterns("exclude", valuesOf(read, /^--exclude-dir$/)),
  });
}

/** ripgrep's built-in types whose files are identified only by their extensions. */
const RG_TYPES: Readonly<Record<string, string>> = {
  ts: "cts,mts,ts,tsx",
  typescript: "cts,mts,ts,tsx",
  js: "cjs,js,jsx,mjs,vue",
  vue: "vue",
  css: "css,scss",
  sass: "sass,scss",
  less: "less",
  html: "ejs,htm,html",
  md: "markdown,md,mdown,mdwn,mdx,mkd,mkdn",
  markdown: "markdown,md,mdown,mdwn,mdx,mkd,mkdn",
  py: "py,pyi",
  python: "py,pyi",
  rust: "rs",
  go: "go",
  cs: "cs",
  csharp: "cs",
  dart: "dart",
  kotlin: "kt,kts",
  lua: "lua",
  scala: "sbt,scala",
  sql: "psql,sql",
  swift: "swift",
  yaml: "yaml,yml",
};

/** Returns the names that ripgrep's types represent; none if a type is unknown, or the command defines it. */
function ofTypes(read: ReadOptions): string[] {
  const types = valuesOf(read, /^(?:-t|--type)$/).map((type) => RG_TYPES[type]);
  const own = read.options.some(({ name }) => /^--type-(?:add|clear)$/.test(name));
  const known = types.filter((extensions) => extensions !== undefined);
  if (own || known.length < types.length) return [];
  return known.flatMap((extensions) => extensions.split(",").map((extension) => `*.${extension}`));
}

function byRipgrep(words: Word[]): TreeRead[] {
  const { read, folders } = searched(words, RG);
  if (!read) return below(folders, { ...EVERYTHING, follows: true });
  const count = (pattern: RegExp) => read.options.filter(({ name }) => pattern.test(name)).length;
  if (count(/^--(?:files|type-list|version|help|pcre2-version)$/) > 0) return [];
  const unrestricted = count(/^(?:-u|--unrestricted)$/);
  // A glob that is not negated re-includes hidden or ignored files.
  const globs = valuesOf(read, /^(?:-g|--glob|--iglob)$/);
  const wanted = globs.filter((glob) => !glob.startsWith("!"));
  // So does a type, which the command may define itself, and a rules file that it names.
  const ruled = count(/^--ignore-file$/) > 0;
  return below(folders, {
    deep: true,
    hidden: wanted.length > 0 || ruled || unrestricted >= 2 || count(/^(?:-\.|--hidden|-t|--type)$/) > 0,
    ignored: wanted.length > 0 || ruled || unrestricted >= 1 || count(/^--no-ignore/) > 0,
    broughtBack: true,
    follows: count(/^(?:-L|--follow)$/) > 0,
    ...patterns("include", wanted.length > 0 ? wanted : ofTypes(read)),
    ...patterns(
      "exclude",
      globs
        .filter((glob) => /^!(?:\*\*\/)?[^/*]+\/?(?:\*\*)?$/.test(glob))
        .map((glob) => glob.replace(/^!(?:\*\*\/)?|\/?(?:\*\*)?$/g, "")),
    ),
  });
}

function byDiff(words: Word[]): TreeRead[] {
  const read = readProgramOptions(words, DIFF);
  // One of the options may be the one that recurses, or may name a folder.
  if ("fault" in read) return below([".", ...operands(words)], { ...EVERYTHING, follows: true });
  const deep = read.options.some(({ name }) => /^(?:-r|--recursive)$/.test(name));
  const named = [
    ...[...read.positionals, ...read.rest].map(folderOf),
    ...valuesOf(read, /^--(?:from|to)-file$/),
  ];
  return deep || named.length > 0 ? below(named, { ...EVERYTHING, deep, follows: deep }) : [];
}

/** Parameters of Get-ChildItem and Get-Item without a value. */
const PIPE_SWITCHES = /^-(?:r|recurse|s|force|file|directory|hidden|readonly|system|name)$/i;

/** `Get-ChildItem -Recurse | Select-String x`: the piped files are searched. */
function byPipe(from: SimpleCommand): TreeRead[] {
  const [first, ...words] = from.words;
  if (!/^(?:get-childitem|gci|dir|ls|get-item|gi)$/i.test(first?.text ?? "")) return [];
  const folders: string[] = [];
  const include: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const text = words[i]?.text ?? "";
    if (/^-(?:filter|include)$/i.test(text)) include.push(words[++i]?.text ?? "");
    else if (text.startsWith("-") && !PIPE_SWITCHES.test(text) && !/^-(?:path|literalpath)$/i.test(text)) i++;
    else if (!text.startsWith("-") && words[i]) folders.push(...operands(words.slice(i, i + 1)));
  }
  const deep = words.some(({ text }) => /^-(?:r|s|depth)/i.test(text));
  return below(folders, { ...EVERYTHING, deep, ...patterns("include", include) });
}

function valuesOf(read: ReadOptions, name: RegExp): string[] {
  return read.options.flatMap((option) =>
    name.test(option.name) && option.value !== undefined ? [option.value] : [],
  );
}

/** Returns patterns of names; none if a glob describes more than a name, because it might then match anything. */
function patterns<K extends "include" | "exclude">(key: K, globs: string[]): { [key in K]?: RegExp[] } {
  const expressions = globs.map((glob) =>
    glob.includes("/") || glob.includes("{") ? undefined : componentPattern(glob),
  );
  const known = expressions.filter((pattern) => pattern !== undefined);
  const use = key === "include" ? known.length === globs.length && globs.length > 0 : known.length > 0;
  const result: { [name in K]?: RegExp[] } = {};
  if (use) result[key] = known;
  return result;
}
