/** Allow and deny lists of command prefixes, matched by word. The longest match wins; deny wins a tie. */

import type { ShellKind } from "../../ports/shell.ts";
import { precedesCommand } from "../programs/runners.ts";
import { scanCommand } from "../shells/scan.ts";
import { isWindowsShell } from "../shells/shell-words.ts";
import { sameFile, sameOperand } from "./program-path.ts";

export interface EntryMatch {
  list: "allow" | "deny";
  /** The entry's words. */
  entry: string[];
}

/** Returns an entry's words: parsed like a shell if they are plain, otherwise split at whitespace. */
export function entryWords(entry: string): string[] {
  let parts = known.get(entry);
  if (!parts) {
    if (known.size > 2000) known.clear();
    parts = splitEntry(entry);
    known.set(entry, parts);
  }
  return parts;
}

const known = new Map<string, string[]>();

function splitEntry(entry: string): string[] {
  // A Windows path, in which backslashes are not escapes.
  if (/^[^'"]*\\[\w.]/.test(entry)) return entry.split(/\s+/).filter((word) => word !== "");
  const read = scanCommand(entry.trim(), { shell: "bash", interactive: false });
  if (read.ok && read.commands.length === 1) return (read.commands[0]?.words ?? []).map((word) => word.text);
  return entry.split(/\s+/).filter((word) => word !== "");
}

/**
 * Returns the longest entry that the words start with. `same` compares two words (some shells ignore the case of
 * names).
 */
function longest(
  words: readonly string[],
  entries: readonly string[],
  same: (a: string, b: string, at: number) => boolean,
): string[] | undefined {
  let best: string[] | undefined;
  for (const entry of entries) {
    const parts = entryWords(entry);
    if (parts.length === 0 || parts.length > words.length || parts.length <= (best?.length ?? 0)) continue;
    if (parts.every((part, i) => same(part, words[i] ?? "", i))) best = parts;
  }
  return best;
}

export interface Lists {
  allow: readonly string[];
  deny: readonly string[];
  shell: ShellKind;
  platform: string;
}

/**
 * Returns the entry that decides for these words. Allowing compares exactly; denying also handles paths, case and
 * wrappers.
 */
export function matchLists(words: readonly string[], lists: Lists): EntryMatch | undefined {
  const folds = isWindowsShell(lists.shell);
  const exact = (a: string, b: string, at: number) =>
    at === 0
      ? a === b || (folds && a.toLowerCase() === b.toLowerCase()) || sameFile(a, b, lists.shell)
      : sameOperand(a, b, lists.shell);
  const allowed = longest(words, lists.allow, exact);
  const denied = deniedBy(words, lists);
  if (denied && denied.length >= (allowed?.length ?? 0)) return { list: "deny", entry: denied };
  return allowed ? { list: "allow", entry: allowed } : undefined;
}

/** Returns the deny entry that covers these words, by the program's own name and behind wrappers. */
export function deniedBy(words: readonly string[], lists: Lists): string[] | undefined {
  const folds = lists.platform !== "linux" || isWindowsShell(lists.shell);
  const same = (a: string, b: string, at: number) => {
    if (at > 0) return a === b;
    const name = programName(b);
    return a === b || a === name || (folds && a.toLowerCase() === name.toLowerCase());
  };
  for (const command of mayRun(words)) {
    for (const candidate of withoutOptions(command)) {
      const found = longest(candidate, lists.deny, same);
      if (found) return found;
    }
  }
  return undefined;
}

function programName(word: string): string {
  return word.replace(/^.*[\\/]/s, "").replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");
}

/** Programs that run what some of their words say, beside those before which a command may stand. */
const HANDS_OVER = /^(?:(?:ba|z|da|a|k|fi)?sh|pwsh|powershell|cmd|eval)$/i;
const FINDS = /^(?:find|fd|fdfind)$/;
const EXECUTES = /^-(?:exec|ok)(?:dir)?$|^-[xX]$|^--exec/;
/** Words of a command that another one runs; no entry is longer. */
const MOST_WORDS = 20;

/** Returns the commands that these words may run: `sudo x`, `find -exec x`, `sh -c "x"`. Approximate, because it can only deny. */
function mayRun(words: readonly string[]): string[][] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  if (first < 0) return [];
  const command = words.slice(first);
  const program = programName(command[0] ?? "");
  const acts = FINDS.test(program) ? command.findIndex((word) => EXECUTES.test(word)) : 0;
  const startsOthers = FINDS.test(program) || HANDS_OVER.test(program) || precedesCommand(command[0] ?? "");
  if (!startsOthers || acts < 0) return [command];
  const pieces = command
    .slice(acts + 1)
    .flatMap((word) => word.split(/[\s;&|(){}`]+/))
    .filter((piece) => piece !== "");
  return [command, ...pieces.map((_, at) => pieces.slice(at, at + MOST_WORDS))];
}

/** Returns `git -C x push` also without the options, and their possible values, between the program and its subcommand. */
function withoutOptions(words: readonly string[]): string[][] {
  const [name = "", ...rest] = words;
  const isOption = (word: string | undefined) => word?.startsWith("-") ?? false;
  const subcommand = rest.findIndex((word, at) => !isOption(word) && !isOption(rest[at - 1]));
  const last = subcommand < 0 ? rest.length : subcommand;
  return Array.from({ length: last + 1 }, (_, at) => [name, ...rest.slice(at)]);
}
