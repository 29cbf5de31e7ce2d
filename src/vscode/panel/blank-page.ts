/**
 * Detects a webview whose page does not load. VS Code in a browser can serve all webviews from one origin, where each registers
 * its own service worker for the same scope. When two webviews load at the same time, Chromium may leave the second worker
 * waiting, and that webview stays blank until it is created again.
 */
import type { Disposable } from "../../core/lifecycle.ts";
import type { Clock } from "../../core/ports/system.ts";

/** Milliseconds after which a visible page that has sent nothing counts as blank, if it does not replace a blank page. */
const PATIENCE = 10_000;

export class BlankPageWatch implements Disposable {
  readonly #clock: Pick<Clock, "after">;
  readonly #blank: () => void;
  readonly #patience: number;
  #timer: Disposable | undefined;

  /**
   * `blank` is called at most once each time that the page is shown. `replaced`: how many blank pages in a row this one replaces.
   * Each page gets twice as long as the previous one, because a new page does not help if no page loads or if each takes long.
   */
  constructor(clock: Pick<Clock, "after">, blank: () => void, replaced = 0) {
    this.#clock = clock;
    this.#blank = blank;
    this.#patience = PATIENCE * 2 ** replaced;
  }

  /** The page was shown or hidden. A shown page is expected to send something: it loads or, if VS Code kept it, answers. */
  setVisible(visible: boolean): void {
    this.#timer?.dispose();
    this.#timer = visible ? this.#clock.after(this.#patience, this.#blank) : undefined;
  }

  /** The page has sent a message. */
  messageReceived(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  dispose(): void {
    this.messageReceived();
  }
}
