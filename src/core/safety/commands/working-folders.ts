/** Tracks the folders that a command may run in: a `cd` before it may or may not have succeeded. */
import { posix } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { cachedValue } from "../../cached-value.ts";
import { cdTarget, isCd } from "../programs/change-folder.ts";
import type { SimpleCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

/** Maximum number of folders in which a command may run after `cd`. */
const MAX_FOLDERS = 4;
const NOT_BELOW = reasonOf("leaves-folder");

/** Follows the `cd`s of a command from its start, where it runs in the project's folder. */
export class Folders {
  /** All folders that a later command may run in: "", or relative or absolute with a trailing slash. */
  #all = [""];
  /** The folders that the current command may run in. */
  now: string[] = [""];
  #inPipeline = false;
  /** Those of the folders that contain third-party code, or that a link leads to. */
  readonly #foreign = new Set<string>();
  readonly #commands: readonly SimpleCommand[];

  constructor(commands: readonly SimpleCommand[]) {
    this.#commands = commands;
  }

  /** Advances to this command. */
  before(command: SimpleCommand): void {
    this.#inPipeline = command.link === "pipe";
    if (command.link === undefined) this.now = this.#all;
  }

  /** Whether the scripts and builds in this folder differ from those that an entry was created for. */
  isForeign(folder: string): boolean {
    return this.#foreign.has(folder);
  }

  /**
   * Applies what this command changes for the following ones, or returns why it asks. With `reads`, the folder must be
   * inside the project after resolving links; otherwise by its name.
   */
  async after(command: SimpleCommand, reads: ReadJudge | undefined): Promise<Reason | undefined> {
    if (!isCd(command)) return undefined;
    const target = cdTarget(command.words.slice(1));
    if (target === undefined) return NOT_BELOW;
    const next: string[] = [];
    for (const folder of this.now) {
      const path = isAbsolute(target) ? target : `${folder}${target}`;
      if (reads) {
        const { verdict, reason, resolved } = await reads.judge(path);
        if (verdict !== "allow") return reason;
        const home = (await reads.judge(".")).resolved;
        if (isThirdParty(path, resolved, home)) this.#foreign.add(withSlash(path));
      } else if (isAbsolute(path) || /^\.\.(?:\/|$)/.test(posix.normalize(path.replaceAll("\\", "/"))))
        return NOT_BELOW;
      else if (THIRD_PARTY.test(plainPath(path))) this.#foreign.add(withSlash(path));
      next.push(withSlash(path));
    }
    this.#all = [...new Set([...this.#all, ...next])];
    // In a pipeline, it depends on the shell whether it changes the folder of the next command.
    const follower = this.#commands[this.#commands.indexOf(command) + 1];
    this.now = this.#inPipeline || follower?.link === "pipe" ? this.#all : next;
    return this.#all.length > MAX_FOLDERS ? reasonOf("many-folders") : undefined;
  }
}

/** Folders with third-party code, by the names that package managers and users give them. */
const THIRD_PARTY =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|web_modules|\.yarn|\.pnpm(?:-store)?|vendor|vendors|third[-_]?party|3rd[-_]?party|externals?|deps|_deps|\.?v?env|\.venv\b[^/]*|virtualenv|site-packages|dist-packages|\.eggs|\.tox|\.nox|\.cargo|\.gradle|\.m2|target|pods|carthage|\.build|\.bundle|elm-stuff|\.git)(?:\/|$)/i;

const withSlash = (path: string) => (path.endsWith("/") ? path : `${path}/`);
const plainPath = (path: string) => posix.normalize(withSlash(path.replaceAll("\\", "/"))).slice(0, -1);

/**
 * Judged by its path below the project's real folder, because a folder behind a link is not the one that its name
 * suggests.
 */
function isThirdParty(written: string, resolved = written, home = ""): boolean {
  const [path, real, root] = [plainPath(written), plainPath(resolved), plainPath(home)];
  if (real === root) return false;
  const below = home !== "" && real.startsWith(`${root}/`) ? real.slice(root.length + 1) : real;
  const straight = path === below || (isAbsolute(path) && path.endsWith(`/${below}`));
  return !straight || THIRD_PARTY.test(below);
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path);
}

/** Returns the path judge for paths in this folder. */
export function readsIn(folder: string, reads: ReadJudge): ReadJudge {
  if (folder === "") return reads;
  const at = (path: string) => (isAbsolute(path) ? path : folder + path);
  return {
    judge: (path) => reads.judge(at(path)),
    list: (path) => reads.list(at(path)),
    tree: (read) => reads.tree({ ...read, folder: at(read.folder) }),
    git: (use, path) => reads.git(use, at(path)),
  };
}

/** Returns the same judge with a cache, so that the names of each folder are read from the disk only once. */
export function cachedReads(reads: ReadJudge): ReadJudge {
  const known = new Map<string, Promise<string[] | undefined>>();
  return {
    judge: (path) => reads.judge(path),
    tree: (tree) => reads.tree(tree),
    git: (use, folder) => reads.git(use, folder),
    list: (folder) => cachedValue(known, folder, () => reads.list(folder)),
  };
}
