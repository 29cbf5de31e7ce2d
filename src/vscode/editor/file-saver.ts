/**
 * Writes an approved change: through the editor's document where the person has the file open, so that they can undo it
 * and the editor formats it; else as bytes, in the file's own encoding and all at once.
 */
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import type { ExpectedFile, ExpectedMove, Saved } from "../../core/ports/editor.ts";
import type { Files, TextFile } from "../../core/ports/files.ts";
import { lineEndings, withEol } from "../../core/text.ts";
import { realTarget } from "../../node/files/real-target.ts";
import { writeApproved } from "../../node/files/write-file.ts";
import { removeInEditor, renameInEditor } from "../files/file-removal.ts";
import { savePatience, saveWithOthers } from "./document-saving.ts";
import type { Problems } from "./new-problems.ts";
import { documentOf, isOpenElsewhere } from "./open-documents.ts";
import { minimalChanges, tightened } from "./text-edits.ts";

export interface SaveRequest {
  path: string;
  original: TextFile | null;
  /** Where the path really led (`realTarget`) when the change was proposed. */
  expectedTarget: string;
  text: string;
}

export interface SaverParts {
  files: Files;
  problems: Problems;
  previewScheme: string;
  /** Called around a change that is ours, so that it does not count as the person's. */
  ours(uri: vscode.Uri): { dispose(): void };
}

export class FileSaver {
  readonly #parts: SaverParts;

  constructor(parts: SaverParts) {
    this.#parts = parts;
  }

  /** Rejects with ToolError, and writes nothing, when the file is not what it was when the change was proposed. */
  async save(request: SaveRequest): Promise<Saved> {
    const uri = vscode.Uri.file(request.path);
    const problems = this.#parts.problems.watch(uri);
    const own = this.#parts.ours(uri);
    try {
      const saved = await this.#write(uri, request);
      return { ...saved, newProblems: await problems.fresh() };
    } finally {
      problems.dispose();
      own.dispose();
    }
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
    const document = await this.#documentFor(uri, original, text);
    if (document) return this.#writeDocument(document, request);
    await writeApproved(request.path, text, { original, expectedVersion: version, expectedTarget });
    const encoding = original?.encoding ?? "utf8";
    const formatted = original === null && savesWithChanges(uri) ? await formatNew(uri) : undefined;
    return { finalText: formatted ?? text, encoding };
  }

  /** The version that the file has now, the proposal's in all but name; null: there is none, as expected. */
  async #checkUnchanged(request: SaveRequest): Promise<string | null> {
    const { path: file, original } = request;
    const { files } = this.#parts;
    if ((await realTarget(file)) !== request.expectedTarget) {
      throw new ToolError(
        `${file} no longer leads to the same place as when the change was proposed. Nothing was written.`,
      );
    }
    const stat = await files.stat(file);
    if (original === null) {
      if (!stat) return null;
      throw new ToolError(
        `${file} exists by now. Nothing was written. Read it, then propose the change anew.`,
      );
    }
    if (stat?.version === original.version) return original.version;
    // Saving an unsaved buffer changes the version and nothing else.
    const now = stat?.kind === "file" ? await files.readText(file) : undefined;
    if (now?.text === original.text) return now.version;
    throw new ToolError(
      `${file} was changed since the change was proposed. Nothing was written. Read it again, then propose the change anew.`,
    );
  }

  /** The document to write through; undefined: the bytes are written. */
  async #documentFor(
    uri: vscode.Uri,
    original: TextFile | null,
    text: string,
  ): Promise<vscode.TextDocument | undefined> {
    if (original === null) return undefined;
    const document = documentOf(uri);
    if (document?.isDirty) return document;
    // The editor would make all line endings of the file the same.
    if (lineEndings(original.text).mixed || lineEndings(text).mixed) return undefined;
    const open = isOpenElsewhere(uri, this.#parts.previewScheme);
    if (!open && !savesWithChanges(uri)) return undefined;
    const shown = document ?? (await vscode.workspace.openTextDocument(uri));
    // Read in another encoding than the file is in, or not yet reloaded: the editor would write something else.
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
    const changes = tightened(before, minimalChanges(before, target));
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
  /** Of each selection: nothing was selected. */
  wereEmpty: boolean[];
}

function cursorsOf(document: vscode.TextDocument): Cursors[] {
  return vscode.window.visibleTextEditors
    .filter((editor) => editor.document === document)
    .map((editor) => ({ editor, wereEmpty: editor.selections.map((selection) => selection.isEmpty) }));
}

/** The editor selects what took the place of text at a cursor; what a person types next would replace it. */
function collapse(editor: vscode.TextEditor, wereEmpty: readonly boolean[]): void {
  const { selections } = editor;
  if (selections.length !== wereEmpty.length) return;
  const grown = selections.map((selection, at) => wereEmpty[at] === true && !selection.isEmpty);
  if (!grown.includes(true)) return;
  editor.selections = selections.map((selection, at) =>
    grown[at] ? new vscode.Selection(selection.start, selection.start) : selection,
  );
}

/** Resolves when the document is on the disk, after the editor's formatting; rejects with ToolError. */
async function saveDocument(document: vscode.TextDocument, file: string): Promise<void> {
  const outcome = await saveWithOthers(document);
  if (outcome === "saved") return;
  throw new ToolError(
    outcome === "late"
      ? `The change is in the editor, but ${file} was not saved within ${savePatience / 1000} s: something that runs on saving does not end.`
      : `The change is in the editor, but the editor could not save ${file}.`,
  );
}

/** The person's editor changes files of this kind when it saves them. */
function savesWithChanges(uri: vscode.Uri): boolean {
  const document = documentOf(uri);
  const configuration = vscode.workspace.getConfiguration("editor", document ?? uri);
  const actions = configuration.get<Record<string, unknown> | string[]>("codeActionsOnSave") ?? {};
  return configuration.get<boolean>("formatOnSave") === true || Object.keys(actions).length > 0;
}

/** Formats a file that was just made, as saving it in the editor would have; undefined: there is nothing to change. */
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
