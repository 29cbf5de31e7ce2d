/**
 * Converts what was dragged into the panel to mentions: workspace files and folders, by the URIs that the editor
 * provides.
 */
import * as vscode from "vscode";
import { findMentions, mentionText } from "../../shared/mentions.ts";
import type { PathKind } from "../../shared/view/current-file.ts";
import { resolveInWorkspace, workspacePath } from "../files/workspace-folders.ts";

/** `refused`: the addresses that are not in the workspace, or have a name that no mention can represent. */
export interface DroppedUris {
  mentions: string[];
  refused: string[];
}

export async function mentionUris(uris: readonly string[]): Promise<DroppedUris> {
  const mentions: string[] = [];
  const refused: string[] = [];
  for (const uri of uris) {
    const file = fileOf(uri);
    const mention = file && (await mentionOf(file));
    if (mention === undefined) refused.push(uri);
    else mentions.push(mention);
  }
  return { mentions, refused };
}

/** What exists at the path of a mention; "none" also if the path is outside the workspace. */
export async function kindOf(path: string): Promise<PathKind> {
  const file = resolveInWorkspace(path);
  if (file === undefined) return "none";
  try {
    const { type } = await vscode.workspace.fs.stat(vscode.Uri.file(file));
    return type & vscode.FileType.Directory ? "folder" : "file";
  } catch {
    return "none";
  }
}

/**
 * A file on a disk that this process can access. The window may run on another machine and use its own name for ours.
 */
export function fileOf(text: string): vscode.Uri | undefined {
  const uri = URL.canParse(text) ? vscode.Uri.parse(text) : undefined;
  if (uri?.scheme === "vscode-remote") return vscode.Uri.file(uri.path);
  return uri?.scheme === "file" ? uri : undefined;
}

/** undefined: it does not exist, is outside all workspace folders, or has a name that no mention can represent. */
async function mentionOf(file: vscode.Uri): Promise<string | undefined> {
  let stat: vscode.FileStat;
  try {
    stat = await vscode.workspace.fs.stat(file);
  } catch {
    return undefined;
  }
  const path = workspacePath(file.fsPath);
  const inside = path !== file.fsPath && path !== "" && !/^@[^:]+:\/$/.test(path);
  if (!inside) return undefined;
  const mention = mentionText(stat.type & vscode.FileType.Directory ? `${path}/` : path);
  return findMentions(mention)[0]?.end === mention.length ? mention : undefined;
}
