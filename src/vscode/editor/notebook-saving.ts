/** Makes an approved change in a notebook that has unsaved changes, through the editor's own document, and saves it. */
import { isDeepStrictEqual } from "node:util";
import * as vscode from "vscode";
import { ToolError } from "../../core/errors.ts";
import { type NotebookCell, notebookCells } from "../../core/tools/notebooks/notebook-cells.ts";
import { textOfNotebook } from "../files/open-notebooks.ts";

/** `before`, `after`: the file's text. Rejects with ToolError, and changes nothing, if the notebook is no longer as in `before`. */
export async function saveInNotebook(
  notebook: vscode.NotebookDocument,
  before: string,
  after: string,
): Promise<string> {
  const file = notebook.uri.fsPath;
  const [old, next] = [notebookCells(before)?.cells, notebookCells(after)?.cells];
  const edit = new vscode.WorkspaceEdit();
  const isCurrent = old?.length === notebook.cellCount && (await textOfNotebook(notebook)) === before;
  if (!isCurrent || !next || !addChanges(edit, notebook, old, next))
    throw new ToolError(
      `${file} has unsaved changes in the editor, and this change cannot be made there. Nothing was written. Ask the user to save it first.`,
    );
  if (!(await vscode.workspace.applyEdit(edit)))
    throw new ToolError(
      `${file} was changed in the editor at the same moment. Nothing was written. Try again.`,
    );
  if (!(await notebook.save()))
    throw new ToolError(`The change is in the editor, but the editor could not save ${file}.`);
  return textOfNotebook(notebook);
}

/** False: the texts differ in more than the source of cells and in which cells there are, in one place. */
function addChanges(
  edit: vscode.WorkspaceEdit,
  notebook: vscode.NotebookDocument,
  old: readonly NotebookCell[],
  next: readonly NotebookCell[],
): boolean {
  // A change of cells moves those without ids, so ids are left out here.
  const same = (a: NotebookCell | undefined, b: NotebookCell | undefined) =>
    isDeepStrictEqual({ ...a, id: "" }, { ...b, id: "" });
  let start = 0;
  while (start < Math.min(old.length, next.length) && same(old[start], next[start])) start++;
  let end = 0;
  while (end < Math.min(old.length, next.length) - start && same(old.at(-1 - end), next.at(-1 - end))) end++;
  const gone = old.slice(start, old.length - end);
  const added = next.slice(start, next.length - end);
  if (gone.length === added.length) {
    // The cell stays, with its output and all that the editor knows of it.
    if (
      !gone.every((cell, index) =>
        same({ ...cell, source: "" }, added[index] && { ...added[index], source: "" }),
      )
    )
      return false;
    added.forEach(({ source }, index) => {
      const { document } = notebook.cellAt(start + index);
      const whole = new vscode.Range(0, 0, document.lineCount, 0);
      edit.replace(document.uri, document.validateRange(whole), source);
    });
    return true;
  }
  if (added.some(({ outputs }) => outputs.length > 0)) return false;
  const range = new vscode.NotebookRange(start, start + gone.length);
  edit.set(notebook.uri, [
    vscode.NotebookEdit.replaceCells(
      range,
      added.map((cell) => dataOf(notebook, cell)),
    ),
  ]);
  return true;
}

/** The language of new code is that of the other code. */
function dataOf(
  notebook: vscode.NotebookDocument,
  { type, source, id }: NotebookCell,
): vscode.NotebookCellData {
  const isCode = type === "code";
  const code = notebook.getCells().find(({ kind }) => kind === vscode.NotebookCellKind.Code);
  const language = isCode ? (code?.document.languageId ?? "python") : type === "raw" ? "raw" : "markdown";
  const kind = isCode || type === "raw" ? vscode.NotebookCellKind.Code : vscode.NotebookCellKind.Markup;
  const data = new vscode.NotebookCellData(kind, source, language);
  if (!id.startsWith("#")) data.metadata = { id };
  return data;
}
