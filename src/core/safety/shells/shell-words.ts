/** What the readers of all shells share with the judge. */
import type { Reason } from "../../../shared/reason.ts";

/** Whether the shell is one of Windows: names ignore case, and paths may be separated by backslashes. */
export function isWindowsShell(shell: string): boolean {
  return shell === "powershell" || shell === "cmd";
}

/** One word of a simple command, as the program receives it. */
export interface Word {
  /** After quotes and escapes are resolved. An expansion known to be harmless is kept as written. */
  text: string;
  /** Its position in the command, in UTF-16 units. Words of one brace expansion share their range. */
  start: number;
  end: number;
  /** False if the shell changes it before the program receives it (glob, tilde, variable, braces). */
  literal: boolean;
  /** Set for unquoted glob characters: the pattern, with quoted ones escaped by a backslash and `/` between folders. */
  glob?: string;
  /** The pattern that matched the name in this word, or the pattern itself if it matched no file. */
  pattern?: string;
  /**
   * The text contains a variable with an unknown value. "one": the program receives exactly one word; "any": none or
   * several, because the shell drops an empty value and splits one with blanks.
   */
  unknown?: "one" | "any";
}

/** A command without structure: its words in order, without redirections, which are judged separately. */
export interface SimpleCommand {
  words: Word[];
  /** PowerShell: the command whose objects come through the pipe; some cmdlets read the files that they represent. */
  piped?: SimpleCommand;
  /**
   * "and": runs only if the previous command succeeded, in the folder that it left. "pipe": part of the previous
   * command's pipeline. Absent: neither is certain.
   */
  link?: "and" | "pipe";
  /** The words after the name, with patterns replaced by matching file names. */
  expanded?: Word[];
}

/** A command read by the scanner: `cuts` are the ends of its top-level lines, where it may be parsed separately. */
export type Scan = { ok: true; commands: SimpleCommand[]; cuts: number[] } | { ok: false; reason: Reason };

/** A parsed command, or why it was not understood. */
export type Reading = { ok: true; commands: SimpleCommand[] } | { ok: false; reason: Reason };

/** Thrown inside a reader for unsupported syntax; never leaves this folder. */
export class NotUnderstood extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}
