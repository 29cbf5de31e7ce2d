/**
 * Writes an approved change. If the user has the file open, it is written through the editor's document, so that the
 * user can undo it and the editor formats it; otherwise it is written atomically as bytes, in the file's own
 * encoding.
 */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { ExpectedFile, ExpectedMove, ProblemWatch, Saved } from "../../core/ports/editor.ts";
import type { Files, TextFile } from "../../core/ports/files.ts";
import { lineEndings, withEol } from "../../core/text.ts";
import { realTarget } from "../../node/files/disk-files.ts";
import { writeApproved } from "../../node/files/write-file.ts";
import { fileEncodingNames } from "../files/editor-encoding.ts";
import { removeInEditor, renameInEditor } from "../files/file-removal.ts";
import { unsavedNotebook } from "../files/open-notebooks.ts";
import { makeWatchedFolder } from "../files/watched-folders.ts";
import { SAVE_TIMEOUT, saveWithOthers } from "./document-saving.ts";
import type { ProblemTracker } from "./new-problems.ts";
import { saveInNotebook } from "./notebook-saving.ts";
import { documentOf, isOpenElsewhere } from "./open-documents.ts";
import { minimalChanges, trimCommonEnds } from "./text-edits.ts";

export interface SaveRequest {
  path: string;
  original: TextFile | null;
  /** The path's real target (`realTarget`) when the change was proposed. */
  expectedTarget: string;
  text: string;
  /** Whether the result has the new problems. */
  checks: boolean;
}

export interface SaverParts {
  files: Files;
  problems: ProblemTracker;
  previewScheme: string;
  /** Until disposed, changes of this file are attributed to the agent, not to the user. */
  beginAgentChange(uri: vscode.Uri): { dispose(): void };
}

export class FileSaver {
  readonly #parts: SaverParts;

  constructor(parts: SaverParts) {
    this.#parts = parts;
  }

  /** Rejects with ToolError, and writes nothing, if the file changed since the change was proposed. */
  async save(request: SaveRequest): Promise<Saved> {
    const uri = vscode.Uri.file(request.path);
    const problems = request.checks ? await this.#parts.problems.watch(uri) : undefined;
    const own = this.#parts.beginAgentChange(uri);
    try {
      const saved = await this.#write(uri, request);
      const { lines = [], isUnknown = false } = (await problems?.newProblems()) ?? {};
      return { ...saved, newProblems: lines, ...(isUnknown ? { problemsUnknown: true } : {}) };
    } finally {
      problems?.dispose();
      own.dispose();
    }
  }

  watchProblems(files: readonly string[]): Promise<ProblemWatch> {
    return this.#parts.problems.watchAll(files);
  }

  remove(path: string, expected: ExpectedFile): Promise<void> {
    return removeInEditor(this.#parts, path, expected);
  }

  rename(path: string, to: string, expected: ExpectedMove): Promise<void> {
    return renameInEditor(this.#parts, path, to, expected);
  }

  async #write(uri: vscode.Uri, request: SaveRequest): Promise<Omit<Saved, "newProblems">> {
    const { original, text, expectedTarget } = request;
    const version = await this.#checkUnchanged(request);
    const notebook = original && unsavedNotebook(request.path);
    if (notebook) return { finalText: await saveInNotebook(notebook, original.text, text), encoding: "utf8" };
    const document = await this.#documentFor(uri, original, text);
    if (document) return this.#writeDocument(document, request);
    const { encoding } = await writeApproved(request.path, text, {
      ...{ original, expectedVersion: version, expectedTarget },
      ...{ names: fileEncodingNames, makeFolder: makeWatchedFolder },
    });
    const formatted = original === null && savesWithChanges(uri) ? await formatNew(uri) : undefined;
    return { finalText: formatted ?? text, encoding };
  }

  /**
   * Returns the file's current version; null if the file does not exist, as the proposal expects. Throws if the
   * content differs from the one that the change was proposed for.
   */
  async #checkUnchanged(request: SaveRequest): Promise<string | null> {
    const { path: file, original } = request;
    const { files } = this.#parts;
    if ((await realTarget(file)) !== request.expectedTarget) {
      throw new ToolError(
        `${file} no longer resolves to the same location as when the change was proposed. Nothing was written.`,
      );
    }
    const stat = await files.stat(file);
    if (original === null) {
      if (!stat) return null;
      throw new ToolError(`${file} now exists. Nothing was written. Read it, then propose the change again.`);
    }
    if (stat?.version === original.version) return original.version;
    // If the original was an unsaved document, saving it changed the file's version but not its text.
    const now = stat?.kind === "file" ? await files.readText(file) : undefined;
    if (now?.text === original.text) return now.version;
    throw new ToolError(
      `${file} was changed since the change was proposed. Nothing was written. Read it again, then propose the change again.`,
    );
  }

  /** The document to write through; undefined if the file is written as bytes. */
  async #documentFor(
    uri: vscode.Uri,
    original: TextFile | null,
    text: string,
  ): Promise<vscode.TextDocument | undefined> {
    if (original === null) return undefined;
    const document = documentOf(uri);
    if (document?.isDirty) return document;
    // The editor writes the whole text, in the encoding that it uses for the file.
    if (original.inexact || original.alternatives) return undefined;
    // A document has only one kind of line ending, so saving it would convert the others.
    if (lineEndings(original.text).mixed || lineEndings(text).mixed) return undefined;
    const open = isOpenElsewhere(uri, this.#parts.previewScheme);
    if (!open && !savesWithChanges(uri)) return undefined;
    const shown = document ?? (await vscode.workspace.openTextDocument(uri));
    // The texts differ if the editor decoded the file with a wrong encoding or has not reloaded it yet.
    return withEol(shown.getText(), "\n") === withEol(original.text, "\n") ? shown : undefined;
  }

  async #writeDocument(
    document: vscode.TextDocument,
    { text, path: file }: SaveRequest,
  ): Promise<Omit<Saved, "newProblems">> {
    const { version } = document;
    const edit = new vscode.WorkspaceEdit();
    const ending = lineEndings(text).dominant;
    const eol = ending === "\r\n" ? vscode.EndOfLine.CRLF : vscode.EndOfLine.LF;
    const target = withEol(text, document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n");
    const before = document.getText();
    const changes = trimCommonEnds(before, minimalChanges(before, target));
    const edits = changes.map(({ start, end, text: replacement }) =>
      vscode.TextEdit.replace(
        new vscode.Range(document.positionAt(start), document.positionAt(end)),
        replacement,
      ),
    );
    if (ending !== undefined && document.eol !== eol) edits.push(vscode.TextEdit.setEndOfLine(eol));
    edit.set(document.uri, edits);
    const cursors = cursorsOf(document);
    if (document.version !== version || !(await vscode.workspace.applyEdit(edit))) {
      throw new ToolError(
        `${file} was changed in the editor at the same moment. Nothing was written. Try again.`,
      );
    }
    await saveDocument(document, file);
    for (const { editor, wereEmpty } of cursors) collapse(editor, wereEmpty);
    return { finalText: document.getText(), encoding: document.encoding };
  }
}

interface Cursors {
  editor: vscode.TextEditor;
  /** For each selection, whether it was empty. */
  wereEmpty: boolean[];
}

function cursorsOf(document: vscode.TextDocument): Cursors[] {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .map((editor) => ({ editor, wereEmpty: editor.selections.map((selection) => selection.isEmpty) }));
}

/** VS Code selects text that is replaced around a cursor, so that the user's next keystroke would overwrite it. */
function collapse(editor: vscode.TextEditor, wereEmpty: readonly boolean[]): void {
  const { selections } = editor;
  if (selections.length !== wereEmpty.length) return;
  const grown = selections.map((selection, at) => wereEmpty[at] === true && !selection.isEmpty);
  if (!grown.includes(true)) return;
  editor.selections = selections.map((selection, at) =>
    grown[at] ? new vscode.Selection(selection.start, selection.start) : selection,
  );
}

/** Resolves when the document is on disk, after the editor's formatting; rejects with ToolError. */
async function saveDocument(document: vscode.TextDocument, file: string): Promise<void> {
  const outcome = await saveWithOthers(document);
  if (outcome === "saved") return;
  throw new ToolError(
    outcome === "late"
      ? `The change is in the editor, but ${file} was not saved within ${SAVE_TIMEOUT / 1000} s: something that runs on saving does not end.`
      : `The change is in the editor, but the editor could not save ${file}.`,
  );
}

/** Whether the user's settings change files of this kind on save. */
function savesWithChanges(uri: vscode.Uri): boolean {
  const document = documentOf(uri);
  const configuration = vscode.workspace.getConfiguration("editor", document ?? uri);
  const actions = configuration.get<Record<string, unknown> | string[]>("codeActionsOnSave") ?? {};
  return configuration.get<boolean>("formatOnSave") === true || Object.keys(actions).length > 0;
}

/** Formats a new file as saving it in the editor would, and returns its text; undefined if nothing was formatted. */
async function formatNew(uri: vscode.Uri): Promise<string | undefined> {
  const document = await vscode.workspace.openTextDocument(uri);
  const configuration = vscode.workspace.getConfiguration("editor", document);
  if (configuration.get<boolean>("formatOnSave") !== true) return undefined;
  const edits = await vscode.commands.executeCommand<vscode.TextEdit[] | undefined>(
    "vscode.executeFormatDocumentProvider",
    uri,
    {
      tabSize: configuration.get<number>("tabSize") ?? 4,
      insertSpaces: configuration.get<boolean>("insertSpaces") ?? true,
    },
  );
  if (!edits || edits.length === 0) return undefined;
  const edit = new vscode.WorkspaceEdit();
  edit.set(uri, edits);
  if (!(await vscode.workspace.applyEdit(edit))) return undefined;
  await document.save();
  return document.getText();
}
