/** Expands shell patterns to file names, so that a command is judged with the names that exist on disk. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { CMDLETS, TAKES_PATHS } from "../programs/cmdlets.ts";
import type { SimpleCommand, Word } from "../shells/shell-words.ts";
import { componentPattern, shortNames, windowsPattern } from "./patterns.ts";

/** Returns the names in a folder; empty if the folder does not exist, undefined if it cannot be read. */
export type ListNames = (folder: string) => Promise<string[] | undefined>;

/**
 * Maximum number of names that `**` may match, and of folders that are read for one pattern; beyond that, the matches
 * count as unknown.
 */
const MAX_NAMES = 2_000;
const MAX_FOLDERS = 300;

/** First path segments that no program reads as an option, an option file, a revision, an assignment or a host. */
const ORDINARY = /^[\p{L}\p{N}_.~#[({&'][^:=]*$/u;

/**
 * Returns the command with the names that its patterns match from here, or why it asks. A pattern without matches is
 * kept, because most shells pass it on unchanged.
 */
export async function expandGlobs(
  command: SimpleCommand,
  shell: ShellKind,
  list: ListNames,
): Promise<{ command: SimpleCommand } | { reason: Reason }> {
  const [first, ...words] = command.words;
  const name = first?.text.toLowerCase() ?? "";
  const compares = shell === "powershell" && isCmdlet(name) && !TAKES_PATHS.test(name);
  if (compares || words.every(({ glob }) => glob === undefined)) return { command };
  const expanded: Word[] = [];
  for (const word of words) {
    if (word.glob === undefined || word.unknown || word.glob.startsWith("~")) {
      expanded.push(word);
      continue;
    }
    const names = await namesOf(word.glob, shell, list);
    if (names === undefined) return { reason: reasonOf("pattern-several-files", word.text) };
    const strange = names.find((each) => !ORDINARY.test(each.split("/")[0] || "."));
    if (strange !== undefined) return { reason: reasonOf("read-as-option", strange) };
    const { glob: pattern, start, end } = word;
    const texts = names.length > 0 ? names : [word.text];
    for (const text of texts) expanded.push({ text, start, end, literal: names.length > 0, pattern });
  }
  return { command: { ...command, expanded } };
}

/** Whether the shell may turn a word into an option: a pattern that can match a file named `-x`. */
function mayBecomeOption(word: Word): boolean {
  return word.glob !== undefined && /^[*?[]/.test(word.glob);
}

/**
 * Returns why a pattern asks if the disk is not checked: its matches may begin like an option. Cmdlets of PowerShell
 * and commands of cmd receive the pattern itself.
 */
export function unseenGlob({ words }: SimpleCommand, shell: ShellKind): Reason | undefined {
  const [first, ...rest] = words;
  const name = first?.text.toLowerCase() ?? "";
  if (shell === "powershell" && isCmdlet(name)) return undefined;
  if (shell === "cmd" && /^(?:dir|type|findstr|more|tree|where)$/.test(name)) return undefined;
  // echo only prints its words, and find's own judge checks them.
  if (name === "echo" || name === "find") return undefined;
  const word = rest.find((each) => mayBecomeOption(each) || /^-(?!-[a-z-]+=)/.test(each.glob ?? ""));
  return word && reasonOf("pattern-option", word.text);
}

function isCmdlet(name: string): boolean {
  return CMDLETS.has(name) || /^(?:where|foreach)(?:-object)?$/.test(name);
}

/** Whether the names that a command's patterns match may be different when it runs, and may begin differently. */
export function mayMatchOthers({ words }: SimpleCommand): boolean {
  return words.some((word) => word.glob !== undefined && !/^[\w.][^*?[]*\//.test(word.glob));
}

/**
 * Returns the paths that a pattern matches in its folders; undefined if a folder is unreadable or a part is
 * unsupported.
 */
async function namesOf(glob: string, shell: ShellKind, list: ListNames): Promise<string[] | undefined> {
  const parts = glob.split("/");
  const read = atMost(MAX_FOLDERS, list);
  let paths: string[] | undefined = [""];
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    const end = last ? "" : "/";
    if (!/[*?[\\]/.test(part)) paths = paths.map((path) => `${path}${part}${end}`);
    else if (part === "**") paths = await allBelow(paths, last, read);
    else paths = await pathsIn(paths, matcher(part, shell), end, read);
    if (!paths) return undefined;
  }
  return existing(paths, parts, list);
}

function atMost(limit: number, list: ListNames): ListNames {
  let looked = 0;
  return async (folder) => (++looked > limit ? undefined : list(folder));
}

/** Returns the paths in these folders whose names match. */
async function pathsIn(
  folders: readonly string[],
  matches: ((name: string) => boolean) | undefined,
  end: string,
  list: ListNames,
): Promise<string[] | undefined> {
  if (!matches) return undefined;
  const paths: string[] = [];
  for (const folder of folders) {
    const names = await list(folder === "" ? "." : folder);
    if (!names) return undefined;
    for (const name of names) if (matches(name)) paths.push(`${folder}${name}${end}`);
  }
  return paths;
}

/** Returns what `**` matches: everything below these folders, and before another part also the folders. */
async function allBelow(
  folders: readonly string[],
  last: boolean,
  list: ListNames,
): Promise<string[] | undefined> {
  const paths = last ? [] : [...folders];
  let level = folders;
  while (level.length > 0) {
    const below =
      paths.length > MAX_NAMES ? undefined : await pathsIn(level, () => true, last ? "" : "/", list);
    if (!below) return undefined;
    paths.push(...below);
    level = last ? below.map((path) => `${path}/`) : below;
  }
  return paths;
}

/** After the last wildcard, the names are fixed: only existing ones count. */
async function existing(paths: string[], parts: string[], list: ListNames): Promise<string[] | undefined> {
  const fixed = parts.length - 1 - parts.findLastIndex((part) => /[*?[\\]/.test(part));
  if (fixed === 0) return paths;
  const existingPaths: string[] = [];
  for (const path of paths) {
    const slash = path.replace(/\/$/, "").lastIndexOf("/");
    const names = await list(path.slice(0, slash + 1) || ".");
    if (!names) return undefined;
    if (names.includes(path.slice(slash + 1).replace(/\/$/, ""))) existingPaths.push(path);
  }
  return existingPaths;
}

function matcher(part: string, shell: ShellKind): ((name: string) => boolean) | undefined {
  if (shell === "cmd") {
    const pattern = windowsPattern(part);
    return (name) => pattern.test(name) || shortNames(name).some((short) => pattern.test(short));
  }
  const pattern = componentPattern(part);
  return pattern && ((name) => pattern.test(name));
}
