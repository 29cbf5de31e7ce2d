/** The states of the files that a command may run, and the files that these lead to. */
import { basename, dirname } from "node:path";
import { sha256 } from "../../bytes.ts";
import { DEPENDENCY_FOLDERS } from "../../ports/file-trees.ts";
import type { Files } from "../../ports/files.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { displayPath } from "../tool-paths.ts";
import { referencesOf } from "./script-references.ts";

/** Bytes of a file that is hashed, and files that scripts lead to. */
const LARGEST_FILE = 32 * 1024 * 1024;
const MOST_REACHED = 500;

/** Script names; scripts are recorded outside the project too. */
export const SCRIPT_NAME =
  /\.(?:[cm]?[jt]sx?|py|rb|p[lm]|php|lua|sh|bash|zsh|fish|ps1|psm1|bat|cmd|mk|awk|sed|sql|groovy|kts?|scala|exs?|R|jl|tcl)$/;

/** Other files that determine what a script does. Files that contain only its data or output do not count. */
const STEERING =
  /\.(?:json|ya?ml|toml|ini|cfg|just|mak|gradle|cmake|rs|go|c|cc|cpp|h|hpp|java|cs)$|^[^.]+$|^\./;

/** Whether a file of this name may be code, or decide what code does. */
export function mayBeCode(path: string): boolean {
  const name = basename(path);
  return SCRIPT_NAME.test(name) || STEERING.test(name);
}

export class CoveredFiles {
  readonly #files: Files;
  readonly #workspace: Workspace;
  /** Names in a folder, lower case. */
  readonly #lists = new Map<string, Promise<ReadonlySet<string>>>();

  constructor(files: Files, workspace: Workspace) {
    this.#files = files;
    this.#workspace = workspace;
  }

  /** A hash of the content, or the version of a very large file. undefined: no such file. */
  async stateOf(path: string): Promise<string | undefined> {
    return (await this.#read(path))?.state;
  }

  /** The files of the workspace that these files run or load, as far as their text names them, and their states. */
  async reachedFrom(
    paths: readonly string[],
    { words, folders }: { words: ReadonlySet<string>; folders: readonly string[] },
  ): Promise<Map<string, string>> {
    const reached = new Map<string, string>();
    const known = new Set(paths);
    const queue = [...paths];
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      const text = isDependency(path) ? undefined : (await this.#read(path))?.text;
      if (text === undefined) continue;
      const around = [...new Set([...folders, dirname(await this.#realpath(path))])];
      for (const next of referencesOf({ path, text }, around, words)) {
        if (known.has(next) || reached.size >= MOST_REACHED) continue;
        known.add(next);
        const state = (await this.#isCovered(next)) ? await this.stateOf(next) : undefined;
        if (state === undefined) continue;
        reached.set(next, state);
        queue.push(next);
      }
    }
    return reached;
  }

  async #isCovered(path: string): Promise<boolean> {
    if (!mayBeCode(path)) return false;
    return displayPath(this.#workspace, path) !== path && (await this.#exists(path));
  }

  /** Whether the path may exist. Each folder is listed once for all names in it. */
  async #exists(path: string): Promise<boolean> {
    const folder = dirname(path);
    if (folder === path) return true;
    const known = this.#lists.get(folder);
    if (known) return (await known).has(basename(path).toLowerCase());
    const listing = this.#namesIn(folder);
    this.#lists.set(folder, listing);
    return (await listing).has(basename(path).toLowerCase());
  }

  async #namesIn(folder: string): Promise<ReadonlySet<string>> {
    try {
      const isRoot = this.#workspace.roots.some((root) => root.path === folder);
      if (!isRoot && !(await this.#exists(folder))) return new Set();
      return new Set((await this.#files.list(folder)).map(({ name }) => name.toLowerCase()));
    } catch {
      return new Set();
    }
  }

  async #read(path: string): Promise<{ state: string; text: string | undefined } | undefined> {
    try {
      const stat = await this.#files.stat(path);
      if (stat?.kind !== "file") return undefined;
      // A link that leads elsewhere is another file, even with the same content.
      const real = await this.#realpath(path);
      const link = real === path ? "" : ` ${displayPath(this.#workspace, real)}`;
      if (stat.size > LARGEST_FILE) return { state: `version ${stat.version}${link}`, text: undefined };
      const bytes = await this.#files.readBytes(path, LARGEST_FILE);
      const isText = !bytes.subarray(0, 8_000).includes(0);
      const text = isText ? new TextDecoder().decode(bytes) : undefined;
      return { state: `${await sha256(bytes)}${link}`, text };
    } catch {
      return undefined;
    }
  }

  async #realpath(path: string): Promise<string> {
    return this.#files.realpath(path).catch(() => path);
  }
}

function isDependency(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => DEPENDENCY_FOLDERS.has(segment));
}
