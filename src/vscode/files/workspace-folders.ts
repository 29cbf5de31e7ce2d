/** The folders of the window, and paths in the form that users and models write. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../core/ports/workspace.ts";

/** Live: folders and trust may change while the window is open. Only folders on disk count. */
export const workspace: Workspace = {
  get root() {
    return this.roots[0]?.path;
  },
  get roots() {
    return (vscode.workspace.workspaceFolders ?? [])
      .filter((folder) => folder.uri.scheme === "file")
      .map((folder) => ({ name: folder.name, path: folder.uri.fsPath }));
  },
  get trusted() {
    return vscode.workspace.isTrusted;
  },
};

/** True if `file` is `folder` or inside it. Both absolute. */
export function isInside(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return (
    inside === "" || (inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
  );
}

/** Relative to its folder, with `/`; `@name:/...` in a folder other than the first; otherwise absolute. */
export function workspacePath(file: string): string {
  for (const [index, root] of workspace.roots.entries()) {
    if (!isInside(root.path, file)) continue;
    const inside = path.relative(root.path, file).split(path.sep).join("/");
    return index === 0 ? inside : `@${root.name}:/${inside}`;
  }
  return file;
}

/** The file that `workspacePath` gives this name; undefined: the path leads out of every folder. */
export function resolveInWorkspace(named: string): string | undefined {
  const other = /^@([^:/\\]+):[/\\]?(.*)$/.exec(named);
  const roots = workspace.roots;
  const root = other ? roots.find((folder) => folder.name === other[1]) : roots[0];
  if (path.isAbsolute(named)) {
    const file = path.normalize(named);
    if (roots.some((folder) => isInside(folder.path, file))) return file;
  }
  if (!root) return undefined;
  const file = path.resolve(root.path, (other ? other[2] : named.replace(/^[/\\]+/, "")) ?? "");
  return isInside(root.path, file) ? file : undefined;
}
