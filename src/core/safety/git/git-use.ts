/** What a git command touches and shows, for the part of judging that takes a look at the repository. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { gitTables } from "../programs/git-tables.ts";
import { type OptionTable, ofProgram, readOptions } from "../programs/option-tables.ts";
import type { Word } from "../shells/shell-words.ts";
import { type GitShows, NoQuestion, showsOf } from "./shows.ts";

export interface GitUse {
  /** The subcommand, in lower case. */
  verb: string;
  /** The folder of `-C`. */
  folder?: string;
  /** refs: names and settings; history: commits; files: the index and the working tree too; changes: anything. */
  reach: "refs" | "history" | "files" | "changes";
  /** Options of git itself, in front of the subcommand, by which paths and objects mean something else. */
  globals: string[];
  /** What it shows of files. */
  shows: GitShows;
  /** The one key of the configuration that it tells; "" where it may tell every one. Addresses of remotes are such. */
  tells?: string;
  /** Why it is not known what it shows. */
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

/** It packs whole commits, and may start what the repository configures for a format. */
const ARCHIVE: OptionTable = {
  short: "vl0123456789",
  long: "list verbose format prefix mtime worktree-attributes",
};

/** What the words behind `git` do; undefined where nothing is run. `words` may begin with options of git itself. */
export function gitUse(words: readonly Word[]): GitUse | undefined {
  let at = 0;
  const folders: string[] = [];
  const globals: string[] = [];
  let unknown: Reason | undefined;
  for (; words[at]?.text.startsWith("-"); at++) {
    const text = words[at]?.text ?? "";
    if (MEANING.test(text)) globals.push(text);
    else if (text === "-C") folders.push(words[at + 1]?.text ?? "");
    else if (!PLAIN.test(text)) unknown = reasonOf("option-of-program", "git", text);
    if (VALUED.test(text)) at++;
  }
  const sub = words[at]?.text;
  if (sub === undefined) return undefined;
  const rest = words.slice(at + 1);
  const table = gitTables[sub] ?? (sub === "archive" ? ARCHIVE : undefined);
  const use: GitUse = {
    verb: sub.toLowerCase(),
    reach: !gitTables[sub] ? "changes" : REFS.has(sub) ? "refs" : HISTORY.has(sub) ? "history" : "files",
    globals,
    shows: {},
    ...(folders.length === 0 ? {} : { folder: joined(folders) }),
  };
  if (!table) return use;
  if (sub === "remote") return { ...use, tells: "" };
  if (sub === "config") return { ...use, tells: keyTold(rest) };
  if (use.reach === "refs") return use;
  const read = readOptions([...rest], table);
  if ("fault" in read) return { ...use, unknown: ofProgram(`git ${sub}`, read.fault) };
  try {
    const shows = showsOf(sub, read);
    const changed = rest.find((word) => !word.literal);
    if (changed && Object.keys(shows).length > 0) unknown ??= reasonOf("git-changed-word", changed.text);
    return {
      ...use,
      shows,
      ...(unknown === undefined || Object.keys(shows).length === 0 ? {} : { unknown }),
    };
  } catch (error) {
    if (!(error instanceof NoQuestion)) throw error;
    const { option } = error;
    const odd = option !== undefined && ofProgram(`git ${sub}`, { option });
    return { ...use, unknown: odd || reasonOf("folder-not-searchable", use.verb) };
  }
}

/** Each `-C` is relative to the one before. */
function joined(folders: string[]): string {
  return folders.reduce((from, to) => (/^(?:[/\\]|[A-Za-z]:)/.test(to) ? to : `${from}/${to}`));
}

/** `git config --get user.name` tells one setting. */
function keyTold(words: readonly Word[]): string {
  const [first, key, ...more] = words.map(({ text }) => text);
  return /^(?:--)?get$/.test(first ?? "") && key !== undefined && more.length === 0 ? key.toLowerCase() : "";
}
