import type { Reason, Verdict } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";

/** The input of a program's judge: the words after the command's name. */
export interface ProgramCall {
  name: string;
  words: Word[];
  /** The words of the matching allow entry, including the name. */
  entry: string[];
  shell: string;
}

/**
 * What a program's judge may read from the disk. Paths are as written: absolute, or relative to the command's folder.
 */
export interface Disk {
  judge(path: string, access: "read" | "write"): Promise<{ verdict: Verdict; reason: Reason }>;
  /** Returns the text of a file; undefined if there is no such file. */
  text(path: string): Promise<string | undefined>;
}

export interface Profile {
  /** Returns why this call asks; undefined if nothing in it writes, runs or changes anything. */
  judge(call: ProgramCall): Reason | undefined;
  /** Returns the words that may name files whose content the program reads. Default: all. */
  files?(call: ProgramCall): Word[];
  /** Returns the words that may name files which the program changes. Default: none. */
  writes?(call: ProgramCall): Word[];
  /** Returns why the project's configuration for this call asks. */
  configured?(call: ProgramCall, disk: Disk): Promise<Reason | undefined>;
}

/** A program with no option or operand that writes or runs anything. */
export const harmless: Profile = { judge: () => undefined };

/** A program that shows names or its own text, never a file's content. */
export const namesOnly: Profile = { judge: () => undefined, files: () => [] };
