/** Tabs that show the panel. */
import * as vscode from "vscode";

/** The type of the panel's webview in a tab. */
export const SESSION_VIEW_TYPE = "nekode.session";

/** VS Code adds a prefix to the type. */
export function isSessionTab({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(SESSION_VIEW_TYPE);
}
