/**
 * Reads commands that consist of plain words: letters, digits and signs that mean themselves in bash, sh, zsh and fish, separated by
 * blanks. Nothing else can be meant by them, so the grammar, the second opinion on every other text, need not be loaded.
 */
import { placed } from "./folders.ts";
import { scanCommand } from "./scan.ts";
import type { ScanOptions } from "./scan-word.ts";
import type { Reading } from "./shell-words.ts";

/** A sign of assignment only belongs to a word that begins with a dash. */
const PLAIN = /^[A-Za-z_./][\w./+-]*(?: +(?:[\w./:@,+][\w./:@,+-]*|-[\w./:@,+=-]*))*$/;

/** The grammar reads these as declarations, with words of another kind. The scanner knows the words that begin other syntax. */
const DECLARES = /^(?:declare|typeset|export|readonly|local|unset|unsetenv|let|eval|exec|source|\.)(?: |$)/;

/** Whether a text with this piece may consist of plain words. */
export function mayBePlain(piece: string): boolean {
  return /^[\w./:@,+= -]*$/.test(piece);
}

/**
 * Returns what reads `command` and the commands in its words; undefined if it is not of plain words, or the first one begins other
 * syntax. A text in its words that is not plain is not read: it may be any command.
 */
export function plainReader(command: string, options: ScanOptions): ((text: string) => Reading) | undefined {
  const isPlain = PLAIN.test(command) && !DECLARES.test(command);
  if (!isPlain || !scanCommand(command, options).ok) return undefined;
  return (text) => {
    const scanned = scanCommand(text, options);
    if (!scanned.ok) return { commands: [], certain: false, fault: scanned.reason };
    return { commands: placed(scanned.commands, true), certain: true };
  };
}
