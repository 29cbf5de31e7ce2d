/** Patterns that the shell replaces by names: a command is judged with the names that stand on the disk. */
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { CMDLETS, TAKES_PATHS } from "../programs/cmdlets.ts";
import { mayBecomeOption } from "../programs/option-tables.ts";
import type { Shell, SimpleCommand, Word } from "../shells/shell-words.ts";
import { componentPattern, shortNames, windowsPattern } from "./patterns.ts";

/** The names in a folder; none where there is no such folder, undefined where it cannot be read. */
export type ListNames = (folder: string) => Promise<string[] | undefined>;

/** Names that one pattern may become, and folders that are looked into for them: beyond, it is not known what it names. */
const MOST_NAMES = 2_000;
const MOST_FOLDERS = 300;

/** First parts of paths that no program takes for an option, a file of options, a revision, an assignment or a host. */
const ORDINARY = /^[\p{L}\p{N}_.~#[({&'][^:=]*$/u;

/**
 * The command with the names that its patterns match from here, or why it asks. A pattern that matches none stays: most
 * shells hand it on as it stands.
 */
export async function expandGlobs(
  command: SimpleCommand,
  shell: Shell,
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

/**
 * Why a pattern asks where nobody looks at the disk: what it matches may begin like an option. PowerShell's own cmdlets
 * and those of cmd take the pattern itself.
 */
export function unseenGlob({ words }: SimpleCommand, shell: Shell): Reason | undefined {
  const [first, ...rest] = words;
  const name = first?.text.toLowerCase() ?? "";
  if (shell === "powershell" && isCmdlet(name)) return undefined;
  if (shell === "cmd" && /^(?:dir|type|findstr|more|tree|where)$/.test(name)) return undefined;
  // echo only shows its words, and find's own judge looks at them.
  if (name === "echo" || name === "find") return undefined;
  const word = rest.find((each) => mayBecomeOption(each) || /^-(?!-[a-z-]+=)/.test(each.glob ?? ""));
  return word && reasonOf("pattern-option", word.text);
}

function isCmdlet(name: string): boolean {
  return CMDLETS.has(name) || /^(?:where|foreach)(?:-object)?$/.test(name);
}

/** Whether the names that the patterns of a command match may be others when it runs, and begin in another way. */
export function mayMatchOthers({ words }: SimpleCommand): boolean {
  return words.some((word) => word.glob !== undefined && !/^[\w.][^*?[]*\//.test(word.glob));
}

/** The paths that a pattern matches, by its own folders; undefined where a folder cannot be read or a part not be understood. */
async function namesOf(glob: string, shell: Shell, list: ListNames): Promise<string[] | undefined> {
  const parts = glob.split("/");
  let found = [""];
  let looked = 0;
  for (const [i, part] of parts.entries()) {
    const last = i === parts.length - 1;
    const end = last ? "" : "/";
    if (!/[*?[\\]/.test(part)) {
      found = found.map((path) => `${path}${part}${end}`);
      continue;
    }
    const matches = part === "**" ? () => true : matcher(part, shell);
    if (!matches) return undefined;
    const next: string[] = part === "**" && !last ? [...found] : [];
    let pending = found;
    while (pending.length > 0) {
      const below: string[] = [];
      for (const folder of pending) {
        if (++looked > MOST_FOLDERS || next.length > MOST_NAMES) return undefined;
        const names = await list(folder === "" ? "." : folder);
        if (!names) return undefined;
        for (const name of names) if (matches(name)) below.push(`${folder}${name}${end}`);
      }
      next.push(...below);
      pending = part === "**" ? below.map((path) => (last ? `${path}/` : path)) : [];
    }
    found = next;
  }
  return existing(found, parts, list);
}

/** Behind the last wild card, fixed names follow: only those that are there count. */
async function existing(paths: string[], parts: string[], list: ListNames): Promise<string[] | undefined> {
  const fixed = parts.length - 1 - parts.findLastIndex((part) => /[*?[\\]/.test(part));
  if (fixed === 0) return paths;
  const there: string[] = [];
  for (const path of paths) {
    const slash = path.replace(/\/$/, "").lastIndexOf("/");
    const names = await list(path.slice(0, slash + 1) || ".");
    if (!names) return undefined;
    if (names.includes(path.slice(slash + 1).replace(/\/$/, ""))) there.push(path);
  }
  return there;
}

function matcher(part: string, shell: Shell): ((name: string) => boolean) | undefined {
  if (shell === "cmd") {
    const pattern = windowsPattern(part);
    return (name) => pattern.test(name) || shortNames(name).some((short) => pattern.test(short));
  }
  const pattern = componentPattern(part);
  return pattern && ((name) => pattern.test(name));
}
