/** Removes and moves a file through the editor, so that its tabs follow and the user can undo the operation there. */
import * as path from "node:path";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { ExpectedFile, ExpectedMove } from "../../core/ports/editor.ts";
import type { Files } from "../../core/ports/files.ts";
import { realTarget } from "../../node/files/disk-files.ts";
import { removeApproved, renameApproved } from "../../node/files/remove-file.ts";
import { documentOf } from "../editor/open-documents.ts";

interface Parts {
  files: Files;
  /** Until disposed, changes of this file are attributed to the agent, not to the user. */
  beginAgentChange(uri: vscode.Uri): { dispose(): void };
}

/** See the `Editor` port. */
export async function removeInEditor(parts: Parts, file: string, expected: ExpectedFile): Promise<void> {
  const uri = vscode.Uri.file(file);
  await refuseUnexpected(parts.files, file, expected, "removed");
  const edit = new vscode.WorkspaceEdit();
  edit.deleteFile(uri);
  await asAgentChange(parts, [uri], async () => {
    await vscode.workspace.applyEdit(edit);
    // If the editor cannot move the file to the trash, it is deleted permanently, as the user approved.
    if (await parts.files.stat(file)) await removeApproved(file, expected);
  });
}

/** See the `Editor` port. */
export async function renameInEditor(
  parts: Parts,
  file: string,
  to: string,
  expected: ExpectedMove,
): Promise<void> {
  const uris = [vscode.Uri.file(file), vscode.Uri.file(to)] as const;
  await refuseUnexpected(parts.files, file, expected, "moved");
  if (await parts.files.stat(to)) throw new ToolError(`${to} now exists. Nothing was moved.`);
  if ((await realTarget(to)) !== expected.target) {
    throw new ToolError(
      `${to} no longer resolves to the same location as when this was proposed. Nothing was moved.`,
    );
  }
  const edit = new vscode.WorkspaceEdit();
  edit.renameFile(...uris, { overwrite: false });
  await asAgentChange(parts, uris, async () => {
    const applied = await vscode.workspace.applyEdit(edit);
    if (!applied || (await parts.files.stat(file))) await renameApproved(file, to, expected);
  });
}

async function asAgentChange(
  parts: Parts,
  uris: readonly vscode.Uri[],
  work: () => Promise<void>,
): Promise<void> {
  const own = uris.map((uri) => parts.beginAgentChange(uri));
  try {
    await work();
  } finally {
    for (const mark of own) mark.dispose();
  }
}

async function refuseUnexpected(
  files: Files,
  file: string,
  expected: ExpectedFile,
  done: string,
): Promise<void> {
  if (documentOf(vscode.Uri.file(file))?.isDirty) {
    throw new ToolError(
      `${file} has unsaved changes in the editor. Nothing was ${done}. Ask the user to save or drop them first.`,
    );
  }
  const stat = await files.stat(file);
  if (stat?.kind !== "file" || stat.version !== expected.version) {
    throw new ToolError(
      `${file} changed since this was proposed. Nothing was ${done}. Look at it again first.`,
    );
  }
  if ((await files.realpath(path.dirname(file))) !== expected.folder) {
    throw new ToolError(
      `${file} no longer resolves to the same location as when this was proposed. Nothing was ${done}.`,
    );
  }
}
