/**
 * The view in the side bar that contains the panel. VS Code keeps its page while the view is hidden, but may drop it at any
 * time.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import type { Transport } from "../../shared/rpc.ts";
import type { Bridge } from "./bridge.ts";
import { Outbox } from "./sending/outbox.ts";
import type { PanelView } from "./views/panel-view.ts";
import { loadPage, pageOptions, transportOf } from "./webview-page.ts";

export const VIEW_ID = "nekode.chat";

export class Sidebar implements vscode.WebviewViewProvider, Disposable {
  readonly panelView: PanelView;
  readonly #extensionUri: vscode.Uri;
  readonly #connect: (transport: Transport, panelView: PanelView) => Bridge;
  readonly #store = new DisposableStore();
  #view: vscode.WebviewView | undefined;
  #bridge: Bridge | undefined;
  readonly #visibility = this.#store.add(new Emitter<void>());
  /** A line for each task that the badge counts. */
  #badge = "";
  /** Notifications from while there is no view. */
  readonly #waiting = new Outbox((name, params) => this.#bridge?.notify(name, params));

  constructor(
    extensionUri: vscode.Uri,
    panelView: PanelView,
    connect: (transport: Transport, panelView: PanelView) => Bridge,
  ) {
    this.panelView = panelView;
    this.#extensionUri = extensionUri;
    this.#connect = connect;
    const webviewOptions = { retainContextWhenHidden: true };
    this.#store.add(vscode.window.registerWebviewViewProvider(VIEW_ID, this, { webviewOptions }));
  }

  /** The view was shown or hidden. */
  readonly onVisible = this.#visibility.on;

  get visible(): boolean {
    return this.#view?.visible ?? false;
  }

  /** Shows a badge that counts these texts and has them as its tooltip. Without texts, removes the badge. */
  badge(texts: readonly string[]): void {
    const tooltip = texts.join("\n");
    if (tooltip === this.#badge) return;
    this.#badge = tooltip;
    // VS Code keeps showing a badge that is set to undefined; one with the value 0 is not shown.
    if (this.#view) this.#view.badge = { value: texts.length, tooltip };
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const { webview } = view;
    webview.options = pageOptions(this.#extensionUri);
    const store = new DisposableStore();
    const bridge = store.add(this.#connect(transportOf(webview), this.panelView));
    this.#view = view;
    this.#bridge = bridge;
    const show = () => {
      bridge.setVisible(view.visible, true);
      this.panelView.current?.view.setVisible(view.visible);
    };
    show();
    store.add(
      view.onDidChangeVisibility(() => {
        show();
        this.#visibility.emit();
      }),
    );
    view.onDidDispose(() => {
      if (this.#view === view) {
        this.#view = undefined;
        this.#bridge = undefined;
      }
      store.dispose();
    });
    this.#visibility.emit();
    this.#waiting.send();
    // The agent starts once the page asks for its state. Before, it would take the processor from what loads the page.
    loadPage(webview, this.#extensionUri);
  }

  /** Shows the view without moving the focus from the editor, the terminal, or elsewhere in the side bar. */
  async show(from: "editor" | "terminal" | "sideBar"): Promise<void> {
    if (this.#view) {
      this.#view.show(true);
      return;
    }
    // Only its command can show a view that was never shown. That command moves the focus, which then has to be returned.
    await this.focus();
    if (from === "terminal") await vscode.commands.executeCommand("workbench.action.terminal.focus");
    if (from === "editor") await vscode.commands.executeCommand("workbench.action.focusActiveEditorGroup");
  }

  /** Shows the view and focuses it. */
  async focus(): Promise<void> {
    await vscode.commands.executeCommand(`${VIEW_ID}.focus`);
  }

  /** Notifies the page, now or once it exists. */
  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    if (this.#bridge) this.#bridge.notify(name, params);
    else this.#waiting.hold(name, params);
  }

  dispose(): void {
    this.#bridge?.dispose();
    this.#store.dispose();
  }
}
