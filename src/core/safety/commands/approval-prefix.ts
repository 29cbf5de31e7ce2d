/** Makes the entry that "always allow this" stores: all the words of the command that the user saw. */

import type { ShellKind } from "../../ports/shell.ts";
import { isInterpreter, isRunner } from "../programs/runners.ts";
import { hiddenCharacter, LONGEST_COMMAND } from "../shells/hidden-characters.ts";
import { readCmd } from "../shells/read-cmd.ts";
import { scanCommand } from "../shells/scan.ts";
import { isWindowsShell, type SimpleCommand } from "../shells/shell-words.ts";
import { onlyReads } from "./simple-command.ts";

/**
 * Returns the allow-list entry for a command, which may be piped into programs that only read. undefined: none may be stored, for
 * several commands, words that the shell changes, interpreters, and commands that run what their words name.
 */
export function approvalPrefix(command: string, shell: ShellKind): string | undefined {
  if (command.length > LONGEST_COMMAND || hiddenCharacter(command) || command.includes("\n"))
    return undefined;
  const [first, ...readers] = readPlain(command, shell);
  if (!readers.every((reader) => reader.link === "pipe" && onlyReads(reader, shell))) return undefined;
  const words = first?.words.every(({ literal }) => literal) ? first.words.map(({ text }) => text) : [];
  const [name = ""] = words;
  return name === "" || isInterpreter(name) || isRunner(name) ? undefined : words.map(spelled).join(" ");
}

/** For PowerShell too, uses the reader for cmd, the strictest one: it accepts only words that are plain in both. */
function readPlain(command: string, shell: ShellKind): readonly SimpleCommand[] {
  if (!isWindowsShell(shell)) {
    const scanned = scanCommand(command, { shell, interactive: false });
    return scanned.ok ? scanned.commands : [];
  }
  const { commands, fault } = readCmd(command);
  return fault ? [] : commands;
}

/** Spells a word as a list entry does. */
export function spelled(text: string): string {
  if (/^[\w./:=@%+,~^-]+$/.test(text) && !/^[~=]/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
