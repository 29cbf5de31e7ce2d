/** Scrolls an editor to the text that is being streamed into it, until the user scrolls away. */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";

export class AutoScroll implements Disposable {
  readonly #uri: string;
  readonly #listening: Disposable;
  /** The line that was last revealed. */
  #line: number | undefined;
  #scrolledAway = false;

  constructor(uri: vscode.Uri) {
    this.#uri = uri.toString();
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const change = contentChanges[0];
      if (!change || document.uri.toString() !== this.#uri) return;
      const added = change.text.split("\n").length - 1;
      this.show(Math.min(change.range.start.line + added, document.lineCount - 1));
    });
  }

  /** Reveals a line (0-based), unless the line revealed before is no longer visible: then the user scrolled away. */
  show(line: number): void {
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === this.#uri,
    );
    if (!editor || this.#scrolledAway) return;
    const last = this.#line;
    if (
      last !== undefined &&
      !editor.visibleRanges.some(({ start, end }) => start.line <= last && last <= end.line + 1)
    ) {
      this.#scrolledAway = true;
      return;
    }
    this.#line = line;
    const position = new vscode.Position(line, 0);
    editor.revealRange(
      new vscode.Range(position, position),
      vscode.TextEditorRevealType.InCenterIfOutsideViewport,
    );
  }

  dispose(): void {
    this.#listening.dispose();
  }
}
