/** Makes the entry that "always allow this" stores: all the words of the command that the user saw. */

import type { ShellKind } from "../../ports/shell.ts";
import { isPlainAwk } from "../programs/awk.ts";
import { alwaysAsks, readsOnly } from "../programs/known-programs.ts";
import { mayRunAnything, namesScript, programOf } from "../programs/runners/runners.ts";
import { isPlainSed } from "../programs/sed.ts";
import { hiddenCharacter, LONGEST_COMMAND } from "../shells/hidden-characters.ts";
import { readCmd } from "../shells/read-cmd.ts";
import { scanCommand } from "../shells/scan.ts";
import { isWindowsShell, type Reading } from "../shells/shell-words.ts";

/**
 * Returns the allow-list entry for a command; undefined if none may be stored: for several commands, words that the
 * shell changes, interpreters, scripts, commands that run their arguments, and possible git aliases.
 */
export function approvalPrefix(command: string, shell: ShellKind): string | undefined {
  const words = wordsOfOne(command, shell);
  return words !== undefined && isStorable(words, shell) ? words.map(spelled).join(" ") : undefined;
}

/** Returns the words of a text that is one plain command, which the shell leaves as they are; otherwise undefined. */
function wordsOfOne(command: string, shell: ShellKind): string[] | undefined {
  if (command.length > LONGEST_COMMAND || hiddenCharacter(command) || command.includes("\n"))
    return undefined;
  if (/^\s*[({!]/.test(command)) return undefined;
  const read = readPlain(command, shell);
  const [only] = read.ok && read.commands.length === 1 ? read.commands : [];
  return only?.words.every((word) => word.literal) ? only.words.map(({ text }) => text) : undefined;
}

/** Whether an entry with all these words allows nothing that its words do not show. */
function isStorable(words: readonly string[], shell: ShellKind): boolean {
  const [name] = words;
  if (name === undefined) return false;
  if (name === "command" && !/^-[vV]$/.test(words[1] ?? "")) return false;
  if (alwaysAsks(name) || mayRunAnything(words) || runsScript(words)) return false;
  return namesScript(readsOnly(name, shell) ? words.slice(0, 1) : words) === undefined;
}

/** awk, sed and jq with a script in a file, or with one that runs commands, for example the lines of a file. */
function runsScript([name = "", ...rest]: readonly string[]): boolean {
  const program = programOf(name);
  if (!/^(?:[gmn]?awk|g?sed|jq|yq)$/.test(program)) return false;
  if (rest.some((word) => /^-[A-Za-z]*f|^--(?:f|from)/.test(word))) return true;
  if (/awk$/.test(program)) {
    const script = rest.find((word, i) => !word.startsWith("-") && !/^-[Fv]$/.test(rest[i - 1] ?? ""));
    return rest.some((word) => /^-[Eil]|^--[eil]/.test(word)) || !isPlainAwk(script ?? "");
  }
  if (!/sed$/.test(program)) return false;
  const named = rest.filter((_, i) => /^(?:-[A-Za-z]*e|--expression)$/.test(rest[i - 1] ?? ""));
  const scripts = named.length > 0 ? named : rest.filter((word) => !word.startsWith("-")).slice(0, 1);
  return scripts.some((script) => script.includes("e") && !isPlainSed(script));
}

/** For PowerShell too, uses the reader for cmd, the strictest one: it accepts only words that are plain in both. */
function readPlain(command: string, shell: ShellKind): Reading {
  return isWindowsShell(shell) ? readCmd(command) : scanCommand(command, { shell, interactive: false });
}

/** Spells a word as a list entry does. */
export function spelled(text: string): string {
  if (/^[\w./:=@%+,~^-]+$/.test(text) && !/^[~=]/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
