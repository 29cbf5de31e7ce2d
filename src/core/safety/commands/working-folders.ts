/** Judges the folders that the `cd`s of a command lead to. */
import { posix } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { cachedValue } from "../../cached-value.ts";
import { cdTarget, isCd } from "../programs/change-folder.ts";
import { isAbsolute } from "../shells/folders.ts";
import type { PlacedCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

const NOT_BELOW = reasonOf("leaves-folder");

/**
 * Returns why a command asks that may move the following ones: the folder must be inside the project, after resolving links with
 * `reads`, otherwise by its name. Adds to `foreign` the folders whose scripts and builds differ from those that an entry was
 * created for: they contain third-party code, or a link leads to them.
 */
export async function leavingReason(
  command: PlacedCommand,
  reads: ReadJudge | undefined,
  foreign: Set<string>,
): Promise<Reason | undefined> {
  if (!isCd(command)) return undefined;
  const target = cdTarget(command.words.slice(1));
  if (target === undefined) return NOT_BELOW;
  for (const folder of command.folders ?? [""]) {
    const path = isAbsolute(target) ? target : `${folder}${target}`;
    if (reads) {
      const { verdict, reason, resolved } = await reads.judge(path);
      if (verdict !== "allow") return reason;
      const home = (await reads.judge(".")).resolved;
      if (isThirdParty(path, resolved, home)) foreign.add(withSlash(path));
    } else if (isAbsolute(path) || /^\.\.(?:\/|$)/.test(posix.normalize(path.replaceAll("\\", "/"))))
      return NOT_BELOW;
    else if (THIRD_PARTY.test(plainPath(path))) foreign.add(withSlash(path));
  }
  return undefined;
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
