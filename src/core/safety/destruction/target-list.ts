/** Collects what the programs of one command line destroy, as absolute paths. */
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Destruction, Target } from "../../ports/file-trees.ts";
import type { Word } from "../shells/shell-words.ts";

export interface CommandFolders {
  /** Absolute. */
  roots: readonly string[];
  cwd: string;
  home: string;
}

/** Where a command runs. */
export interface ForecastContext {
  /** Absolute. undefined: it may be any folder. */
  folders: readonly string[] | undefined;
  /** False: the words are not those that the program receives, for example because xargs adds some. */
  certain: boolean;
  /** PowerShell: objects come through a pipe, which may be files. */
  isPiped?: boolean;
}

/** More targets than this count as the whole project. */
const MAX_TARGETS = 2_000;

export class Targets {
  readonly around: CommandFolders;
  readonly #targets = new Map<string, Target>();
  #git = false;

  constructor(around: CommandFolders) {
    this.around = around;
  }

  add(target: Target): void {
    this.#targets.set(JSON.stringify(target), target);
  }

  /** Adds every folder of the project; `light`: without installed dependencies. */
  everything(light = false): void {
    for (const path of this.around.roots) this.add({ path, ...(light ? { light } : {}) });
  }

  git(): void {
    this.#git = true;
  }

  /** undefined: there are no targets. */
  result(): Destruction | undefined {
    if (this.#targets.size > MAX_TARGETS) this.everything();
    const targets = [...this.#targets.values()];
    if (targets.length === 0) return undefined;
    const isWhole = ({ glob, receives, light }: Target): boolean => !glob && !receives && !light;
    const whole = this.around.roots.filter((root) =>
      targets.some((each) => each.path === root && isWhole(each)),
    );
    const remaining = targets.filter(
      (each) => isWhole(each) || !whole.some((root) => `${each.path}/`.startsWith(join(root, "/"))),
    );
    return { targets: remaining, git: this.#git };
  }
}

const NO_FILE = /^(?:-?|\/dev\/(?:null|tty|std\w+|fd\/\d+))$/;

type Path = Pick<Target, "path" | "glob">;

/** Records what one command destroys. An unknown word records the whole project. */
export class TargetRecorder {
  readonly #targets: Targets;
  readonly context: ForecastContext;
  /** The shell is one of Windows. */
  readonly isWindows: boolean;
  readonly #read: (text: string, context: ForecastContext) => void;

  constructor(
    targets: Targets,
    context: ForecastContext,
    isWindows: boolean,
    read: (text: string, context: ForecastContext) => void,
  ) {
    this.#targets = targets;
    this.context = context;
    this.isWindows = isWindows;
    this.#read = read;
  }

  /** Records the path of each word and everything below it. */
  paths(words: readonly Word[]): void {
    for (const word of words) this.#add(this.#pathOf(word));
  }

  /** Records what `destination` may become when files arrive there from `sources`. */
  receive(destination: Word, sources: readonly Word[]): void {
    const to = this.#pathOf(destination);
    this.#add(to, to?.glob ? {} : { receives: true });
    for (const source of sources) {
      const from = this.#pathOf(source);
      const name = basename(from?.path ?? "");
      // A pattern, or what is in a folder, may arrive as anything.
      if (!to || !from || to.glob || /^\.{0,2}$/.test(name)) this.#add(to);
      else
        this.#add({
          path: join(from.glob ? quoteGlob(to.path) : to.path, name),
          ...(from.glob && { glob: true }),
        });
    }
  }

  /** Records everything below the folders that the command may run in. */
  here(): void {
    this.#add({ path: "." });
  }

  everything(light?: boolean): void {
    this.#targets.everything(light);
  }

  /** Records that git's own state changes. */
  git(): void {
    this.#targets.git();
  }

  /** Records what another command line destroys, for example the argument of `bash -c`. */
  shell(word: Word | undefined): void {
    if (!word || word.unknown) this.everything();
    else this.#read(word.text, this.context);
  }

  /** Returns the same record for words that are not those which the program receives. */
  uncertain(): TargetRecorder {
    return new TargetRecorder(this.#targets, { ...this.context, certain: false }, this.isWindows, this.#read);
  }

  #add(path: Path | undefined, more: Partial<Target> = {}): void {
    const { folders, certain } = this.context;
    if (!path || !certain || (!folders && !isAbsolute(path.path))) this.everything();
    else if (!NO_FILE.test(path.path))
      for (const folder of folders ?? [""])
        this.#targets.add({ ...path, path: resolve(folder, path.path), ...more });
  }

  /** undefined: only the shell knows it. */
  #pathOf({ text, glob, literal, unknown }: Word): Path | undefined {
    // PowerShell and cmd leave patterns to their commands, quoted or not.
    const path = this.isWindows ? text.replaceAll("\\", "/") : (glob ?? text);
    const isGlob = this.isWindows ? /[*?[]/.test(path) : glob !== undefined;
    const [, home, below = ""] =
      (!literal || this.isWindows ? /^(~|\$HOME|\$PWD)(\/[^$]*)?$/.exec(path) : null) ?? [];
    if (home !== undefined) {
      const base = home === "$PWD" ? "." : this.#targets.around.home;
      return { path: (isGlob ? quoteGlob(base) : base) + below, ...(isGlob && { glob: true }) };
    }
    if (unknown !== undefined || (this.isWindows && path.includes("`"))) return undefined;
    return { path, ...(isGlob && { glob: true }) };
  }
}

function quoteGlob(text: string): string {
  return text.replace(/[\\*?[\]]/g, "\\$&");
}
