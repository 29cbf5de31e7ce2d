/** The types that the readers of each shell pass to the programs' judges, and their results. */
export type { Destruction, Target } from "../../ports/file-trees.ts";

/** One word of a command as the program may receive it. `pattern` is set if the shell expands the word. */
export interface Value {
  text: string;
  pattern?: string;
}

/** The values that a word may have; undefined: they are known only when the command runs. */
export type Values = readonly Value[] | undefined;

/** Where a command runs and what it names; every method records a target. */
export interface TargetRecorder {
  /** Records each path and everything below it. An unknown word records the whole project. */
  paths(words: readonly Values[]): void;
  /** Records the paths that `destination` may become when files arrive there from `sources`. */
  receive(destination: Values, sources: readonly Values[]): void;
  /** Records the names that begin like this path, for example backup copies. */
  beside(word: Values): void;
  /** Records everything below the folders that the command may run in. */
  here(): void;
  /** Records every folder of the project; `light`: without installed dependencies. */
  everything(light?: boolean): void;
  git(): void;
  /** Reads another command line, for example the argument of `bash -c`. */
  shell(word: Values): void;
  /** Returns the same record for a command that runs in another folder. */
  inFolder(folder: Values): TargetRecorder;
}
