/** What the readers of each shell hand to the programs, and what those report. */
export type { Destruction, Target } from "../../ports/file-trees.ts";

/** One word of a command as the program may receive it. `pattern` is set where the shell expands the word. */
export interface Value {
  text: string;
  pattern?: string;
}

/** The values that a word may have; undefined: they are only known when the command runs. */
export type Values = readonly Value[] | undefined;

/** Where a command runs and what it names: every method records a target. */
export interface Hits {
  /** Each path and all below it. An unknown word hits the whole project. */
  paths(words: readonly Values[]): void;
  /** The paths `word` may become when files arrive there from `sources`. */
  receive(destination: Values, sources: readonly Values[]): void;
  /** The names that begin as this path does, such as backup copies. */
  beside(word: Values): void;
  /** Everything below the folders that the command may run in. */
  here(): void;
  /** Every folder of the project; `light`: without installed dependencies. */
  everything(light?: boolean): void;
  git(): void;
  /** Another command line, such as the argument of `bash -c`. */
  shell(word: Values): void;
  /** The same record for a command that runs in another folder. */
  inFolder(folder: Values): Hits;
}
