/** The folder of a search, and which files in it the model may not read. */

import { stat } from "node:fs/promises";
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import { createIgnoreRules, type IgnoreRules } from "../../core/instructions/ignore-rules.ts";
import { isInside } from "../../core/roots.ts";
import { secretName } from "../../core/safety/paths/secret-names.ts";
import { nodeFiles, readable } from "../files/disk-files.ts";
import { resolveLinks } from "../files/resolve-links.ts";

/** The folder that a search runs in, and the base of its paths. */
export interface SearchScope {
  root: string;
  isFolder: boolean;
  cwd: string;
  /** The searched file or folder, as an argument. */
  target: string;
  ignoreArgs: string[];
  /** Converts a path relative to the searched folder to an argument. */
  argument(relative: string): string;
  /** Converts ripgrep's name of a file to a path relative to the searched folder, with `/`. */
  relative(name: string): string;
  ignores(relative: string): boolean;
  /** Whether the file may contain secrets, judged by its path in the workspace rather than below the searched folder. */
  isSecret(relative: string): boolean;
}

/** Uses real paths, so that ignore rules for `/private` apply to `link/private` too. */
export async function scopeOf(named: string, namedRoots: readonly string[]): Promise<SearchScope> {
  const stats = await stat(named).catch((error: unknown) => {
    throw readable(error, named);
  });
  // ripgrep would block on it.
  if (!stats.isDirectory() && !stats.isFile())
    throw new ToolError(`${named} is a pipe, a socket or a device; only files and folders can be searched.`);
  const root = await resolveLinks(named);
  const roots = await Promise.all(namedRoots.map((each) => resolveLinks(each).catch(() => each)));
  const base = stats.isDirectory() ? root : path.dirname(root);
  const homes = roots.filter((folder) => isInside(folder, base));
  const workspace = homes[0] ?? base;
  const rules = await rulesOf(workspace);
  const target = `.${path.sep}${path.relative(workspace, root)}`;
  // ripgrep begins each name with the target; resolving 50,000 of them takes longer than to list them.
  const below = target.endsWith(path.sep) ? target : `${target}${path.sep}`;
  const relative = (name: string) =>
    slashed(
      name.startsWith(below) ? name.slice(below.length) : path.relative(base, path.resolve(workspace, name)),
    );
  const fromRoot = (file: string) => slashed(path.relative(workspace, path.join(base, file)));
  // The user approved exactly this file or folder.
  const isApproved = mayBeSecret(root, homes);
  return {
    root: base,
    isFolder: stats.isDirectory(),
    // Patterns of an `--ignore-file` are relative to the current folder.
    cwd: workspace,
    target,
    ignoreArgs: rules ? [`--ignore-file=${path.join(workspace, ".nekodeignore")}`] : [],
    relative,
    argument: (file) => `.${path.sep}${path.relative(workspace, path.join(base, file))}`,
    // Checked again, because ripgrep lets a .gitignore re-include what this file excludes.
    ignores: (file) => rules?.ignores(fromRoot(file)) ?? false,
    isSecret: (file) => !isApproved && mayBeSecret(path.join(base, file), homes),
  };
}

/** Judged by the path below each workspace folder that contains the file, otherwise by the whole path. */
function mayBeSecret(file: string, homes: readonly string[]): boolean {
  const names = homes.length === 0 ? [file] : homes.map((home) => path.relative(home, file));
  return names.some((name) => secretName(name) !== undefined);
}

function slashed(file: string): string {
  return file.split(path.sep).join("/");
}

async function rulesOf(folder: string): Promise<IgnoreRules | undefined> {
  const file = path.join(folder, ".nekodeignore");
  if ((await nodeFiles.stat(file)) === undefined) return undefined;
  // Decoded as the file tools do, because PowerShell writes UTF-16. If it cannot be read, the search fails.
  const { text } = await nodeFiles.readText(file);
  return createIgnoreRules([{ folder: "", text }]);
}
