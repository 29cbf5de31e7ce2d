/**
 * Which file a program's name runs: whether words of a shell refer to the very file of the project that an entry names, and whether
 * the project itself determines what a name runs.
 */
import type { Reason } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import { isRunner } from "../programs/runners.ts";
import { isWindowsShell, type SimpleCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

/** Normalizes to `/`, without a leading `./`, and to lower case for Windows shells. */
function normal(word: string, shell: string): string {
  const slashes = isWindowsShell(shell) ? word.replaceAll("\\", "/").toLowerCase() : word;
  return slashes.replace(/^(?:\.\/+)+/, "");
}

/** Whether an entry's first word names a file of the project. */
export function namesFile(entry: string): boolean {
  return /[\\/]/.test(entry);
}

/**
 * Whether a command's first word is the file that an entry names: with or without `./`; on Windows also with the other
 * slash and in another case.
 */
export function sameFile(entry: string, word: string, shell: string): boolean {
  if (!namesFile(entry) || !(isWindowsShell(shell) ? /[\\/]/ : /\//).test(word)) return false;
  // cmd reads the text after a / as a switch.
  if (shell === "cmd" && word.includes("/")) return false;
  const file = normal(word, shell);
  return !/(?:^|\/)\.\.(?:\/|$)|^\/|:/.test(file) && normal(entry, shell) === file;
}

/** Whether two later words refer to the same file: on Windows, with either slash and in any case. */
export function sameOperand(entry: string, word: string, shell: string): boolean {
  return (
    entry === word ||
    (isWindowsShell(shell) && /[\\/]/.test(entry) && normal(entry, shell) === normal(word, shell))
  );
}

// Programs that PATH may resolve to the project itself: the allow list's entries for their names do not apply to them.

/** Words that a shell runs itself, whatever PATH contains. */
const POSIX = /^(?:cd|echo|pwd|printf|test|\[|true|false|:)$/;
const BUILT_IN: Readonly<Record<ShellKind, RegExp>> = {
  ...{ bash: POSIX, zsh: POSIX, sh: POSIX },
  fish: /^(?:cd|echo|pwd|printf|test|\[|true|false)$/,
  powershell: /^(?:cd|echo|pwd|[a-z]+-[a-z]+)$/i,
  cmd: /^(?:cd|echo|dir|type|ver)$/i,
};

/** Returns why the program, or one that is named after it, may come from the project itself. */
export function shadowedProgram(
  command: SimpleCommand,
  shell: ShellKind,
  reads: Pick<ReadJudge, "program"> | undefined,
): Reason | undefined {
  const name = command.words[0]?.text ?? "";
  const texts = isRunner(name) ? command.words.map((word) => word.text) : [name];
  const programs = texts.filter((text) => !BUILT_IN[shell].test(text) && /^[^-\\/][^\\/]*$/.test(text));
  for (const program of programs) {
    const reason = reads?.program?.(program);
    if (reason !== undefined) return reason;
  }
  return undefined;
}
