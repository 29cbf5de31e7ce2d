/** The editor's open documents. */
import * as vscode from "vscode";

/** The scheme of the documents in previews of proposed changes. */
export const PREVIEW_SCHEME = "nekode-preview";

/** The document of a text tab, or on the right side of a diff; undefined for other tabs. */
export function tabUri({ input }: vscode.Tab): vscode.Uri | undefined {
  if (input instanceof vscode.TabInputTextDiff) return input.modified;
  return input instanceof vscode.TabInputText ? input.uri : undefined;
}

export function allTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** Whether any tab shows a preview of a proposed change. */
export function hasPreviewTabs(): boolean {
  return allTabs().some((tab) => tabUri(tab)?.scheme === PREVIEW_SCHEME);
}

/** The editor's document for this URI, visible or not; undefined if it has none. */
export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  const name = uri.toString();
  return vscode.workspace.textDocuments.find(
    (document) => !document.isClosed && document.uri.toString() === name,
  );
}

/** Whether the user has the file open: in a tab other than a preview of `scheme`, or with unsaved changes. */
export function isOpenElsewhere(uri: vscode.Uri, scheme: string): boolean {
  if (documentOf(uri)?.isDirty) return true;
  const name = uri.toString();
  return allTabs().some((tab) => urisIn(tab, scheme).some((shown) => shown.toString() === name));
}

function urisIn({ input }: vscode.Tab, scheme: string): vscode.Uri[] {
  if (input instanceof vscode.TabInputText) return [input.uri];
  if (input instanceof vscode.TabInputTextDiff) {
    return input.modified.scheme === scheme ? [] : [input.original, input.modified];
  }
  return [];
}
