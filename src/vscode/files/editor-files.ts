/**
 * The `Files` port over the disk, with the text of unsaved documents from the editor. Supports only files on disk
 * (scheme `file`); folders of other file systems are not offered to the agent.
 */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { Files, TextFile } from "../../core/ports/files.ts";
import { encode } from "../../node/files/encodings.ts";
import { documentOf } from "../editor/open-documents.ts";
import { textOfNotebook, unsavedNotebook, versionOfText } from "./open-notebooks.ts";

export function createEditorFiles(disk: Files): Files {
  return {
    realpath: (path) => disk.realpath(path),
    readlink: (path) => disk.readlink(path),
    readBytes: (path, limit) => disk.readBytes(path, limit),
    readSmall: (paths, limit) => disk.readSmall(paths, limit),
    list: (path) => disk.list(path),
    async stat(path) {
      const stat = await disk.stat(path);
      const notebook = stat && unsavedNotebook(path);
      if (notebook) return { ...stat, version: versionOfText(await textOfNotebook(notebook), stat.version) };
      const unsaved = stat && unsavedDocument(path);
      return unsaved ? { ...stat, version: versionOf(unsaved, stat.version) } : stat;
    },
    async readText(path) {
      const notebook = unsavedNotebook(path);
      if (notebook) {
        const [text, stat] = [await textOfNotebook(notebook), await disk.stat(path)];
        return { text, encoding: "utf8", bom: false, version: versionOfText(text, stat?.version ?? "") };
      }
      const unsaved = unsavedDocument(path);
      if (!unsaved) return disk.readText(path);
      const stat = await disk.stat(path);
      await checkEncoding(disk, path, unsaved);
      return bufferOf(unsaved, stat?.version ?? "");
    },
    async checkText(path, original, text) {
      const unsaved = unsavedDocument(path);
      if (!unsaved) return disk.checkText?.(path, original, text);
      const encoded = encode(text, original);
      if (!encoded.ok) throw new ToolError(`${path} cannot be saved: ${encoded.message}`);
    },
  };
}

function unsavedDocument(path: string): vscode.TextDocument | undefined {
  const document = documentOf(vscode.Uri.file(path));
  return document?.isDirty ? document : undefined;
}

function versionOf(document: vscode.TextDocument, diskVersion: string): string {
  return versionOfText(document.getText(), diskVersion);
}

function bufferOf(document: vscode.TextDocument, diskVersion: string): TextFile {
  const bom = /bom$/.test(document.encoding) || /^utf16/.test(document.encoding);
  return {
    text: document.getText(),
    encoding: document.encoding.replace(/bom$/, ""),
    bom,
    version: versionOf(document, diskVersion),
  };
}

/** A buffer that was read in the wrong encoding has lost characters; saving it would lose them on disk too. */
async function checkEncoding(disk: Files, path: string, document: vscode.TextDocument): Promise<void> {
  if (!document.getText().includes("\uFFFD")) return;
  const onDisk = await disk.readText(path).catch(() => undefined);
  if (onDisk?.inexact)
    throw new ToolError(
      `${path} has unsaved changes in the editor and contains bytes that are not ${document.encoding}, which saving changes. Ask the user to save or revert it first.`,
    );
  if (onDisk?.text.includes("\uFFFD")) return;
  throw new ToolError(
    `${path} has unsaved changes in the editor, which shows it in the wrong encoding (${document.encoding}). Ask the user to reopen it with its own encoding${onDisk ? ` (${onDisk.encoding})` : ""}.`,
  );
}
