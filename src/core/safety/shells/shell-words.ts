/** What the readers of every shell hand to the judge. */
import type { Reason } from "../../../shared/reason.ts";

export type Shell = "bash" | "zsh" | "sh" | "fish" | "powershell" | "cmd";

/** One word of a simple command, as the program will get it. */
export interface Word {
  /** After quotes and escapes; an expansion that is known to be harmless stands as it was written. */
  text: string;
  /** Where it stands in the command, in UTF-16 units. Words of one brace expansion share their range. */
  start: number;
  end: number;
  /** False when the shell changes it before the program sees it (glob, tilde, variable, braces). */
  literal: boolean;
  /** Unquoted glob characters: the pattern, with quoted ones escaped by a backslash and `/` between folders. */
  glob?: string;
  /** The word is one of the names that this pattern matched on the disk, or the pattern itself where it matched none. */
  pattern?: string;
  /**
   * The text holds a variable whose value is not known. "one": the program gets exactly one word; "any": none or several,
   * because the shell drops an empty value and splits one with blanks.
   */
  unknown?: "one" | "any";
}

/** A command without any structure: its words in order, redirections already judged and left out. */
export interface SimpleCommand {
  words: Word[];
  /** PowerShell: the command whose objects come in through the pipe; some cmdlets read the files they stand for. */
  piped?: SimpleCommand;
  /**
   * "and": runs only where the command before it succeeded, in the folder that it left. "pipe": part of the pipeline of
   * the command before it. Absent: neither is certain.
   */
  link?: "and" | "pipe";
  /** The words behind the name, with the names on the disk in the place of patterns. */
  expanded?: Word[];
}

/** A command read by the scanner: `cuts` are the ends of its top-level lines, where it may be parsed apart. */
export type Scan = { ok: true; commands: SimpleCommand[]; cuts: number[] } | { ok: false; reason: Reason };

/** A read command, or why it was not understood. */
export type Reading = { ok: true; commands: SimpleCommand[] } | { ok: false; reason: Reason };

/** Thrown inside a reader where it meets what it does not understand; never leaves this folder. */
export class NotUnderstood extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}

/** A literal word that was not read from a command (allow-list entries, tests). */
export function plainWord(text: string): Word {
  return { text, start: 0, end: 0, literal: true };
}
