import type { Reason } from "../../../shared/reason.ts";
import type { Word } from "../shells/shell-words.ts";

/** What a program's judge gets: the words behind the command's name. */
export interface ProgramCall {
  name: string;
  words: Word[];
  /** The allow entry that matched, by word, the name included. */
  entry: string[];
  shell: string;
}

/** What a program's judge may ask of the disk. Paths are as written: absolute, or relative to the folder of the command. */
export interface Disk {
  judge(
    path: string,
    access: "read" | "write",
  ): Promise<{ verdict: "allow" | "ask" | "deny"; reason: Reason }>;
  /** The text of a file; undefined where there is no such file. */
  text(path: string): Promise<string | undefined>;
}

export interface Profile {
  /** Why this call asks, or undefined when nothing in it writes, runs or changes anything. */
  judge(call: ProgramCall): Reason | undefined;
  /** The words that may name files whose content the program reads. Default: all. */
  files?(call: ProgramCall): Word[];
  /** The words that may name files which the program changes. Default: none. */
  writes?(call: ProgramCall): Word[];
  /** Why what the project configures for this call asks. */
  configured?(call: ProgramCall, disk: Disk): Promise<Reason | undefined>;
}

/** A program none of whose options or operands writes or runs anything. */
export const harmless: Profile = { judge: () => undefined };

/** The same for a program that shows names or its own text, never a file's content. */
export const namesOnly: Profile = { judge: () => undefined, files: () => [] };
