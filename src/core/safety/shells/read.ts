/** Reads a command for any shell: the one way from a text to commands, for whoever decides something about it. */
import { reasonOf } from "../../../shared/reason.ts";
import type { ShellKind } from "../../ports/shell.ts";
import type { Assets } from "../../ports/system.ts";
import { readBash } from "./bash.ts";
import { grammarOf, loadGrammar } from "./grammar.ts";
import { codePoint, hiddenCharacter, isOddSpace, LONGEST_COMMAND } from "./hidden-characters.ts";
import { readCmd } from "./read-cmd.ts";
import { readPowerShell } from "./read-powershell.ts";
import { isWindowsShell, type Reading } from "./shell-words.ts";

/** Never throws for any text. */
export type ShellReader = (text: string) => Reading;

/**
 * Loads the shell's grammar from `assets` on first use. Rejects only if that fails. `interactive`: the text is typed into an
 * interactive shell.
 */
export async function loadReader(
  assets: Assets,
  shell: ShellKind,
  interactive = false,
): Promise<ShellReader> {
  const read = await readerOf(assets, shell, interactive);
  return (text) => {
    if (text.length > LONGEST_COMMAND) return { commands: [], certain: false, fault: reasonOf("too-long") };
    const reading = read(text);
    const hidden = hiddenCharacter(text);
    if (hidden) return { ...reading, fault: reasonOf("hidden-character", hidden) };
    const odd = isWindowsShell(shell) ? [...text].find(isOddSpace) : undefined;
    return odd ? { ...reading, fault: reasonOf("unusual-white-space", codePoint(odd)) } : reading;
  };
}

async function readerOf(assets: Assets, shell: ShellKind, interactive: boolean): Promise<ShellReader> {
  if (shell === "cmd") return readCmd;
  const grammar = grammarOf(shell);
  // Only from a host whose types are not checked.
  if (!grammar) return () => ({ commands: [], certain: false, fault: reasonOf("unknown-shell") });
  const parser = await loadGrammar(assets, grammar);
  if (grammar === "powershell") return (text) => readPowerShell(parser, text);
  return (text) => readBash(parser, text, { shell, interactive });
}
