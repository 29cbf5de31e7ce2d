/** Where a diff may open without covering what the person is working in, and without a keystroke landing in it. */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";

/** `background`: as a tab behind the one on show. */
export interface Place {
  viewColumn: vscode.ViewColumn;
  background: boolean;
}

export class Attention implements Disposable {
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
   * In the active group, unless the person may be working in the editor there: an editor that is covered loses the
   * focus and with it what is typed. Then in another group. Never over another preview, which may wait for an answer.
   */
  place(): Place {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const shown = activeTabGroup.activeTab;
    if (shown && this.#isOurs(shown)) return { viewColumn: activeTabGroup.viewColumn, background: true };
    if (!shown || this.#inPanel) return { viewColumn: activeTabGroup.viewColumn, background: false };
    const others = all.filter((group) => group !== activeTabGroup);
    const ours = others.find((group) => group.activeTab && this.#isOurs(group.activeTab));
    if (ours) return { viewColumn: ours.viewColumn, background: true };
    return { viewColumn: others[0]?.viewColumn ?? vscode.ViewColumn.Beside, background: false };
  }

  /** Bringing a tab of that column to the front would cover what the person may be working in. */
  wouldCover(viewColumn: vscode.ViewColumn): boolean {
    const { activeTabGroup } = vscode.window.tabGroups;
    const shown = activeTabGroup.activeTab;
    return activeTabGroup.viewColumn === viewColumn && !this.#inPanel && !!shown && !this.#isOurs(shown);
  }

  dispose(): void {
    this.#store.dispose();
  }
}
