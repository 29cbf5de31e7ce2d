/** What "always allow this" stores: the words that a person saw, all of them. */
import { readCmd } from "./cmd.ts";
import { alwaysAsks, readsOnly } from "./programs/index.ts";
import { mayRunAnything, namesScript } from "./programs/runners.ts";
import { scanCommand } from "./scan.ts";
import { hiddenCharacter, LONGEST_COMMAND } from "./text.ts";
import type { Reading, Shell, Word } from "./words.ts";

/**
 * The allow-list entry for a command, or undefined where none may be stored: several commands, words that the shell
 * changes, interpreters, scripts and commands that run what they are given, and what git may take for an alias.
 */
export function approvalPrefix(command: string, shell: Shell): string | undefined {
  if (command.length > LONGEST_COMMAND || hiddenCharacter(command) || command.includes("\n"))
    return undefined;
  const read = readPlain(command, shell);
  const [only] = read.ok && read.commands.length === 1 ? read.commands : [];
  const name = only?.words[0]?.text;
  if (!only || name === undefined || !only.words.every((word) => word.literal)) return undefined;
  if (/^\s*[({!]/.test(command) || (name === "command" && !/^-[vV]$/.test(only.words[1]?.text ?? "")))
    return undefined;
  if (alwaysAsks(name) || mayRunAnything(only.words.map(({ text }) => text))) return undefined;
  const texts = only.words.map(({ text }) => text);
  if (namesScript(readsOnly(name, shell) ? texts.slice(0, 1) : texts) !== undefined) return undefined;
  return only.words.map(spelled).join(" ");
}

/** PowerShell is read by the strictest reader here: what it and cmd both take for plain words. */
function readPlain(command: string, shell: Shell): Reading {
  return shell === "cmd" || shell === "powershell"
    ? readCmd(command)
    : scanCommand(command, { shell, interactive: false });
}

function spelled({ text }: Word): string {
  if (/^[\w./:=@%+,~^-]+$/.test(text) && !/^[~=]/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}
