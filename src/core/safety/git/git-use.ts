/** Describes what a git command touches and shows, for the part of judging that reads the repository. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { gitTables } from "../programs/git-tables.ts";
import { type OptionTable, ofProgram, readProgramOptions } from "../programs/option-tables.ts";
import type { Word } from "../shells/shell-words.ts";
import { type GitShows, NoQuestion, showsOf } from "./git-output-tables.ts";
import { type PrintedLogs, printedLogs } from "./reflog.ts";

export interface GitUse {
  /** The subcommand, in lower case. */
  verb: string;
  /** The folder of `-C`. */
  folder?: string;
  /** refs: names and settings; history: commits; files: also the index and the working tree; changes: anything. */
  reach: "refs" | "history" | "files" | "changes";
  /** Git's own options before the subcommand that change the meaning of paths and objects. */
  globals: string[];
  /** What it shows of files. */
  shows: GitShows;
  /** The single configuration key that it prints, for example a remote's address; "" if it may print any key. */
  printsKey?: string;
  /** It may print how branches are configured: which remotes they belong to, by name or by address. */
  printsBranches?: boolean;
  /** The logs of references that it prints. */
  logs?: PrintedLogs;
  /** Why it is unknown what it shows. */
  unknown?: Reason;
}

const list = (names: string) => new Set(names.split(" "));
const REFS = list(
  "branch tag remote config rev-parse for-each-ref show-ref merge-base name-rev count-objects version",
);
const HISTORY = list("log show reflog shortlog rev-list cherry cat-file ls-tree diff-tree whatchanged");
const VALUED = /^(?:-[Cc]|--(?:git-dir|work-tree|namespace|exec-path|config-env|super-prefix|attr-source))$/;
const MEANING = /^--(?:(?:literal|glob|noglob|icase)-pathspecs|no-replace-objects)$/;
const PLAIN = /^(?:-P|--no-pager|--no-optional-locks)$/;

/** It packs whole commits, and may start the program that the repository configures for a format. */
const ARCHIVE: OptionTable = {
  short: "vl0123456789",
  long: "list verbose format prefix mtime worktree-attributes",
};

/** Returns what the words after `git` do; undefined if nothing is run. `words` may begin with git's own options. */
export function gitUse(words: readonly Word[]): GitUse | undefined {
  const { size, folders, globals, unknown } = readGlobals(words);
  const sub = words[size]?.text;
  if (sub === undefined) return undefined;
  const rest = words.slice(size + 1);
  const use: GitUse = {
    verb: sub.toLowerCase(),
    reach: reachOf(sub),
    globals,
    shows: {},
    ...(folders.length === 0 ? {} : { folder: joined(folders) }),
  };
  const table = gitTables[sub] ?? (sub === "archive" ? ARCHIVE : undefined);
  if (!table) return use;
  if (sub === "remote") return { ...use, printsKey: "" };
  if (sub === "config") return { ...use, printsKey: printedKey(rest) };
  if (use.reach === "refs") return printsBranches(sub, rest) ? { ...use, printsBranches: true } : use;
  return { ...use, ...readShows(sub, rest, table, unknown), ...readLogs(sub, rest, table) };
}

function reachOf(sub: string): GitUse["reach"] {
  if (!gitTables[sub]) return "changes";
  if (REFS.has(sub)) return "refs";
  return HISTORY.has(sub) ? "history" : "files";
}

/** Reads git's own options before the subcommand. `size`: how many words they are. */
function readGlobals(words: readonly Word[]) {
  let size = 0;
  const folders: string[] = [];
  const globals: string[] = [];
  let unknown: Reason | undefined;
  for (; words[size]?.text.startsWith("-"); size++) {
    const text = words[size]?.text ?? "";
    if (MEANING.test(text)) globals.push(text);
    else if (text === "-C") folders.push(words[size + 1]?.text ?? "");
    else if (!PLAIN.test(text)) unknown = reasonOf("option-of-program", "git", text);
    if (VALUED.test(text)) size++;
  }
  return { size, folders, globals, unknown };
}

/** Returns what a subcommand shows of files, or why that is unknown; `odd`: why it is already uncertain. */
function readShows(
  sub: string,
  words: readonly Word[],
  table: OptionTable,
  odd: Reason | undefined,
): Partial<GitUse> {
  const read = readProgramOptions([...words], table);
  if ("fault" in read) return { unknown: ofProgram(`git ${sub}`, read.fault) };
  try {
    const shows = showsOf(sub, read);
    if (Object.keys(shows).length === 0) return { shows };
    const changed = words.find((word) => !word.literal);
    const unknown = odd ?? (changed && reasonOf("git-changed-word", changed.text));
    return unknown === undefined ? { shows } : { shows, unknown };
  } catch (error) {
    if (!(error instanceof NoQuestion)) throw error;
    const { option } = error;
    if (option !== undefined) return { unknown: ofProgram(`git ${sub}`, { option }) };
    return { unknown: reasonOf("folder-not-searchable", sub.toLowerCase()) };
  }
}

/** A format may print the remote of a branch: `%(push:remotename)`, and with -vv its upstream. */
function printsBranches(sub: string, words: readonly Word[]): boolean {
  if (!/^(?:branch|tag|for-each-ref|rev-parse)$/.test(sub)) return false;
  return words.some(({ text }) => /%|^--verbose|^-(?!-).*v/.test(text) || !/^[\w./@{}=,:^~-]*$/.test(text));
}

/** Returns the logs that it prints; all of them if the options are not understood. */
function readLogs(sub: string, words: readonly Word[], table: OptionTable): Pick<GitUse, "logs"> {
  if (!/^(?:log|show|reflog|stash|shortlog|rev-list|whatchanged|diff-tree)$/.test(sub)) return {};
  const read = readProgramOptions([...words], table);
  const logs = "fault" in read ? "all" : printedLogs(sub, read);
  return logs === undefined ? {} : { logs };
}

/** Each `-C` is relative to the previous one. */
function joined(folders: string[]): string {
  return folders.reduce((from, to) => (/^(?:[/\\]|[A-Za-z]:)/.test(to) ? to : `${from}/${to}`));
}

/** `git config --get user.name` prints one setting. */
function printedKey(words: readonly Word[]): string {
  const [first, key, ...more] = words.map(({ text }) => text);
  return /^(?:--)?get$/.test(first ?? "") && key !== undefined && more.length === 0 ? key.toLowerCase() : "";
}
