/**
 * Notices a webview whose page does not load. VS Code in a browser can serve all webviews from one origin, where each registers a
 * service worker of its own for the same scope. When two webviews load at once, Chromium may leave the worker of the second waiting,
 * and that webview stays blank until it is created anew.
 */
import type { Disposable } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";

/** Milliseconds after which a visible page that has sent nothing counts as blank, if nothing was replaced before. */
const PATIENCE = 10_000;

export class BlankPageWatch implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #blank: () => void;
  readonly #patience: number;
  #timer: Disposable | undefined;

  /**
   * `blank` is called at most once for each time that the page is shown. `replaced`: how many blank pages in a row this one replaces.
   * Each gets twice as long as the one before, since a new page is no help where no page loads, or where each takes long.
   */
  constructor(clock: Pick<Clock, "after">, blank: () => void, replaced = 0) {
    this.#clock = clock;
    this.#blank = blank;
    this.#patience = PATIENCE * 2 ** replaced;
  }

  /** The page is shown, and loads or, if VS Code kept it, answers; or it is hidden. */
  setVisible(visible: boolean): void {
    this.#timer?.dispose();
    this.#timer = visible ? this.#clock.after(this.#patience, this.#blank) : undefined;
  }

  /** The page has sent a message. */
  heard(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.heard();
  }
}
