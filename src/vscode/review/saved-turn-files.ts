/**
 * Where the turns are stored whose changes editors showed when the window ended. In a file of its own, because the extension looks at
 * its start for their files.
 */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";

export const TURNS_KEY = "nekode.review.turns";

/** Calls `start` once an editor shows a file with stored changes, of which the user has not answered all. */
export function whenTurnFileIsVisible(
  memento: Pick<vscode.Memento, "get">,
  start: () => void,
): Disposable | undefined {
  const stored: unknown = memento.get(TURNS_KEY);
  if (stored === undefined) return undefined;
  // What is stored is checked where it is used, in the agent's bundle, which this must not load.
  const json = JSON.stringify(stored);
  const look = () => {
    const isVisible = vscode.window.visibleTextEditors.some(
      ({ document: { uri } }) => uri.scheme === "file" && json.includes(JSON.stringify(uri.fsPath)),
    );
    if (!isVisible) return;
    watching.dispose();
    start();
  };
  const watching = vscode.window.onDidChangeVisibleTextEditors(look);
  look();
  return watching;
}
