/** Judges the folders that the `cd`s of a command lead to. */
import { posix } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { cdTarget, isCd } from "../programs/change-folder.ts";
import { isAbsolute } from "../shells/folders.ts";
import type { PlacedCommand } from "../shells/shell-words.ts";
import type { ReadJudge } from "./secret-arguments.ts";

const NOT_BELOW = reasonOf("leaves-folder");

/**
 * Returns why a command asks that may move the following ones: the folder must be inside the project, after resolving links with
 * `reads`, otherwise by its name. Adds to `foreign` the folders whose scripts and builds differ from those that an entry was
 * created for: they contain third-party code.
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
      if (isThirdParty(resolved ?? path, (await reads.judge(".")).resolved)) foreign.add(withSlash(path));
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

/** `home`: the project's folder, which may itself be in a folder with such a name. */
function isThirdParty(resolved: string, home = ""): boolean {
  const [path, root] = [plainPath(resolved), plainPath(home)];
  return THIRD_PARTY.test(home !== "" && `${path}/`.startsWith(`${root}/`) ? path.slice(root.length) : path);
}

/** Returns the path judge for paths in this folder. */
export function readsIn(folder: string, reads: ReadJudge): ReadJudge {
  if (folder === "") return reads;
  const at = (path: string) => (isAbsolute(path) ? path : folder + path);
  return {
    judge: (path) => reads.judge(at(path)),
    list: (path) => reads.list(at(path)),
    git: (use, path) => reads.git(use, at(path)),
  };
}
