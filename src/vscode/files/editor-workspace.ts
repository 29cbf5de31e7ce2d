/** The window's folders with what the settings say of their files, which is not needed before a session works in them. */
import * as vscode from "vscode";
import type { Workspace } from "../../core/ports/workspace.ts";
import { isInside } from "../../core/roots.ts";
import { isMarkedReadonly } from "./readonly-globs.ts";
import { workspace } from "./workspace-folders.ts";

/** Live, as `workspace` is. */
export const editorWorkspace: Workspace = {
  get root() {
    return workspace.root;
  },
  get roots() {
    return workspace.roots;
  },
  get trusted() {
    return workspace.trusted;
  },
  isReadonly(file) {
    const folder = this.roots.find((root) => isInside(root.path, file))?.path;
    if (folder === undefined) return false;
    const settings = vscode.workspace.getConfiguration("files", vscode.Uri.file(file));
    const [include, exclude] = [settings.get("readonlyInclude"), settings.get("readonlyExclude")];
    return isMarkedReadonly(file, folder, { include, exclude });
  },
};
