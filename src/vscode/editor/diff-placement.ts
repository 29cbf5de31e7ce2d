/**
 * Chooses where a diff opens: it must neither cover the editor in which the user is working nor take the keyboard
 * focus from it.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

export interface DiffPosition {
  viewColumn: vscode.ViewColumn;
  /** Opens as a tab behind the active one. */
  background: boolean;
}

export class DiffPlacement implements Disposable {
  readonly #store = new DisposableStore();
  readonly #isPreview: (tab: vscode.Tab) => boolean;
  /** The user's last action was in the panel, so no editor has the focus. */
  #inPanel = false;

  constructor(isPreview: (tab: vscode.Tab) => boolean) {
    this.#isPreview = isPreview;
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

  /** Call when the user did something in the panel. */
  panelUsed(): void {
    this.#inPanel = true;
  }

  /**
   * Never covers another preview, which may be waiting for the user's approval, or an editor in which the user may be
   * working: a covered editor loses the focus, and keystrokes go elsewhere.
   *
   * The extension's view of the tabs may be out of date, so the result must be right even then. `ViewColumn.Beside`
   * lets VS Code itself determine the group, and keeps the user's group active; in a group given by number, the diff
   * would become the active editor and receive the shortcuts for saving and closing. A background tab covers nothing:
   * it is shown only if its group is empty.
   */
  place(): DiffPosition {
    const { all, activeTabGroup } = vscode.window.tabGroups;
    const { activeTab: shown, viewColumn } = activeTabGroup;
    // The user reads the conversation there, and answers the proposal.
    if (shown && isSessionTab(shown)) return { viewColumn: vscode.ViewColumn.Beside, background: false };
    if (!shown || this.#isPreview(shown)) return { viewColumn, background: true };
    if (this.#inPanel) return { viewColumn, background: false };
    const withPreview = all.find((group) => group.activeTab && this.#isPreview(group.activeTab));
    if (withPreview) return { viewColumn: withPreview.viewColumn, background: true };
    return { viewColumn: vscode.ViewColumn.Beside, background: false };
  }

  /** Whether showing this tab covers nothing in which the user may be working, and keeps their editor active. */
  mayBringToFront({ group, isActive }: vscode.Tab): boolean {
    if (group.activeTab && isSessionTab(group.activeTab)) return false;
    if (this.#inPanel) return true;
    return group.isActive && !isActive && (!group.activeTab || this.#isPreview(group.activeTab));
  }

  dispose(): void {
    this.#store.dispose();
  }
}

/** The type of the panel's webview in a tab. */
export const SESSION_VIEW_TYPE = "nekode.session";

/** VS Code adds a prefix to the type. */
function isSessionTab({ input }: vscode.Tab): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(SESSION_VIEW_TYPE);
}
