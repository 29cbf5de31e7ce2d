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
  /**
   * The text contains a variable with an unknown value. "one": the program receives exactly one word; "any": none or
   * several, because the shell drops an empty value and splits one with blanks.
   */
  unknown?: "one" | "any";
}

/** One program or cmdlet with its words, without the structure around it. */
export interface SimpleCommand {
  words: Word[];
  /** The files that it, or a group that ends with it, writes by a redirection. A reader that names some reports a fault. */
  writes?: Word[];
  /** PowerShell: the command whose objects come through the pipe; some cmdlets read the files that they represent. */
  piped?: SimpleCommand;
  /**
   * "and": runs only if the previous command succeeded, in the folder that it left. "pipe": part of the previous
   * command's pipeline. Absent: neither is certain.
   */
  link?: "and" | "pipe";
}

/** A command with the folders that it may run in: "" or with a trailing slash, as written. undefined: any folder. */
export interface PlacedCommand extends SimpleCommand {
  folders: readonly string[] | undefined;
}

/** A command read by the scanner: `cuts` are the ends of its top-level lines, where it may be parsed separately. */
export type Scan = { ok: true; commands: SimpleCommand[]; cuts: number[] } | { ok: false; reason: Reason };

/** What a text is for its shell. The judge and the forecast of what a command destroys both start from it. */
export interface Reading {
  /** In order. With a fault: whatever in the text may be a command, in branches, functions and substitutions as well. */
  commands: PlacedCommand[];
  /** False: the text may run other commands than these, or with other words. */
  certain: boolean;
  /** Why the text may not run unasked, whatever its commands are. Without one, exactly these commands run. */
  fault?: Reason;
}

/** Thrown inside a reader for unsupported syntax; never leaves this folder. */
export class NotUnderstood extends Error {
  constructor(readonly reason: Reason) {
    super(reason.code);
  }
}
