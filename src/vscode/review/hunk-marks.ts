/** How the hunks of a turn look in text editors: marked lines, and buttons above each hunk. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { LineHunk } from "./line-hunks.ts";

/** The hunks of one file as they are in its document. */
interface MarkedFile {
  readonly hunks: readonly LineHunk[] | undefined;
  readonly isPlaced: boolean;
  readonly isNew: boolean;
}

export class HunkMarks implements Disposable {
  readonly #fileOf: (document: vscode.TextDocument) => MarkedFile | undefined;
  readonly #store = new DisposableStore();
  readonly #lensesChanged = new vscode.EventEmitter<void>();
  readonly #added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  /** High contrast themes have a border in place of the background. An editor draws a border around each line, so each edge is its own. */
  readonly #edges = { sides: edge("0 1px"), top: edge("1px 0 0 0"), bottom: edge("0 0 1px 0") };
  /** Above the line that follows removed lines, and below the last line of a file whose end was removed. */
  readonly #removed = {
    above: removedLines("2px 0 0 0"),
    below: removedLines("0 0 2px 0"),
  };
  #provider: Disposable | undefined;
  #hasHunks = false;
  #isDisposed = false;

  constructor(fileOf: (document: vscode.TextDocument) => MarkedFile | undefined) {
    this.#fileOf = fileOf;
    for (const each of [
      this.#lensesChanged,
      this.#added,
      ...Object.values({ ...this.#edges, ...this.#removed }),
    ])
      this.#store.add(each);
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#setKeys()));
  }

  /** `hasHunks`: a file has some, whether an editor shows it or not. */
  show(hasHunks: boolean): void {
    // What was read meanwhile is no longer shown.
    if (this.#isDisposed) return;
    this.#hasHunks = hasHunks;
    if (!hasHunks) this.#forgetProvider();
    else
      this.#provider ??= vscode.languages.registerCodeLensProvider(
        { scheme: "file" },
        {
          onDidChangeCodeLenses: this.#lensesChanged.event,
          provideCodeLenses: (document) => this.#lenses(document),
        },
      );
    this.changed();
  }

  /** The hunks of a file changed. */
  changed(): void {
    for (const editor of vscode.window.visibleTextEditors) this.#decorate(editor);
    this.#lensesChanged.fire();
    this.#setKeys();
  }

  #decorate(editor: vscode.TextEditor): void {
    const { document } = editor;
    const hunks = this.#shown(document);
    const last = document.lineCount - 1;
    const lines = (from: number, to: number) => new vscode.Range(from, 0, to, 0);
    const removed = hunks.filter(({ after }) => after.count === 0);
    const added = hunks
      .filter(({ after }) => after.count > 0)
      .map(({ at, after }) => ({ first: at, last: at + after.count - 1 }));
    const whole = added.map(({ first, last }) => lines(first, last));
    editor.setDecorations(this.#added, whole);
    editor.setDecorations(this.#edges.sides, whole);
    editor.setDecorations(
      this.#edges.top,
      added.map(({ first }) => lines(first, first)),
    );
    editor.setDecorations(
      this.#edges.bottom,
      added.map(({ last }) => lines(last, last)),
    );
    editor.setDecorations(
      this.#removed.above,
      removed.flatMap(({ at }) => (at <= last ? [lines(at, at)] : [])),
    );
    editor.setDecorations(
      this.#removed.below,
      removed.flatMap(({ at }) => (at > last ? [lines(last, last)] : [])),
    );
  }

  #lenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const hunks = this.#shown(document);
    const isNew = this.#fileOf(document)?.isNew ?? false;
    return hunks.flatMap((hunk, index) => {
      const line = Math.min(hunk.at, document.lineCount - 1);
      const lens = (title: string, command: string, tooltip: string) =>
        new vscode.CodeLens(new vscode.Range(line, 0, line, 0), {
          title,
          tooltip,
          command: `nekode.hunk.${command}`,
          arguments: [document.uri, hunk.id],
        });
      return [
        lens(vscode.l10n.t("Keep"), "keep", vscode.l10n.t("Keep this change and remove its mark")),
        isNew
          ? lens(vscode.l10n.t("Delete File"), "undo", vscode.l10n.t("Undo: delete the new file"))
          : lens(vscode.l10n.t("Undo"), "undo", vscode.l10n.t("Restore these lines to before the turn")),
        lens(countsOf(hunk), "review", vscode.l10n.t("Show what the turn changed in this file")),
        ...(index === 0 && hunks.length > 1
          ? [
              lens(
                vscode.l10n.t("Keep all in this file"),
                "keepFile",
                vscode.l10n.t("Keep all {0} changes in this file", hunks.length),
              ),
            ]
          : []),
      ];
    });
  }

  #shown(document: vscode.TextDocument): readonly LineHunk[] {
    const file = this.#fileOf(document);
    return file?.isPlaced ? (file.hunks ?? []) : [];
  }

  #setKeys(): void {
    const editor = vscode.window.activeTextEditor;
    const isHere = editor !== undefined && this.#shown(editor.document).length > 0;
    void vscode.commands.executeCommand("setContext", "nekode.turnHunks", this.#hasHunks);
    void vscode.commands.executeCommand("setContext", "nekode.turnHunksHere", isHere);
  }

  #forgetProvider(): void {
    this.#provider?.dispose();
    this.#provider = undefined;
  }

  dispose(): void {
    this.show(false);
    this.#isDisposed = true;
    this.#store.dispose();
  }
}

/** Part of a border around whole lines, in the themes that have a color for it. */
function edge(borderWidth: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth,
    borderStyle: "dashed",
    borderColor: new vscode.ThemeColor("diffEditor.insertedTextBorder"),
  });
}

function removedLines(borderWidth: string): vscode.TextEditorDecorationType {
  return vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderWidth,
    borderStyle: "solid",
    borderColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
}

/** Numbers of added and removed lines, as in the panel. */
function countsOf({ before, after }: LineHunk): string {
  return [
    ...(after.count > 0 ? [`+${after.count}`] : []),
    ...(before.count > 0 ? [`−${before.count}`] : []),
  ].join(" ");
}
