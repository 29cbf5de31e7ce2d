/** The folders of the window, and paths as people and models name them. */
import * as path from "node:path";
import * as vscode from "vscode";
import type { Workspace } from "../../core/ports/workspace.ts";

/** Live: folders and trust may change while the window is open. Only folders on a disk count. */
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

/** True when `file` is `folder` or below it. Both absolute. */
export function isInside(folder: string, file: string): boolean {
  const inside = path.relative(folder, file);
  return (
    inside === "" || (inside !== ".." && !inside.startsWith(`..${path.sep}`) && !path.isAbsolute(inside))
  );
}

/** Relative to its folder with `/`; `@name:/...` in a folder that is not the first; else absolute. */
export function workspacePath(file: string): string {
  for (const [index, root] of workspace.roots.entries()) {
    if (!isInside(root.path, file)) continue;
    const inside = path.relative(root.path, file).split(path.sep).join("/");
    return index === 0 ? inside : `@${root.name}:/${inside}`;
  }
  return file;
}

/** The file that `workspacePath` names so; undefined: it leads out of every folder. */
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
