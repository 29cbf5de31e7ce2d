/** The sandbox of this machine: its engine, found once, and the rules for each command. */
import { createHash } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { SandboxUse } from "../../core/ports/sandbox.ts";
import { isInside } from "../../core/roots.ts";
import type { SandboxState } from "../../shared/sandbox-state.ts";
import { bubblewrapEnclosure, type Nothing, programFolders } from "./bubblewrap.ts";
import type { Enclosure, FileRules } from "./file-rules.ts";
import { GuardedFileFinder } from "./guarded-files.ts";
import { holdPlaceholder, type Placeholder, placeholdersIn, releasePlaceholder } from "./placeholders.ts";
import { type Engine, findEngine } from "./probe.ts";
import { repositoryRules } from "./repositories.ts";
import { sandboxVariables } from "./sandbox-variables.ts";
import { outermost, secretPlaces, socketPlaces } from "./secret-places.ts";

export interface SandboxOptions {
  environment: NodeJS.ProcessEnv;
  /** The user's home folder, absolute. */
  home: string;
  /** Nekode's folders of data and settings. Commands see nothing in them but a project that is there. */
  own: readonly string[];
  /** A folder in which each project gets a folder for caches; it is made. Not in one of `own`. */
  caches: string;
}

/** How one command is run in the sandbox. */
export interface SandboxedStart extends Enclosure {
  environment: NodeJS.ProcessEnv;
  /** Call when the command and all that it started have ended. */
  release(): void;
}

export class Sandbox {
  readonly #options: SandboxOptions;
  #engine: Promise<Engine> | undefined;
  #private: { folder: string; temporary: string; nothing: Nothing } | undefined;
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
    const { program } = await this.#found(use.roots);
    const { home, own } = this.#options;
    const { temporary, nothing } = this.#privateFolders();
    const roots = await realFolders(use.roots);
    const held: Placeholder[] = [];
    const hold = (placeholders: Placeholder[]) => {
      if (use.profile === "work") held.push(...placeholders.filter(holdPlaceholder));
    };
    const release = () => held.forEach(releasePlaceholder);
    try {
      const guarded = await Promise.all(roots.map((root) => this.#finder(root).find(use.isIgnored)));
      const caches = use.profile === "work" ? await this.#cachesOf(roots) : undefined;
      const repositories = await Promise.all(
        guarded.flatMap((each) => each.repositories).map(repositoryRules),
      );
      // Only now, so that they are not found themselves.
      hold([...roots.flatMap(placeholdersIn), ...repositories.flatMap((each) => each.placeholders)]);
      const inWork = use.profile === "work" ? repositories.flatMap((each) => each.folders) : [];
      const { profile, network = false } = use;
      const rules: FileRules = {
        profile,
        network,
        folders: outermostFirst([...roots, ...inWork, ...(caches === undefined ? [] : [caches])]),
        fixed: [
          ...guarded.flatMap((each) => each.fixed),
          ...repositories.flatMap((each) => each.fixed),
          ...held.map((each) => each.path),
        ],
        hidden: outermost([
          ...secretPlaces(home, own, roots),
          ...socketPlaces(),
          ...guarded.flatMap((each) => each.hidden),
        ]),
        programs: programFolders(environment.PATH ?? "", roots),
        temporary,
      };
      const variables = sandboxVariables(environment, { home, temporary: "/tmp", caches, network });
      return { ...bubblewrapEnclosure(program, rules, nothing), environment: variables, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  dispose(): void {
    if (this.#private) rmSync(this.#private.folder, { recursive: true, force: true });
    this.#private = undefined;
  }

  #found(roots: readonly string[]): Promise<Engine> {
    this.#engine ??= findEngine(this.#options.environment, roots);
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

  #privateFolders(): { temporary: string; nothing: Nothing } {
    this.#private ??= makePrivateFolders();
    return this.#private;
  }
}

function makePrivateFolders() {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-sandbox-"));
  const temporary = path.join(folder, "tmp");
  mkdirSync(temporary, { mode: 0o700 });
  const nothing = { file: path.join(folder, "no-file"), folder: path.join(folder, "no-folder") };
  writeFileSync(nothing.file, "");
  chmodSync(nothing.file, 0);
  mkdirSync(nothing.folder, { mode: 0 });
  return { folder, temporary, nothing };
}

/** Rejects if one does not exist. */
async function realFolders(folders: readonly string[]): Promise<string[]> {
  return outermostFirst(await Promise.all(folders.map((folder) => realpath(folder))));
}

const outermostFirst = (folders: readonly string[]): string[] =>
  [...new Set(folders)].sort((one, other) => one.length - other.length || (one < other ? -1 : 1));
