/**
 * Builds the questions that tell which files a git command would show. A question is the command's own subcommand with
 * its own words in order. Only words that change the form of the output are left out; any word that is not known to be
 * one makes the command ask.
 */
import type { ReadOptions, ReadPart } from "../programs/option-tables.ts";
import { FILTERS, FORMS, OPERANDS, showsPatch, VIEWS } from "./shown-options.ts";

export interface GitShows {
  /** The commits whose changes it shows. */
  commits?: CommitQuestion;
  /** Commands that print, with `-z`, the names of the files whose content it shows. */
  names?: NameQuestion[];
  /** Operands that are shown in full if they are blobs. */
  objects?: string[];
  /** Two operands that are paths rather than revisions if git finds no repository, or with `--no-index`. */
  compared?: { operands: string[]; explicit: boolean };
  /** Notes, which may contain anything, are shown with the commits: those that git shows by default, or any. */
  notes?: "usual" | "any";
}

export interface CommitQuestion {
  /** The subcommand, with options that make it print one line for each shown commit. */
  start: string[];
  /** The command's own words up to `--`: options, revisions, and then paths as far as git reads them as paths. */
  kept: ReadPart[];
  /** `--` and the paths after it; empty if there is no `--`. */
  behind: string[];
  /** none: merges show nothing. combined: what differs from all parents. all: what differs from one of them. */
  merges: "none" | "combined" | "all";
  /** Files are followed to names that the paths do not contain. */
  follows: boolean;
  /** Whether only lines of commits are printed. */
  strict: boolean;
  /** Which commits are shown depends on the content of their files. */
  byContent: boolean;
}

export interface NameQuestion {
  args: string[];
  /** False: a misread option might have changed the meaning. */
  exact: boolean;
  /** The names are those of files in the working tree, which are read without checking for links in their folders. */
  fromDisk?: boolean;
}

/** Marks the line of a commit; git itself prints nothing that looks like it. */
export const COMMIT_MARK = "nekode:commit:";
const COMMIT_FORM = [`--format=tformat:${COMMIT_MARK}%H %T %P`, "--encoding=UTF-8"];
const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv"];
const NAMES = ["--name-only", "-z", "--no-renames", ...NO_PROGRAMS, "--ignore-submodules=dirty"];

/** Thrown for a command that no question represents. `option`: set if an option is the reason. */
export class NoQuestion extends Error {
  constructor(readonly option?: string) {
    super();
  }
}

/** Returns what a reading subcommand shows of files; an empty object: only names and messages. */
export function showsOf(sub: string, read: ReadOptions): GitShows {
  switch (sub) {
    case "diff":
    case "diff-index":
    case "diff-files":
      return showsPatch(sub, read) ? byDiff(sub, read) : {};
    case "diff-tree":
      if (!showsPatch(sub, read)) return {};
      // A single commit is compared with its parents. A combined diff does so even if the file had another name in
      // them.
      return { names: [comparison(["diff-tree", "-m", "-r", "--root", "--no-commit-id"], read)] };
    case "status":
      if (!read.options.some(({ name }) => /^(?:-v|--verbose)$/.test(name))) return {};
      return {
        names: [
          { args: ["diff", "--cached", ...NAMES], exact: true },
          { args: ["diff", ...NAMES], exact: true },
        ],
      };
    case "show":
      return byShow(read);
    case "log":
    case "whatchanged":
    case "reflog":
    case "stash":
      return sub === "stash" && first(read) === "show" ? byStashShow(read) : byWalk(sub, read);
    case "cat-file": {
      const operands = read.positionals.map(({ text }) => text);
      if (read.options.some(({ name }) => name === "-p")) return { objects: operands };
      return operands[0] === "blob" ? { objects: operands.slice(1) } : {};
    }
    case "grep":
      return byGrep(read);
    case "archive":
      return byArchive(read);
    default:
      return {};
  }
}

function first(read: ReadOptions): string | undefined {
  return read.positionals[0]?.text;
}

function operandsOf(read: ReadOptions): string[] {
  return read.positionals.map(({ text }) => text);
}

/** Returns `--` and the paths after it. */
function behind(read: ReadOptions): string[] {
  return read.dashes ? ["--", ...read.rest.map(({ text }) => text)] : [];
}

function has(read: ReadOptions, pattern: RegExp): boolean {
  return read.options.some(({ name }) => pattern.test(name));
}

function byDiff(sub: string, read: ReadOptions): GitShows {
  const operands = [...operandsOf(read), ...read.rest.map(({ text }) => text)];
  const explicit = has(read, /^--no-index$/);
  const names = [comparison([sub], read)];
  const compared = { operands, explicit };
  return sub === "diff" ? { names, compared, objects: operandsOf(read) } : { names };
}

/**
 * For a merge, these show only what differs from all parents. A question about what differs from any parent omits them.
 */
const COMBINED = /^(?:-c|--cc|--combined-all-paths)$/;

/** Asks for every file that differs: filters and renames that would omit some are not passed on. */
function comparison(start: string[], read: ReadOptions): NameQuestion {
  refuseCopies(read);
  let exact = true;
  const kept = read.parts.flatMap((part) => {
    const combines = part.names.length > 0 && part.names.every((name) => COMBINED.test(name));
    if (combines && start.includes("-m")) return [];
    if (part.names.length === 0 || part.names.every((name) => OPERANDS.has(name))) return part.words;
    if (!part.names.every((name) => FORMS.has(name) || VIEWS.has(name) || FILTERS.has(name)))
      throw new NoQuestion(part.words[0]);
    exact &&= part.words.length === 1 && part.words[0] !== "-U";
    return [];
  });
  return { args: [...start, ...NAMES, ...kept, ...behind(read)], exact };
}

/** A copy is shown as its difference from a file that the commit itself may not change. */
function refuseCopies(read: ReadOptions): void {
  const copies = read.options.filter(({ name }) => /^(?:-C|--find-copies)$/.test(name)).length;
  if (copies > 1 || has(read, /^--find-copies-harder$/)) throw new NoQuestion();
  if (read.options.some(({ name, value }) => name === "--submodule" && value === "diff"))
    throw new NoQuestion("--submodule");
}

/** Options that add what no operand names: everything that such references point to. */
const EVERY_REF = /^--(?:all|branches|tags|remotes|glob|reflog|bisect|stdin)$/;

function byShow(read: ReadOptions): GitShows {
  const notes = notesOf(read);
  const objects = operandsOf(read);
  // A tag may point to a file, which is shown in full whatever the format of commits.
  const every = read.options.find(({ name }) => EVERY_REF.test(name));
  if (every) throw new NoQuestion(every.name);
  if (!showsPatch("show", read)) return { objects, ...notes };
  return { commits: walk(["show"], read, "combined"), objects, ...notes };
}

function byWalk(sub: string, read: ReadOptions): GitShows {
  const notes = notesOf(read, sub === "stash");
  if (!showsPatch(sub, read)) return notes;
  const named = /^(?:show|list)$/.test(first(read) ?? "") && sub !== "log" && sub !== "whatchanged";
  const start = named ? [sub, first(read) ?? ""] : [sub];
  return { commits: walk(start, read, sub === "stash" ? "all" : "none"), ...notes };
}

function walk(start: string[], read: ReadOptions, merges: CommitQuestion["merges"]): CommitQuestion {
  refuseCopies(read);
  const filtered =
    start[0] === "whatchanged" || read.parts.some(({ names }) => names.some((name) => FILTERS.has(name)));
  const left = start.length > 1 ? withoutFirstOperand(read.parts) : read.parts;
  const form = filtered ? ["--name-only", ...NO_PROGRAMS] : ["-s"];
  const all = has(
    read,
    /^(?:-m|-L|-C|-g|--(?:first-parent|diff-merges|dd|follow|walk-reflogs|find-copies))$/,
  );
  const combined = has(read, COMBINED);
  return {
    start: [...start, ...COMMIT_FORM, ...form],
    kept: left.filter((part) => !formOnly(part)),
    behind: behind(read),
    merges: all ? "all" : combined ? "combined" : merges,
    follows: has(read, /^(?:-L|--follow)$/),
    strict: !filtered,
    byContent: has(read, /^-[SGL]$/),
  };
}

function withoutFirstOperand(parts: ReadPart[]): ReadPart[] {
  const at = parts.findIndex(({ names }) => names.length === 0);
  return parts.filter((_, i) => i !== at);
}

/** Whether these words only determine how a commit is shown. An option whose value is a separate word is passed on. */
function formOnly({ words, names }: ReadPart): boolean {
  if (names.length === 0 || !names.every((name) => FORMS.has(name))) return false;
  if (words.length === 1 && words[0] !== "-U") return true;
  if (names.includes("--encoding") || names.includes("--line-prefix") || words[0] === "-U")
    throw new NoQuestion(words[0]);
  return false;
}

/** Without an explicit format, git adds the notes of the commits. */
function notesOf(read: ReadOptions, hasFormat = false): Pick<GitShows, "notes"> {
  let shown = !hasFormat;
  let notes: GitShows["notes"] | "none";
  for (const { name, value = "" } of read.options) {
    if (name === "--oneline") shown = false;
    // A format named in the configuration may contain anything.
    if (/^--(?:pretty|format)$/.test(name))
      shown = /%[-+ ]?N/.test(value) || !(BUILT_IN.test(value) || value.includes("%"));
    if (/^--(?:show-)?notes$/.test(name)) notes = "any";
    if (name === "--no-notes") notes = "none";
  }
  notes ??= shown ? "usual" : "none";
  return notes === "none" ? {} : { notes };
}

const BUILT_IN = /^(?:oneline|short|medium|full|fuller|reference|email|mboxrd|raw)?$/;

/** Includes the untracked files that the stash may contain, whatever the options are. */
function byStashShow(read: ReadOptions): GitShows {
  const quiet = !showsPatch("stash", read);
  if (read.rest.length > 0) throw new NoQuestion("--");
  const operands = operandsOf(read).slice(1);
  if (quiet) return {};
  refuseCopies(read);
  return {
    names: [
      {
        args: ["stash", "show", "--include-untracked", "--name-only", "-z", "--no-renames", ...operands],
        exact: true,
      },
    ],
  };
}

function byGrep(read: ReadOptions): GitShows {
  if (has(read, /^--recurse-submodules$/)) throw new NoQuestion("--recurse-submodules");
  const words = read.parts.flatMap((part) => part.words);
  return {
    names: [
      {
        args: ["grep", "--name-only", "--full-name", "-z", ...words, ...behind(read)],
        exact: true,
        fromDisk: true,
      },
    ],
    // A blob has no name in the answer. A pattern among the operands is not a blob.
    objects: operandsOf(read),
  };
}

/** It packs every file of its operands. */
function byArchive(read: ReadOptions): GitShows {
  const [tree] = operandsOf(read);
  if (has(read, /^(?:-l|--list)$/) || tree === undefined) return {};
  // A folder in a commit.
  if (/:/.test(tree)) throw new NoQuestion();
  return {
    names: [{ args: ["ls-tree", "-r", "--name-only", "-z", "--full-tree", tree], exact: true }],
  };
}
