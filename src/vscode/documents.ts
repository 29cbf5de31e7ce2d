/** The editor's open documents. */
import * as vscode from "vscode";

/** The document of that URI if the editor holds one, seen or not. */
export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === name,
  );
}

/** The person has the file open: in a tab other than a preview of `previewScheme`, or with unsaved changes. */
export function isOpenElsewhere(uri: vscode.Uri, previewScheme: string): boolean {
  if (documentOf(uri)?.isDirty) return true;
  const name = uri.toString();
  return vscode.window.tabGroups.all.some((group) =>
    group.tabs.some((tab) => shownBy(tab, previewScheme).some((shown) => shown.toString() === name)),
  );
}

function shownBy({ input }: vscode.Tab, previewScheme: string): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified.scheme === previewScheme ? [] : [input.original, input.modified];
  }
  return [];
}
