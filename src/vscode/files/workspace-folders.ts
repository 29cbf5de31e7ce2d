/** The folders of the window, and paths in the form that users and models write. */

import * as path from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../core/ports/workspace.ts";
import { isInside, rootNamed, rootPrefix, splitRoot, withUniqueNames } from "../../core/roots.ts";

/** Live: folders and trust may change while the window is open. Only folders on disk count. What a session works in: `editorWorkspace`. */
export const workspace: Omit<Workspace, "isReadonly"> = {
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
