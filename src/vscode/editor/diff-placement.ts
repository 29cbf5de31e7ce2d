/** Where a diff may open without covering what the person is working in, and without a keystroke landing in it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

/** `background`: as a tab behind the one on show. */
export interface Place {
  viewColumn: vscode.ViewColumn;
  background: boolean;
}

export class DiffPlacement implements Disposable {
  readonly #store = new DisposableStore();
  readonly #isOurs: (tab: vscode.Tab) => boolean;
  /** The person's last sign of life came from the panel: then no editor has the focus. */
  #inPanel = false;

  constructor(isOurs: (tab: vscode.Tab) => boolean) {
    this.#isOurs = isOurs;
    const inEditor = () => {
      this.#inPanel = false;
    };
    this.#store.add(
      vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
        if (kind !== undefined && kind !== vscode.TextEditorSelectionChangeKind.Command) inEditor();
      }),
    );
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(inEditor));
    this.#store.add(vscode.window.onDidChangeActiveNotebookEditor(inEditor));
  }

  /** The person did something in the panel. */
  panelUsed(): void {
    this.#inPanel = true;
  }

  /**
   * Never over another preview, which may wait for an answer, nor over an editor in which the user may be working: a
   * covered editor loses the focus and with it what is typed. What the window tells of its tabs may be late, so no
   * place may depend on it: VS Code itself finds the group beside the active one, which it leaves active although the
   * tab in front of the other changes (in a group that is named by its number the diff would become the active editor,
   * and take the keys for saving and closing); and only an empty group shows what opens in the background.
   */
  place(): Place {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const { activeTab: shown, viewColumn } = activeTabGroup;
    if (!shown || this.#isOurs(shown)) return { viewColumn, background: true };
    if (this.#inPanel) return { viewColumn, background: false };
    const ours = all.find((group) => group.activeTab && this.#isOurs(group.activeTab));
    if (ours) return { viewColumn: ours.viewColumn, background: true };
    return { viewColumn: vscode.ViewColumn.Beside, background: false };
  }

  /** Bringing that tab to the front covers nothing in which the user may be working, and keeps their editor active. */
  mayBringToFront({ group, isActive }: vscode.Tab): boolean {
    if (this.#inPanel) return true;
    return group.isActive && !isActive && (!group.activeTab || this.#isOurs(group.activeTab));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
