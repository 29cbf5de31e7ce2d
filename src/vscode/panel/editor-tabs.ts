/**
 * The panel in editor tabs: the same page as in the side bar, on the same session and the same events. A tab is restored when the
 * window reloads.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import type { Transport } from "../../shared/rpc.ts";
import { SESSION_VIEW_TYPE } from "../editor/session-tab.ts";
import type { Bridge } from "./bridge.ts";
import { loadPage, pageOptions, transportOf } from "./webview-page.ts";

interface Tab {
  panel: vscode.WebviewPanel;
  bridge: Bridge;
}

export class EditorTabs implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #connect: (transport: Transport) => Bridge;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** The tab that was last active is the last one. */
  #tabs: Tab[] = [];

  /** A tab was opened, closed, shown, hidden or activated. */
  readonly onChange = this.#changed.on;

  constructor(extensionUri: vscode.Uri, connect: (transport: Transport) => Bridge) {
    this.#extensionUri = extensionUri;
    this.#connect = connect;
    const serializer = { deserializeWebviewPanel: async (panel: vscode.WebviewPanel) => this.#serve(panel) };
    this.#store.add(vscode.window.registerWebviewPanelSerializer(SESSION_VIEW_TYPE, serializer));
  }

  get visible(): boolean {
    return this.#tabs.some(({ panel }) => panel.visible);
  }

  /** A tab has the focus of its editor group. */
  get active(): boolean {
    return this.#tabs.some(({ panel }) => panel.active);
  }

  /** Shows the tab, or opens one. The agent has one session at a time, so one tab is enough. */
  open(): void {
    const tab = this.#tabs.at(-1);
    if (tab) {
      tab.panel.reveal();
      return;
    }
    const options = pageOptions(this.#extensionUri);
    this.#serve(
      vscode.window.createWebviewPanel(SESSION_VIEW_TYPE, "Nekode", vscode.ViewColumn.Active, options),
    );
  }

  close(): void {
    for (const { panel } of [...this.#tabs]) panel.dispose();
  }

  /** Shows the last active tab. `keepFocus`: the focus stays where it is. */
  reveal(keepFocus: boolean): void {
    this.#tabs.at(-1)?.panel.reveal(undefined, keepFocus);
  }

  /** Notifies the last active tab. */
  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    this.#tabs.at(-1)?.bridge.notify(name, params);
  }

  dispose(): void {
    // VS Code restores the tabs with the window, so they are not closed.
    for (const { bridge } of this.#tabs) bridge.dispose();
    this.#store.dispose();
  }

  #serve(panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    webview.options = pageOptions(this.#extensionUri);
    const icon = (name: string) => vscode.Uri.joinPath(this.#extensionUri, "media", name);
    // VS Code draws a tab's icon as it is; only that of the activity bar takes the color of the theme.
    panel.iconPath = { light: icon("tab-light.svg"), dark: icon("tab-dark.svg") };
    const tab = { panel, bridge: this.#connect(transportOf(webview)) };
    this.#tabs.push(tab);
    tab.bridge.setVisible(panel.visible);
    panel.onDidChangeViewState(() => {
      tab.bridge.setVisible(panel.visible);
      if (panel.active) this.#tabs = [...this.#tabs.filter((other) => other !== tab), tab];
      this.#changed.emit();
    });
    panel.onDidDispose(() => {
      this.#tabs = this.#tabs.filter((other) => other !== tab);
      tab.bridge.dispose();
      this.#changed.emit();
    });
    loadPage(webview, this.#extensionUri);
    this.#changed.emit();
  }
}
