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
  for (const candidate of [...behindWrappers(words), ...handedOver(words)]) {
    const found =
      longest(candidate, lists.deny, same) ?? longest(withoutGlobals(candidate), lists.deny, same);
    if (found) return found;
  }
  return undefined;
}

function programName(word: string): string {
  return word.replace(/^.*[\\/]/s, "").replace(/\.(?:exe|cmd|bat|com|ps1)$/i, "");
}

function behindWrappers(words: readonly string[]): string[][] {
  const first = words.findIndex((word) => !/^[A-Za-z_]\w*\+?=/.test(word));
  if (first < 0) return [];
  const rest = words.slice(first);
  const candidates = [rest];
  if (!precedesCommand(rest[0] ?? "")) return candidates;
  let names = 0;
  for (let i = 1; i < rest.length && names < 3; i++) {
    const word = rest[i] ?? "";
    if (word.startsWith("-") || /^[A-Za-z_]\w*=/.test(word) || /^[\d.]+[smhd]?$/.test(word)) continue;
    names++;
    candidates.push(...(precedesCommand(word) ? behindWrappers(rest.slice(i)) : [rest.slice(i)]));
  }
  return candidates;
}

/**
 * Returns commands in the words of a program that starts them: `find -exec`, `sh -c "..."`. Approximate, because it can
 * only deny.
 */
function handedOver(words: readonly string[]): string[][] {
  const name = programName(words[0] ?? "");
  if (/^(?:find|fd|fdfind)$/.test(name)) {
    const at = words.findIndex((word) => /^-(?:exec|ok)(?:dir)?$|^-[xX]$|^--exec/.test(word));
    return at < 0 ? [] : behindWrappers(words.slice(at + 1));
  }
  if (!/^(?:ba|z|da|a|k|fi)?sh$|^(?:pwsh|powershell|cmd|eval)$/i.test(name)) return [];
  return words
    .slice(1)
    .flatMap((word) => word.split(/[;&|(){}\n`]+/))
    .map((part) => part.split(/\s+/).filter((word) => word !== ""))
    .filter((part) => part.length > 0)
    .flatMap(behindWrappers);
}

const GLOBALS_WITH_VALUE = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--prefix",
  "--cwd",
  "--super-prefix",
  "--config-env",
]);

/** Returns `git -C x push` without the words between the program and its subcommand. */
function withoutGlobals(words: readonly string[]): string[] {
  let i = 1;
  while (i < words.length && (words[i] ?? "").startsWith("-"))
    i += GLOBALS_WITH_VALUE.has(words[i] ?? "") ? 2 : 1;
  return [words[0] ?? "", ...words.slice(i)];
}
