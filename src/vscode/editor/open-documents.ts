/** The editor's open documents. */
import * as vscode from "vscode";

/** The scheme of the documents that previews are made of. */
export const previewScheme = "nekode-preview";

/** The document on the right of a diff, or of a plain text tab. */
export function tabUri({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** A preview is open in some tab. */
export function hasPreviewTabs(): boolean {
  return allTabs().some((tab) => tabUri(tab)?.scheme === previewScheme);
}

/** The document of that URI if the editor holds one, seen or not. */
export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === name,
  );
}

/** The person has the file open: in a tab other than a preview of `scheme`, or with unsaved changes. */
export function isOpenElsewhere(uri: vscode.Uri, scheme: string): boolean {
  if (documentOf(uri)?.isDirty) return true;
  const name = uri.toString();
  return allTabs().some((tab) => shownBy(tab, scheme).some((shown) => shown.toString() === name));
}

function shownBy({ input }: vscode.Tab, scheme: string): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified.scheme === scheme ? [] : [input.original, input.modified];
  }
  return [];
}
