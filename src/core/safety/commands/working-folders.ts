/** The folders that a command may run in: `cd` in front of it may have happened or not. */
import { posix } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { cdTarget, isCd } from "../programs/cd.ts";
import type { SimpleCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

/** Folders in which a command may run after `cd`, at most. */
const MOST_FOLDERS = 4;
const NOT_BELOW = reasonOf("leaves-folder");

/** Follows the `cd` of a command from its start, where it runs in the project's folder. */
export class Folders {
  /** Every folder that a later command may run in: "", or relative or absolute with a final slash. */
  #all = [""];
  /** Those that the command at hand may run in. */
  now: string[] = [""];
  #inPipeline = false;
  /** Of the folders, those that hold the code of others, or that a link leads to. */
  readonly #foreign = new Set<string>();

  constructor(private readonly commands: readonly SimpleCommand[]) {}

  /** Moves on to this command. */
  before(command: SimpleCommand): void {
    this.#inPipeline = command.link === "pipe";
    if (command.link === undefined) this.now = this.#all;
  }

  /** Whether the scripts and builds in this folder are others' than those that an entry was made for. */
  isForeign(folder: string): boolean {
    return this.#foreign.has(folder);
  }

  /**
   * What this command changes for those behind it, or why it asks. With `reads`, the folder must be inside the project
   * after resolving links; without, by its name.
   */
  async after(command: SimpleCommand, reads: ReadJudge | undefined): Promise<Reason | undefined> {
    if (!isCd(command)) return undefined;
    const target = cdTarget(command);
    if (target === undefined) return NOT_BELOW;
    const next: string[] = [];
    for (const folder of this.now) {
      const path = isAbsolute(target) ? target : `${folder}${target}`;
      if (reads) {
        const { verdict, reason, resolved } = await reads.judge(path, "read");
        if (verdict !== "allow") return reason;
        const home = (await reads.judge(".", "read")).resolved;
        if (isOthers(path, resolved, home)) this.#foreign.add(withSlash(path));
      } else if (isAbsolute(path) || /^\.\.(?:\/|$)/.test(posix.normalize(path.replaceAll("\\", "/"))))
        return NOT_BELOW;
      else if (OF_OTHERS.test(plainPath(path))) this.#foreign.add(withSlash(path));
      next.push(withSlash(path));
    }
    this.#all = [...new Set([...this.#all, ...next])];
    // In a pipeline, whether it changes the folder of what follows depends on the shell.
    const follower = this.commands[this.commands.indexOf(command) + 1];
    this.now = this.#inPipeline || follower?.link === "pipe" ? this.#all : next;
    return this.#all.length > MOST_FOLDERS ? reasonOf("many-folders") : undefined;
  }
}

/** Folders that hold the code of others, as package managers and people name them. */
const OF_OTHERS =
  /(?:^|\/)(?:node_modules|bower_components|jspm_packages|web_modules|\.yarn|\.pnpm(?:-store)?|vendor|vendors|third[-_]?party|3rd[-_]?party|externals?|deps|_deps|\.?v?env|\.venv\b[^/]*|virtualenv|site-packages|dist-packages|\.eggs|\.tox|\.nox|\.cargo|\.gradle|\.m2|target|pods|carthage|\.build|\.bundle|elm-stuff|\.git)(?:\/|$)/i;

const withSlash = (path: string) => (path.endsWith("/") ? path : `${path}/`);
const plainPath = (path: string) => posix.normalize(withSlash(path.replaceAll("\\", "/"))).slice(0, -1);

/** By its path below the project's real folder: one that links lead to is not the one that its name says. */
function isOthers(written: string, resolved = written, home = ""): boolean {
  const [path, real, root] = [plainPath(written), plainPath(resolved), plainPath(home)];
  if (real === root) return false;
  const below = home !== "" && real.startsWith(`${root}/`) ? real.slice(root.length + 1) : real;
  const straight = path === below || (isAbsolute(path) && path.endsWith(`/${below}`));
  return !straight || OF_OTHERS.test(below);
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[A-Za-z]:)/.test(path);
}

/** The judge of paths as it answers in this folder. */
export function readsIn(folder: string, reads: ReadJudge): ReadJudge {
  if (folder === "") return reads;
  const at = (path: string) => (isAbsolute(path) ? path : folder + path);
  const { text } = reads;
  return {
    ...(text ? { text: (path: string) => text(at(path)) } : {}),
    judge: (path, access) => reads.judge(at(path), access),
    list: (path) => reads.list(at(path)),
    tree: (tree) => reads.tree({ ...tree, folder: at(tree.folder) }),
    git: (use, path) => reads.git(use, at(path)),
  };
}

/** The same judge, which asks the disk once for the names of each folder. */
export function remembering(reads: ReadJudge): ReadJudge {
  const known = new Map<string, Promise<string[] | undefined>>();
  return {
    ...(reads.text ? { text: reads.text } : {}),
    judge: (path, access) => reads.judge(path, access),
    tree: (tree) => reads.tree(tree),
    git: (use, folder) => reads.git(use, folder),
    list(folder) {
      const names = known.get(folder) ?? reads.list(folder);
      known.set(folder, names);
      return names;
    },
  };
}
