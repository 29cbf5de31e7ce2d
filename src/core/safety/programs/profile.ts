import type { Word } from "../words.ts";

/** What a program's judge gets: the words behind the command's name. */
export interface ProgramCall {
  name: string;
  words: Word[];
  /** The allow entry that matched, by word, the name included. */
  entry: string[];
  shell: string;
}

export interface Profile {
  /** Why this call asks, or undefined when nothing in it writes, runs or changes anything. */
  judge(call: ProgramCall): string | undefined;
  /** The words that may name files whose content the program reads. Default: all. */
  files?(call: ProgramCall): Word[];
  /** The words that may name files which the program changes. Default: none. */
  writes?(call: ProgramCall): Word[];
}

/** A program none of whose options or operands writes or runs anything. */
export const harmless: Profile = { judge: () => undefined };

/** The same for a program that shows names or its own text, never a file's content. */
export const namesOnly: Profile = { judge: () => undefined, files: () => [] };
