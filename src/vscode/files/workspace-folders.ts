/** The folders of the window, and paths in the form that users and models write. */

import { realpath } from "node:fs/promises";
import * as path from "node:path";
import ignore from "ignore";
import * as vscode from "vscode";
import * as z from "zod";
import type { Workspace } from "../../core/ports/workspace.ts";
import { isInside, rootNamed, rootPrefix, splitRoot, withUniqueNames } from "../../core/roots.ts";
import { expandBraces } from "../../node/search/file-globs.ts";

/** Live: folders and trust may change while the window is open. Only folders on disk count. */
export const workspace: Workspace = {
  get root() {
    return this.roots[0]?.path;
  },
  get roots() {
    const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === "file");
    return withUniqueNames(folders.map(({ name, uri }) => ({ name, path: uri.fsPath })));
  },
  get trusted() {
    return vscode.workspace.isTrusted;
  },
  isReadonly(file) {
    const folder = this.roots.find((root) => isInside(root.path, file))?.path;
    if (folder === undefined) return false;
    const settings = vscode.workspace.getConfiguration("files", vscode.Uri.file(file));
    const [include, exclude] = [settings.get("readonlyInclude"), settings.get("readonlyExclude")];
    return isMarkedReadonly(file, folder, { include, exclude });
  },
};

/** Folders outside the window's in which sessions work, such as worktrees. Paths in them are named as in a workspace. */
export const sessionFolders: string[] = [];

/** Relative to its folder, with `/`; `@name:/...` in a folder other than the first; otherwise absolute. */
export function workspacePath(file: string): string {
  const root = workspace.roots.find((each) => isInside(each.path, file));
  if (root) return rootPrefix(workspace, root) + path.relative(root.path, file).split(path.sep).join("/");
  const folder = sessionFolders.find((each) => isInside(each, file));
  return folder === undefined ? file : path.relative(folder, file).split(path.sep).join("/");
}

/**
 * The file that `workspacePath` gives this name; undefined: the path leads out of every folder. `folder`: the folder of the
 * session that names the file, if that is not the workspace.
 */
export function resolveInWorkspace(named: string, folder?: string): string | undefined {
  if (folder !== undefined) {
    const file = path.resolve(folder, path.isAbsolute(named) ? named : named.replace(/^[/\\]+/, ""));
    return isInside(folder, file) ? file : undefined;
  }
  const other = splitRoot(named);
  const { roots } = workspace;
  const root = other ? rootNamed(workspace, other.name) : workspace.root;
  if (path.isAbsolute(named)) {
    const file = path.normalize(named);
    if (roots.some((folder) => isInside(folder.path, file))) return file;
  }
  if (root === undefined) return undefined;
  const file = path.resolve(root, other ? other.inside : named.replace(/^[/\\]+/, ""));
  return isInside(root, file) ? file : undefined;
}

const globsSchema = z.record(z.string(), z.unknown()).catch({});

/** `files.readonlyInclude` and `files.readonlyExclude`, as they are in the settings. */
interface ReadonlySettings {
  include: unknown;
  exclude: unknown;
}

/** Whether the settings mark the file as read-only, so that the editor refuses to change it. `folder`: the workspace folder that contains it. Both absolute. */
export function isMarkedReadonly(file: string, folder: string, settings: ReadonlySettings): boolean {
  return matches(settings.include, file, folder) && !matches(settings.exclude, file, folder);
}

function matches(setting: unknown, file: string, folder: string): boolean {
  const inside = path.relative(folder, file).split(path.sep).join("/");
  if (inside === "" || inside.startsWith("../") || path.isAbsolute(inside)) return false;
  const globs = Object.entries(globsSchema.parse(setting))
    .filter(([, isOn]) => isOn === true)
    .flatMap(([glob]) => expandBraces(glob))
    .map((glob) => fromFolder(glob, folder))
    .filter((glob) => glob !== undefined);
  return globs.length > 0 && ignore().add(globs).ignores(inside);
}

/** As a pattern that begins at the folder, as the editor reads it; undefined: a path outside of the folder. */
function fromFolder(glob: string, folder: string): string | undefined {
  const slashed = glob.replaceAll("\\", "/");
  if (slashed.startsWith("**")) return slashed;
  if (!path.isAbsolute(glob)) return `/${slashed.replace(/^\.?\//, "")}`;
  const inside = path.relative(folder, glob).split(path.sep).join("/");
  return inside.startsWith("../") || path.isAbsolute(inside) ? undefined : `/${inside}`;
}

/** `file`: as it was resolved; undefined: outside. Returns it if it exists inside one of the folders. */
export async function existingFile(
  file: string | undefined,
  folders: readonly string[],
): Promise<string | undefined> {
  const real = file && (await realpath(file).catch(() => undefined));
  if (real === undefined) return undefined;
  const roots = await Promise.all(folders.map((root) => realpath(root).catch(() => root)));
  return roots.some((root) => isInside(root, real)) ? file : undefined;
}

/** The names of which no such file exists. */
export async function missingFiles(
  names: readonly string[],
  resolve: (name: string) => string | undefined,
  folders: readonly string[],
): Promise<string[]> {
  const found = await Promise.all(names.map((name) => existingFile(resolve(name), folders)));
  return names.filter((_, index) => found[index] === undefined);
}
