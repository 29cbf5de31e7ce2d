/** Reads a command for any shell: the one way from a text to commands, for whoever decides something about it. */
import { reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { readBash } from "./bash.ts";
import { grammarOf, loadGrammar } from "./grammar.ts";
import { codePoint, hiddenCharacter, isOddSpace, LONGEST_COMMAND } from "./hidden-characters.ts";
import { mayBePlain, plainReader } from "./plain-words.ts";
import { readCmd } from "./read-cmd.ts";
import { readPowerShell } from "./read-powershell.ts";
import { isWindowsShell, type Reading } from "./shell-words.ts";

/** Never throws for any text. */
export type ShellReader = (text: string) => Reading;

/**
 * Returns what reads `command` and the commands in it. Loads the shell's grammar from `assets` when a command first needs it; rejects only
 * if that fails. `interactive`: the text is typed into an interactive shell.
 */
export async function loadReader(
  assets: Assets,
  shell: ShellKind,
  command: string,
  interactive = false,
): Promise<ShellReader> {
  const read = await readerOf(assets, shell, command, interactive);
  return (text) => {
    if (text.length > LONGEST_COMMAND) return { commands: [], certain: false, fault: reasonOf("too-long") };
    const reading = read(text);
    const hidden = hiddenCharacter(text);
    if (hidden) return { ...reading, fault: reasonOf("hidden-character", hidden) };
    const odd = isWindowsShell(shell) ? [...text].find(isOddSpace) : undefined;
    return odd ? { ...reading, fault: reasonOf("unusual-white-space", codePoint(odd)) } : reading;
  };
}

/** Loads the grammar if a command with this piece needs it, so that the command is judged sooner when the rest has arrived. */
export function prepareReader(assets: Assets, shell: ShellKind, piece: string): void {
  const grammar = grammarOf(shell);
  if (grammar === undefined || (grammar === "bash" && mayBePlain(piece))) return;
  // A failure is reported when the command is judged.
  loadGrammar(assets, grammar).catch(() => undefined);
}

async function readerOf(
  assets: Assets,
  shell: ShellKind,
  command: string,
  interactive: boolean,
): Promise<ShellReader> {
  if (shell === "cmd") return readCmd;
  const grammar = grammarOf(shell);
  // Only from a host whose types are not checked.
  if (!grammar) return () => ({ commands: [], certain: false, fault: reasonOf("unknown-shell") });
  const options = { shell, interactive };
  const plain = grammar === "bash" ? plainReader(command, options) : undefined;
  if (plain) return plain;
  const parser = await loadGrammar(assets, grammar);
  if (grammar === "powershell") return (text) => readPowerShell(parser, text);
  return (text) => readBash(parser, text, options);
}
