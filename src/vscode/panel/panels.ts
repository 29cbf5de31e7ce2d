/** The places that show the panel: the side bar and editor tabs. Commands apply to the place that the user last used. */
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";
import { type OpenView, type PanelView, sessionAt } from "./views/panel-view.ts";

/** One place that shows the panel: the side bar or an editor tab. */
export interface PanelPlace {
  readonly panelView: PanelView;
  readonly visible: boolean;
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

/** The view in a side bar. */
interface SideBar extends PanelPlace, Disposable {
  readonly onVisible: (listener: () => void) => Disposable;
  badge(texts: readonly string[]): void;
  show(from: From): Promise<void>;
  focus(): Promise<void>;
}

interface Tab extends PanelPlace {
  reveal(keepFocus: boolean): void;
  close(): void;
}

/** The editor tabs. */
interface Tabs extends Disposable {
  readonly all: readonly Tab[];
  /** The visible tab that was last active. */
  readonly last: Tab | undefined;
  readonly onChange: (listener: () => void) => Disposable;
  open(session: string | undefined, from?: OpenView): Promise<boolean>;
}

type From = "editor" | "terminal" | "sideBar";

export class Panels implements Disposable {
  readonly #sideBar: SideBar;
  readonly #tabs: Tabs;
  readonly #store = new DisposableStore();
  readonly #visibility = this.#store.add(new Emitter<void>());
  readonly #used = this.#store.add(new Emitter<void>());
  #last: "view" | "tabs" = "view";

  /** The panel was shown or hidden somewhere. */
  readonly onVisible = this.#visibility.on;
  /** `panelView` may be another one, or it may be open now. */
  readonly onView = this.#used.on;

  constructor(sideBar: SideBar, tabs: Tabs) {
    this.#sideBar = this.#store.add(sideBar);
    this.#tabs = this.#store.add(tabs);
    this.#store.add(
      sideBar.onVisible(() => {
        this.#visibility.emit();
        this.#used.emit();
      }),
    );
    this.#store.add(
      tabs.onChange(() => {
        this.#visibility.emit();
        this.#used.emit();
      }),
    );
  }

  get visible(): boolean {
    return this.#sideBar.visible || this.#tabs.last !== undefined;
  }

  /** The view that commands act on. */
  get panelView(): PanelView {
    return (this.tab ?? this.#sideBar).panelView;
  }

  get panelViews(): readonly PanelView[] {
    return this.#places.map(({ panelView }) => panelView);
  }

  /** The tab that the user uses; undefined: the user is in the view. */
  get tab(): Tab | undefined {
    return this.#last === "tabs" || !this.#sideBar.visible ? this.#tabs.last : undefined;
  }

  /** The user sees the session. */
  sees(session: string): boolean {
    return this.#places.some(({ panelView, visible }) => visible && sessionAt(panelView) === session);
  }

  /** Must be called when a view has opened. */
  viewOpened(): void {
    this.#used.emit();
  }

  /**
   * The user pressed a key or a button in this page, so the user is there from now on. A page that gets the focus or a tab that
   * becomes active does not show that: both also happen when something else closes, such as a palette opened from the side bar.
   */
  enter(panelView: PanelView): void {
    this.#moveTo(panelView === this.#sideBar.panelView ? "view" : "tabs");
  }

  /** The draft changed in one place. Stores and shows it in the other places with the same session. */
  shareDraft(from: PanelView, draft: Notification<"composer/draft">): void {
    const whole = from.current?.drafts.current;
    for (const place of this.#places) {
      const { panelView } = place;
      if (panelView === from || !panelView.current || sessionAt(panelView) !== sessionAt(from)) continue;
      if (whole) panelView.current.drafts.keep(whole);
      // A hidden place receives the latest draft when it is shown again.
      place.notify("composer/draft", draft);
    }
  }

  badge(texts: readonly string[]): void {
    this.#sideBar.badge(texts);
  }

  /**
   * Shows a session in a tab of its own: the one with this id or, without an id, that of the place in use, with its unsent text.
   * False: another window works on the session.
   */
  async openInEditor(id?: string): Promise<boolean> {
    const { current } = this.panelView;
    const opened = await (id === undefined
      ? this.#tabs.open(current?.view.active.id, current)
      : this.#tabs.open(id));
    if (opened) this.#last = "tabs";
    return opened;
  }

  /** Shows the place whose active session this is; false: there is none. */
  async reveal(session: string): Promise<boolean> {
    const tab = this.#tabs.all.find(({ panelView }) => sessionAt(panelView) === session);
    const isInView = sessionAt(this.#sideBar.panelView) === session;
    if (!isInView && !tab) return false;
    if (isInView) {
      this.#last = "view";
      await this.#sideBar.focus();
    } else {
      this.#last = "tabs";
      tab?.reveal(false);
    }
    this.#used.emit();
    return true;
  }

  /** The user is in the view from now on. */
  enterView(): void {
    this.#moveTo("view");
  }

  /** The user is in the tabs from now on, if one is visible. */
  enterTab(): void {
    if (this.#tabs.last) this.#moveTo("tabs");
  }

  /** Shows the panel without moving the focus. */
  async show(from: From): Promise<void> {
    if (this.tab) this.tab.reveal(true);
    else await this.#sideBar.show(from);
  }

  /** Shows the panel and focuses it. */
  async focus(): Promise<void> {
    if (this.tab) this.tab.reveal(false);
    else await this.#sideBar.focus();
  }

  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    (this.tab ?? this.#sideBar).notify(name, params);
  }

  dispose(): void {
    this.#store.dispose();
  }

  #moveTo(place: "view" | "tabs"): void {
    if (place === this.#last) return;
    this.#last = place;
    this.#used.emit();
  }

  get #places(): readonly PanelPlace[] {
    return [this.#sideBar, ...this.#tabs.all];
  }
}
