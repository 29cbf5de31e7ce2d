/** Collects the targets of the programs of one command line, as absolute paths. */
import { basename, isAbsolute, join, resolve } from "node:path";
import type { Destruction, Target } from "../../ports/file-trees.ts";
import { quoteGlob, type Value, type Values } from "./value.ts";

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

/** A folder that a command may run in. `unless`: only if that folder does not exist, so that `cd` to it fails. */
export interface PossibleFolder {
  path: string;
  unless?: string;
}

export interface CommandFolders {
  /** Absolute. */
  roots: readonly string[];
  cwd: string;
  home: string;
}

/** More targets than this count as the whole project. */
const MAX_TARGETS = 2_000;

export class TargetList {
  readonly #around: CommandFolders;
  readonly #targets = new Map<string, Target>();
  #git = false;

  constructor(around: CommandFolders) {
    this.#around = around;
  }

  get around(): CommandFolders {
    return this.#around;
  }

  add(target: Target): void {
    this.#targets.set(JSON.stringify(target), target);
  }

  everything(light = false): void {
    for (const path of this.#around.roots) this.add({ path, ...(light ? { light } : {}) });
  }

  git(): void {
    this.#git = true;
  }

  /** undefined: there are no targets. */
  result(): Destruction | undefined {
    if (this.#targets.size > MAX_TARGETS) this.everything();
    const targets = [...this.#targets.values()];
    if (targets.length === 0) return undefined;
    const isWhole = ({ glob, receives, light, unless }: Target): boolean =>
      !glob && !receives && !light && unless === undefined;
    const whole = this.#around.roots.filter((root) =>
      targets.some((each) => each.path === root && isWhole(each)),
    );
    const remaining = targets.filter(
      (each) => isWhole(each) || !whole.some((root) => `${each.path}/`.startsWith(join(root, "/"))),
    );
    return { targets: remaining, git: this.#git };
  }
}

/** `places` undefined: the folder is unknown. */
export function hitsIn(
  list: TargetList,
  places: readonly PossibleFolder[] | undefined,
  shell: (word: Values, places: readonly PossibleFolder[] | undefined) => void,
): TargetRecorder {
  const { home } = list.around;
  const add = (value: Value, more: Partial<Target>): void => {
    const path = value.pattern ?? value.text;
    if (path === "" || path === "-") return;
    const glob = value.pattern === undefined ? {} : { glob: true };
    for (const place of at(path)) list.add({ ...place, ...glob, ...more });
  };
  /** Resolves the path from each folder that the command may run in. */
  function at(path: string): Target[] {
    const fromHome = /^~(?=$|[/\\])/.test(path) ? join(home, path.slice(1)) : undefined;
    if (isAbsolute(path)) return [{ path: resolve(path) }];
    if (fromHome !== undefined) return [{ path: fromHome }];
    if (!places) {
      list.everything();
      return [];
    }
    return places.map(({ path: folder, unless }) => ({
      path: resolve(folder, path),
      ...(unless === undefined ? {} : { unless }),
    }));
  }
  const hits: TargetRecorder = {
    paths(words) {
      for (const word of words) {
        if (word === undefined) list.everything();
        for (const value of word ?? []) add(value, {});
      }
    },
    receive(destination, sources) {
      if (destination === undefined) return list.everything();
      for (const each of destination) {
        add(each, each.pattern === undefined ? { receives: true } : {});
        for (const value of sources.flatMap((source) => arrivals(each, source))) add(value, {});
      }
    },
    beside(word) {
      if (word === undefined) return list.everything();
      for (const { text, pattern } of word) {
        if (text !== "" || pattern !== undefined)
          add({ text, pattern: `${pattern ?? quoteGlob(text)}*` }, {});
      }
    },
    here() {
      if (!places) return list.everything();
      for (const { path, unless } of places) list.add({ path, ...(unless === undefined ? {} : { unless }) });
    },
    everything: (light) => list.everything(light),
    git: () => list.git(),
    shell: (word) => shell(word, places),
    inFolder: (folder) => hitsIn(list, movedTo(places, folder, home), shell),
  };
  return hits;
}

/** Returns what the files of `source` become if this destination is a folder. */
function arrivals({ text, pattern }: Value, source: Values): Value[] {
  return (source ?? [{ text: "" }]).map((each) => {
    const name = basename(each.pattern ?? each.text);
    if (/^\.{0,2}$/.test(name) || pattern !== undefined) return { text };
    return each.pattern === undefined
      ? { text: join(text, name) }
      : { text: "", pattern: join(quoteGlob(text), name) };
  });
}

/** Returns the folders after `cd`: the new folder, or the previous one if it does not exist. */
export function movedTo(
  places: readonly PossibleFolder[] | undefined,
  folder: Values,
  home: string,
): readonly PossibleFolder[] | undefined {
  if (!folder || folder.some(({ text, pattern }) => pattern !== undefined || text === "-")) return undefined;
  const moved: PossibleFolder[] = [];
  for (const { text } of folder) {
    const path = /^~(?=$|\/)/.test(text) ? join(home, text.slice(1)) : text;
    if (isAbsolute(path)) moved.push({ path: resolve(path) });
    else if (!places) return undefined;
    for (const place of places ?? []) {
      const target = resolve(place.path, path);
      if (!isAbsolute(path)) moved.push({ ...place, path: target });
      if (place.unless === undefined) moved.push({ path: place.path, unless: target });
    }
  }
  return moved.length > 64 ? undefined : moved;
}
