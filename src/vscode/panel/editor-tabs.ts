/**
 * The panel in editor tabs: the same page as in the side bar, on the same session and the same events. A tab is restored when the
 * window reloads.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import type { Transport } from "../../shared/rpc.ts";
import { SESSION_VIEW_TYPE } from "../editor/session-tab.ts";
import { BlankPageWatch } from "./blank-page.ts";
import type { Bridge } from "./bridge.ts";
import { loadPage, pageOptions, transportOf } from "./webview-page.ts";

interface Tab {
  panel: vscode.WebviewPanel;
  bridge: Bridge;
  watch: BlankPageWatch;
}

export class EditorTabs implements Disposable {
  readonly #extensionUri: vscode.Uri;
  readonly #connect: (transport: Transport) => Bridge;
  readonly #clock: Pick<Clock, "after">;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** The tab that was last active is the last one. */
  #tabs: Tab[] = [];
  /** A blank tab was replaced, and no page has loaded since: another one would not help. */
  #replaced = false;

  /** A tab was opened, closed, shown, hidden or activated. */
  readonly onChange = this.#changed.on;

  constructor(
    extensionUri: vscode.Uri,
    connect: (transport: Transport) => Bridge,
    clock: Pick<Clock, "after">,
  ) {
    this.#extensionUri = extensionUri;
    this.#connect = connect;
    this.#clock = clock;
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
    this.#create(vscode.ViewColumn.Active);
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
    for (const { bridge, watch } of this.#tabs) {
      bridge.dispose();
      watch.dispose();
    }
    this.#store.dispose();
  }

  #create(place: vscode.ViewColumn | { viewColumn: vscode.ViewColumn; preserveFocus: boolean }): void {
    const options = pageOptions(this.#extensionUri);
    this.#serve(vscode.window.createWebviewPanel(SESSION_VIEW_TYPE, "Nekode", place, options));
  }

  /** Replaces a tab whose page does not load. The host has the state, so nothing is lost. */
  #replace(panel: vscode.WebviewPanel): void {
    if (this.#replaced) return;
    this.#replaced = true;
    this.#create({ viewColumn: panel.viewColumn ?? vscode.ViewColumn.Active, preserveFocus: true });
    panel.dispose();
  }

  #serve(panel: vscode.WebviewPanel): void {
    const { webview } = panel;
    webview.options = pageOptions(this.#extensionUri);
    const icon = (name: string) => vscode.Uri.joinPath(this.#extensionUri, "media", name);
    // VS Code draws a tab's icon as it is; only that of the activity bar takes the color of the theme.
    panel.iconPath = { light: icon("tab-light.svg"), dark: icon("tab-dark.svg") };
    const watch = new BlankPageWatch(this.#clock, () => this.#replace(panel));
    const tab: Tab = { panel, bridge: this.#connect(transportOf(webview)), watch };
    this.#tabs.push(tab);
    let { visible } = panel;
    const show = () => {
      tab.bridge.setVisible(visible);
      // Elsewhere each webview has an origin of its own.
      if (vscode.env.uiKind === vscode.UIKind.Web) watch.setVisible(visible);
    };
    show();
    webview.onDidReceiveMessage(() => {
      watch.heard();
      this.#replaced = false;
    });
    panel.onDidChangeViewState(() => {
      // The state also changes when the tab gets or loses the focus.
      if (visible !== panel.visible) {
        ({ visible } = panel);
        show();
      }
      if (panel.active) this.#tabs = [...this.#tabs.filter((other) => other !== tab), tab];
      this.#changed.emit();
    });
    panel.onDidDispose(() => {
      this.#tabs = this.#tabs.filter((other) => other !== tab);
      tab.bridge.dispose();
      watch.dispose();
      this.#changed.emit();
    });
    loadPage(webview, this.#extensionUri);
    this.#changed.emit();
  }
}
