/** Everywhere the panel is shown: in the side bar and in editor tabs. What is asked of the panel goes to where the user last was. */
import { type Disposable, DisposableStore, Emitter } from "../../core/lifecycle.ts";
import type { Notification, NotificationName } from "../../shared/protocol.ts";

/** The view in a side bar. */
interface View extends Disposable {
  readonly visible: boolean;
  readonly onVisible: (listener: () => void) => Disposable;
  badge(texts: readonly string[]): void;
  show(from: From): Promise<void>;
  focus(): Promise<void>;
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

/** The editor tabs. */
interface Tabs extends Disposable {
  readonly visible: boolean;
  readonly active: boolean;
  readonly onChange: (listener: () => void) => Disposable;
  open(): void;
  close(): void;
  reveal(keepFocus: boolean): void;
  notify<N extends NotificationName>(name: N, params: Notification<N>): void;
}

export type Place = "view" | "tabs";
type From = "editor" | "terminal" | "sideBar";

export class Panels implements Disposable {
  readonly #view: View;
  readonly #tabs: Tabs;
  readonly #store = new DisposableStore();
  readonly #visibility = this.#store.add(new Emitter<void>());
  #last: Place = "view";

  /** The panel was shown or hidden somewhere. */
  readonly onVisible = this.#visibility.on;

  constructor(view: View, tabs: Tabs) {
    this.#view = this.#store.add(view);
    this.#tabs = this.#store.add(tabs);
    this.#store.add(view.onVisible(() => this.#visibility.emit()));
    this.#store.add(
      tabs.onChange(() => {
        if (tabs.active) this.#last = "tabs";
        this.#visibility.emit();
      }),
    );
  }

  get visible(): boolean {
    return this.#view.visible || this.#tabs.visible;
  }

  /** The user did something there. */
  used(place: Place): void {
    this.#last = place;
  }

  /** The draft changed at one place: shows it at the other. */
  shareDraft(from: Place, draft: Notification<"composer/draft">): void {
    // A place that is hidden asks for the draft when it is shown again.
    const other = from === "view" ? this.#tabs : this.#view;
    if (other.visible) other.notify("composer/draft", draft);
  }

  badge(texts: readonly string[]): void {
    this.#view.badge(texts);
  }

  openInEditor(): void {
    this.#last = "tabs";
    this.#tabs.open();
  }

  /** Closes the tabs, so that only the view is left. Focuses nothing: a view that gets the focus closes a question of VS Code. */
  closeTabs(): void {
    this.#last = "view";
    this.#tabs.close();
  }

  /** Shows the panel without moving the focus. */
  async show(from: From): Promise<void> {
    if (this.#usesTabs) this.#tabs.reveal(true);
    else await this.#view.show(from);
  }

  /** Shows the panel and focuses it. */
  async focus(): Promise<void> {
    if (this.#usesTabs) this.#tabs.reveal(false);
    else await this.#view.focus();
  }

  notify<N extends NotificationName>(name: N, params: Notification<N>): void {
    if (this.#usesTabs) this.#tabs.notify(name, params);
    else this.#view.notify(name, params);
  }

  dispose(): void {
    this.#store.dispose();
  }

  get #usesTabs(): boolean {
    return this.#tabs.visible && (this.#last === "tabs" || !this.#view.visible);
  }
}
