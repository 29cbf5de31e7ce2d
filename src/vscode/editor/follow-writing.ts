/** Keeps what is being written in sight, until the person scrolls away. */
import * as vscode from "vscode";
import type { Disposable } from "../../core/lifecycle.ts";

export class Follow implements Disposable {
  readonly #uri: string;
  readonly #listening: Disposable;
  /** The line that was last brought into sight. */
  #line: number | undefined;
  #left = false;

  constructor(uri: vscode.Uri) {
    this.#uri = uri.toString();
    this.#listening = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const change = contentChanges[0];
      if (!change || document.uri.toString() !== this.#uri) return;
      const added = change.text.split("\n").length - 1;
      this.show(Math.min(change.range.start.line + added, document.lineCount - 1));
    });
  }

  /** Brings a line (0-based) into sight, if the person still looks where the last one was. */
  show(line: number): void {
    const editor = vscode.window.visibleTextEditors.find(
      ({ document }) => document.uri.toString() === this.#uri,
    );
    if (!editor || this.#left) return;
    const last = this.#line;
    if (
      last !== undefined &&
      !editor.visibleRanges.some(({ start, end }) => start.line <= last && last <= end.line + 1)
    ) {
      this.#left = true;
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
