/** Notebooks with unsaved changes, whose newest text only the editor has. */
import { createHash } from "node:crypto";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import * as z from "../../shared/zod.ts";

/** The extension of VS Code that reads and writes Jupyter notebooks. */
const SERIALIZER = "vscode.ipynb";
const serializerSchema = z.object({
  exportNotebook: z.custom<(notebook: vscode.NotebookData) => PromiseLike<unknown>>(
    (value) => typeof value === "function",
  ),
});

export function notebookOf(file: string): vscode.NotebookDocument | undefined {
  const uri = vscode.Uri.file(file).toString();
  return vscode.workspace.notebookDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === uri,
  );
}

/** A Jupyter notebook that the user changed or ran since it was saved. */
export function unsavedNotebook(file: string): vscode.NotebookDocument | undefined {
  const notebook = notebookOf(file);
  return notebook?.isDirty && notebook.notebookType === "jupyter-notebook" ? notebook : undefined;
}

/** The text that saving the notebook would write. Rejects with ToolError if the editor does not tell. */
export async function textOfNotebook(notebook: vscode.NotebookDocument): Promise<string> {
  const serializer = serializerSchema.safeParse(await vscode.extensions.getExtension(SERIALIZER)?.activate());
  const data = new vscode.NotebookData(notebook.getCells().map(dataOf));
  data.metadata = notebook.metadata;
  const text = serializer.success ? await serializer.data.exportNotebook(data) : undefined;
  if (typeof text === "string") return text;
  throw new ToolError(
    `${notebook.uri.fsPath} has unsaved changes, which this editor does not show. Ask the user to save it first.`,
  );
}

function dataOf(cell: vscode.NotebookCell): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(cell.kind, cell.document.getText(), cell.document.languageId);
  data.outputs = [...cell.outputs];
  data.metadata = cell.metadata;
  if (cell.executionSummary) data.executionSummary = cell.executionSummary;
  return data;
}

/** By content: the same unsaved text is the same version, however often it was typed. */
export function versionOfText(text: string, diskVersion: string): string {
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  return `unsaved-${hash}-${diskVersion}`;
}
