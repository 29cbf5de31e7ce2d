/**
 * The panel in editor tabs: the same page as in the side bar, each with a session of its own. A tab is restored with its session
 * when the window reloads.
 */
import { randomUUID } from "node:crypto";
import * as vscode from "vscode";
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Clock, Log } from "../../core/ports/system.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import type { Transport } from "../../shared/rpc.ts";
import * as z from "../../shared/zod.ts";
import { followActive } from "../attention/active-session.ts";
import { SESSION_VIEW_TYPE } from "../editor/diff-placement.ts";
import { BlankPageWatch } from "./blank-page.ts";
import type { Bridge } from "./bridge.ts";
import { type OpenView, type PanelView, sessionAt, type TabStart } from "./views/panel-view.ts";
import { loadPage, pageOptions, transportOf } from "./webview-page.ts";

/** Maximum characters of a session's title in its tab. */
const TITLE_LENGTH = 40;

/** The part of the page's stored state that restores a tab. The host may know a more recent session. */
const stateSchema = z.object({ tab: z.uuid(), session: z._default(z.string(), "") });

export interface EditorTabsParts {
  extensionUri: vscode.Uri;
  /** Creates the view of a tab. */
  panelView(start: TabStart): PanelView;
  connect(transport: Transport, panelView: PanelView): Bridge;
  /** Called once the view of a tab is open. */
  follow(view: OpenView["view"]): Disposable;
  clock: Pick<Clock, "after">;
  log: Log;
}

export class Tab {
  readonly id: string;
  readonly panel: vscode.WebviewPanel;
  readonly panelView: PanelView;
  readonly store = new DisposableStore();
  readonly bridge: Bridge;
  readonly watch: BlankPageWatch;
  /** A new tab has taken over its view. */
  isReplaced = false;

  constructor(
    { id, panelView }: Pick<Tab, "id" | "panelView">,
    panel: vscode.WebviewPanel,
    parts: Pick<EditorTabsParts, "connect" | "clock"> & { replace(): void; replaced: number },
  ) {
    this.id = id;
    this.panel = panel;
    this.panelView = panelView;
    this.bridge = this.store.add(parts.connect(transportOf(panel.webview), panelView));
    this.watch = this.store.add(new BlankPageWatch(parts.clock, () => parts.replace(), parts.replaced));
  }

  get visible(): boolean {
    return this.panel.visible;
  }

  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    this.bridge.notify(name, params);
  }

  /** `keepFocus`: the focus stays where it is. */
  reveal(keepFocus: boolean): void {
    this.panel.reveal(undefined, keepFocus);
  }

  close(): void {
    this.panel.dispose();
  }
}

export class EditorTabs implements Disposable {
  readonly #parts: EditorTabsParts;
  readonly #store = new DisposableStore();
  readonly #changed = this.#store.add(new Emitter<void>());
  /** The tab that was last active is the last one. */
  #tabs: Tab[] = [];
  /** How many blank tabs were replaced since a page loaded. */
  #replaced = 0;

  /** A tab was opened, closed, shown, hidden or activated, or its view is open now. */
  readonly onChange = this.#changed.on;

  constructor(parts: EditorTabsParts) {
    this.#parts = parts;
    const serializer = {
      deserializeWebviewPanel: async (panel: vscode.WebviewPanel, state: unknown) => {
        const parsed = stateSchema.safeParse(state);
        const { tab: id, session } = parsed.data ?? { tab: randomUUID(), session: "" };
        this.#serve(panel, id, parts.panelView({ id, session }));
      },
    };
    this.#store.add(vscode.window.registerWebviewPanelSerializer(SESSION_VIEW_TYPE, serializer));
  }

  get all(): readonly Tab[] {
    return this.#tabs;
  }

  /** The visible tab that was last active. */
  get last(): Tab | undefined {
    return this.#tabs.findLast(({ visible }) => visible);
  }

  /**
   * Shows the tab with that session, or opens a new one; without a session, opens a tab with a new task. `from`: the view whose
   * unsent text the tab gets. False: the session cannot be opened now.
   */
  async open(session: string | undefined, from?: OpenView): Promise<boolean> {
    const tab = this.#tabs.find(({ panelView }) => session !== undefined && sessionAt(panelView) === session);
    if (tab) {
      tab.reveal(false);
      return true;
    }
    const id = randomUUID();
    const panelView = this.#parts.panelView({ id, session: session ?? "", from });
    if (session !== undefined && (await panelView.get()).missing) {
      await panelView.close();
      return false;
    }
    this.#create({ id, panelView }, vscode.ViewColumn.Active);
    return true;
  }

  dispose(): void {
    // VS Code restores the tabs with the window, so they are not closed.
    for (const { store } of this.#tabs) store.dispose();
    this.#store.dispose();
  }

  #create(
    { id, panelView }: Pick<Tab, "id" | "panelView">,
    place: vscode.ViewColumn | { viewColumn: vscode.ViewColumn; preserveFocus: boolean },
  ): void {
    const options = { ...pageOptions(this.#parts.extensionUri), retainContextWhenHidden: true };
    this.#serve(vscode.window.createWebviewPanel(SESSION_VIEW_TYPE, "Nekode", place, options), id, panelView);
  }

  /** Replaces a tab whose page does not load. The host has the state, so nothing is lost. */
  #replace(tab: Tab): void {
    this.#replaced++;
    tab.isReplaced = true;
    this.#create(tab, { viewColumn: tab.panel.viewColumn ?? vscode.ViewColumn.Active, preserveFocus: true });
    tab.close();
  }

  #serve(panel: vscode.WebviewPanel, id: string, panelView: PanelView): void {
    const { extensionUri, connect, clock } = this.#parts;
    const { webview } = panel;
    webview.options = pageOptions(extensionUri);
    const icon = (name: string) => vscode.Uri.joinPath(extensionUri, "media", name);
    // VS Code draws a tab's icon unchanged. Only the icon in the activity bar gets the color of the theme.
    panel.iconPath = { light: icon("tab-light.svg"), dark: icon("tab-dark.svg") };
    const blank = { replaced: this.#replaced, replace: () => this.#replace(tab) };
    const tab = new Tab({ id, panelView }, panel, { connect, clock, ...blank });
    this.#tabs.push(tab);
    let { visible } = panel;
    const show = () => {
      // A tab that an earlier version of Nekode opened is restored with the options of that time.
      tab.bridge.setVisible(visible, panel.options.retainContextWhenHidden ?? false);
      panelView.current?.view.setVisible(visible);
      // On the desktop, each webview has its own origin, so pages do not stay blank.
      if (vscode.env.uiKind === vscode.UIKind.Web) tab.watch.setVisible(visible);
    };
    show();
    webview.onDidReceiveMessage(() => {
      tab.watch.messageReceived();
      this.#replaced = 0;
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
      tab.store.dispose();
      if (!tab.isReplaced)
        panelView.close().catch((error: unknown) => this.#parts.log.error("a tab did not end", error));
      this.#changed.emit();
    });
    this.#follow(tab);
    loadPage(webview, extensionUri, id);
    this.#changed.emit();
  }

  /** Keeps the tab's title the same as that of its session. */
  #follow(tab: Tab): void {
    const follow = ({ view }: OpenView) => {
      if (!this.#tabs.includes(tab)) return;
      const retitle = () => {
        const title = shortened(view.active.chatView.session?.title.trim() ?? "") || "Nekode";
        if (tab.panel.title !== title) tab.panel.title = title;
      };
      view.setVisible(tab.visible);
      tab.store.add(this.#parts.follow(view));
      retitle();
      tab.store.add(
        followActive(view, ({ type }) => {
          if (type === "title" || type === "session" || type === "switched") retitle();
        }),
      );
      this.#changed.emit();
    };
    // The page reports a failure, and can try again.
    tab.panelView.get().then(follow, (error: unknown) => this.#parts.log.error("a tab has no agent", error));
  }
}

function shortened(title: string): string {
  const characters = [...title];
  return characters.length <= TITLE_LENGTH ? title : `${characters.slice(0, TITLE_LENGTH - 1).join("")}…`;
}
