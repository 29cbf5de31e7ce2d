/**
 * Which files one run of ripgrep searches, where an earlier run has found them. ripgrep treats a file that is named to it differently from
 * one that it finds: it searches what follows a NUL byte too. So it is given the folders and the names, and finds the files again.
 */
import path from "node:path";
import type { SearchScope } from "./search-scope.ts";

/** Files that are waited for before the first of them are searched, while more may come. */
const FIRST_FILES = 200;
/** Characters of arguments for one process. Windows allows 32,767 in all; Linux and macOS allow a million and more. */
const ARGUMENTS_LIMIT = process.platform === "win32" ? 20_000 : 200_000;
/** Characters of an argument beside the name in it. */
const ARGUMENT_LENGTH = 24;

/** Files that come one after the other, in batches for one run each. */
export class SearchBatches {
  readonly #waiting: string[] = [];
  #ended = false;
  #wake = () => {};

  /** Not after the end. */
  add(file: string): void {
    this.#waiting.push(file);
    if (this.#waiting.length >= FIRST_FILES) this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** undefined: there are no more. */
  async next(): Promise<string[] | undefined> {
    while (!this.#ended && this.#waiting.length < FIRST_FILES) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const [first] = portions(this.#waiting);
    if (first !== undefined) this.#waiting.splice(0, first.length);
    return first;
  }
}

/** The files in lists that every system takes as arguments. */
export function* portions(files: readonly string[]): Generator<string[]> {
  let portion: string[] = [];
  let room = ARGUMENTS_LIMIT;
  for (const file of files) {
    room -= file.length + ARGUMENT_LENGTH;
    if (room < 0 && portion.length > 0) {
      yield portion;
      portion = [];
      room = ARGUMENTS_LIMIT - file.length - ARGUMENT_LENGTH;
    }
    portion.push(file);
  }
  if (portion.length > 0) yield portion;
}

/** Marks bytes of a name that are not UTF-8. An argument cannot contain them. */
const UNREADABLE = "\uFFFD";

/** No ignore file applies to what an earlier run has found. */
const ALL = ["--hidden", "--no-ignore"];

/**
 * The arguments of the runs that search these files, relative to the searched folder; most often there is one run. It may search a few
 * others with them, which have the same names in other folders. `walk`: the options of a run that finds all files.
 */
export function batchRuns(files: readonly string[], scope: SearchScope, walk: readonly string[]): string[][] {
  const isNamed = (file: string) => !path.posix.dirname(file).includes(UNREADABLE);
  const named = files.filter(isNamed);
  const others = files.filter((file) => !isNamed(file));
  const runs: string[][] = [];
  if (named.length > 0) {
    const folders = new Set(named.map((file) => path.posix.dirname(file)));
    const targets = [...folders].map((folder) => scope.argument(folder === "." ? "" : folder));
    runs.push([...ALL, "--max-depth=1", ...typeOf(named), "--", ...targets]);
  }
  if (others.length > 0) runs.push([...walk, ...typeOf(others), "--", scope.target]);
  return runs;
}

/** A file type with these names. What may be special in a glob is any character instead. */
function typeOf(files: readonly string[]): string[] {
  const globs = files.map((file) =>
    path.posix
      .basename(file)
      .replace(/[!-,/:-@[-^`{-~]/g, "?")
      .replaceAll(UNREADABLE, "*"),
  );
  return [...[...new Set(globs)].map((glob) => `--type-add=batch:${glob}`), "--type=batch"];
}
