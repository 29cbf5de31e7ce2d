/** The sandbox of this machine: its engine, found once, and the rules for each command. */
import { createHash } from "node:crypto";
import { lstatSync, rmSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { SandboxUse } from "../../core/ports/sandbox.ts";
import { isInside } from "../../core/roots.ts";
import type { SandboxState } from "../../shared/sandbox-state.ts";
import type { CommandEnclosure, FileRules } from "./file-rules.ts";
import { GuardedFileFinder, TooManyFolders } from "./guarded-files.ts";
import { isAbsent, isPlaceholder, placeholdersIn } from "./placeholders.ts";
import { makePrivateFolders, type PrivateFolders } from "./private-folders.ts";
import { type FoundEngine, findEngine } from "./probe.ts";
import { repositoryRules } from "./repositories.ts";
import { sandboxVariables } from "./sandbox-variables.ts";
import { outermost, realPlace, secretPlaces, socketPlaces } from "./secret-places.ts";

export interface SandboxOptions {
  environment: NodeJS.ProcessEnv;
  /** The user's home folder, absolute. */
  home: string;
  /** Nekode's folders of data and settings. Commands see nothing in them but a project that is there. */
  own: readonly string[];
  /** Folders in `own` that commands can read all the same, as far as they exist. Default: none. */
  shown?: readonly string[];
  /** A folder in which each project gets a folder for caches; it is made. Not in one of `own`. */
  caches: string;
  /** Default: this system's, which is tried when it is first needed. */
  engine?: FoundEngine;
}

/** How one command is run in the sandbox. */
export interface SandboxedStart extends CommandEnclosure {
  environment: NodeJS.ProcessEnv;
  /** What takes effect by itself and was not in the project before the command, absolute. */
  made(): Promise<string[]>;
}

export class Sandbox {
  readonly #options: SandboxOptions;
  #engine: Promise<FoundEngine> | undefined;
  #private: PrivateFolders | undefined;
  readonly #finders = new Map<string, GuardedFileFinder>();

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** Whether commands of a project with these folders can run in the sandbox. Never rejects. */
  async state(roots: readonly string[]): Promise<SandboxState> {
    const { state } = await this.#found(roots);
    if (state.engine === undefined) return state;
    const place = await this.#unprotectable(roots);
    return place === undefined ? state : { engine: undefined, why: "place", detail: place };
  }

  /** `environment`: of a command. Rejects if the project cannot be protected, with the reason. `state` named an engine. */
  async start(use: SandboxUse, environment: NodeJS.ProcessEnv): Promise<SandboxedStart> {
    const { enclose } = await this.#found(use.roots);
    if (enclose === undefined) throw new Error("there is none");
    const { home, own, shown = [] } = this.#options;
    const roots = await realFolders(use.roots);
    const isWork = use.profile === "work";
    const [guarded, caches, programs] = await Promise.all([
      Promise.all(roots.map((root) => this.#finder(root).find(use.isIgnored))),
      isWork ? this.#cachesOf(roots) : undefined,
      programFolders(environment.PATH ?? "", roots),
    ]);
    const [repositories, secret] = await Promise.all([
      Promise.all(guarded.flatMap((each) => each.repositories).map(repositoryRules)),
      // Does not wait for the disk, and runs while the files of the repositories are read.
      secretsOutside(home, own, roots),
    ]);
    const absent = [
      ...roots.flatMap(placeholdersIn),
      ...repositories.flatMap((each) => each.placeholders),
    ].filter(isAbsent);
    const inWork = isWork ? repositories.flatMap((each) => each.folders) : [];
    const network = use.network ?? false;
    const rules: FileRules = {
      profile: use.profile,
      network,
      folders: outermostFirst([...roots, ...inWork, ...(caches === undefined ? [] : [caches])]),
      fixed: [...guarded.flatMap((each) => each.fixed), ...repositories.flatMap((each) => each.fixed)],
      absent: isWork ? absent : [],
      hidden: outermost([...secret, ...guarded.flatMap((each) => each.hidden)]),
      shown: shown.flatMap(realPlace),
      programs,
      ...this.#privateFolders(),
    };
    const enclosure = enclose(rules);
    const { temporary } = enclosure;
    const before = new Set(guarded.flatMap(({ effective }) => effective));
    return {
      ...enclosure,
      environment: sandboxVariables(environment, { home, temporary, caches, network }),
      made: async () => (isWork ? (await this.#made(roots, before)).map(await namingOf(use.roots)) : []),
    };
  }

  async #made(roots: readonly string[], before: ReadonlySet<string>): Promise<string[]> {
    try {
      const now = await Promise.all(roots.map((root) => this.#finder(root).find()));
      const isThere = (file: string) => lstatSync(file, { throwIfNoEntry: false }) !== undefined;
      return [...new Set(now.flatMap(({ effective }) => effective))].filter(
        (file) => !before.has(file) && !isPlaceholder(file) && isThere(file),
      );
    } catch (error) {
      // No further command runs in such a project, and the user is told why.
      if (error instanceof TooManyFolders) return [];
      throw error;
    }
  }

  dispose(): void {
    if (this.#private) rmSync(this.#private.own, { recursive: true, force: true });
    this.#private = undefined;
  }

  #found(roots: readonly string[]): Promise<FoundEngine> {
    const { engine, environment } = this.#options;
    this.#engine ??= engine ? Promise.resolve(engine) : findEngine(environment, roots);
    return this.#engine;
  }

  /** A folder of the project that cannot be told from what must be protected; undefined: there is none. */
  async #unprotectable(folders: readonly string[]): Promise<string | undefined> {
    const { home, own } = this.#options;
    const roots = await realFolders(folders).catch(() => undefined);
    if (roots === undefined || roots.length === 0) return folders.join(", ");
    const secret = secretPlaces(home, own, roots);
    const realHome = await realpath(home).catch(() => home);
    return roots.find((root) => isInside(root, realHome) || secret.some((place) => isInside(place, root)));
  }

  async #cachesOf([root = ""]: readonly string[]): Promise<string> {
    const name = createHash("sha256").update(root).digest("hex").slice(0, 16);
    const folder = path.join(this.#options.caches, name);
    await mkdir(folder, { recursive: true });
    return realpath(folder);
  }

  #finder(root: string): GuardedFileFinder {
    let finder = this.#finders.get(root);
    if (finder === undefined) {
      finder = new GuardedFileFinder(root);
      this.#finders.set(root, finder);
    }
    return finder;
  }

  #privateFolders(): PrivateFolders {
    this.#private ??= makePrivateFolders();
    return this.#private;
  }
}

async function secretsOutside(
  home: string,
  own: readonly string[],
  roots: readonly string[],
): Promise<string[]> {
  return [...secretPlaces(home, own, roots), ...socketPlaces()];
}

/** Folders of PATH outside of the project: as PATH names them, and their real paths. */
async function programFolders(searchPath: string, roots: readonly string[]): Promise<string[]> {
  const named = searchPath.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const real = await Promise.all(named.map((folder) => realpath(folder).catch(() => folder)));
  return [...new Set([...named, ...real])].filter((folder) => !roots.some((root) => isInside(root, folder)));
}

/** Names a file of the project by the folders as they are given, which may be links. */
async function namingOf(folders: readonly string[]): Promise<(file: string) => string> {
  const reals = await Promise.all(folders.map((folder) => realpath(folder)));
  return (file) => {
    const at = reals.findIndex((real) => isInside(real, file));
    return path.join(folders[at] ?? "", path.relative(reals[at] ?? "", file));
  };
}

/** Rejects if one does not exist. */
async function realFolders(folders: readonly string[]): Promise<string[]> {
  return outermostFirst(await Promise.all(folders.map((folder) => realpath(folder))));
}

const outermostFirst = (folders: readonly string[]): string[] =>
  [...new Set(folders)].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
