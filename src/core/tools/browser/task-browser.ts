/** The browser of one task: at most one is open, and the sites that the user approved are remembered. */
import { ToolError, throwIfAborted } from "../../errors.ts";
import type { BrowserLaunch, BrowserPage, PageState } from "../../ports/browser.ts";
import type { Host } from "../../ports/host.ts";

export class TaskBrowser {
  readonly #host: Pick<Host, "browser">;
  readonly #granted = new Set<string>();
  #page: BrowserPage | undefined;
  /** A launch in progress; `close` waits for it, so that no browser outlives the task. */
  #launching: Promise<unknown> | undefined;

  constructor(host: Pick<Host, "browser">) {
    this.#host = host;
  }

  /** undefined: no browser is open. */
  get page(): BrowserPage | undefined {
    return this.#page?.isOpen ? this.#page : undefined;
  }

  /** Whether the user approved a call that contacts this site. */
  isGranted(site: string): boolean {
    return this.#granted.has(site);
  }

  grant(site: string): void {
    this.#granted.add(site);
  }

  get granted(): readonly string[] {
    return [...this.#granted];
  }

  isPrivate(url: string): Promise<boolean> {
    return this.#port.isPrivate(url);
  }

  async launch(options: BrowserLaunch): Promise<PageState> {
    const launching = this.#port.launch(options);
    this.#launching = launching.catch(() => undefined);
    const { page, state } = await launching;
    this.#page = page;
    throwIfAborted(options.signal);
    return state;
  }

  /** Never rejects. */
  async close(): Promise<void> {
    await this.#launching;
    const page = this.#page;
    this.#page = undefined;
    await page?.close();
  }

  get #port(): NonNullable<Host["browser"]> {
    const { browser } = this.#host;
    if (!browser) throw new ToolError("No browser is available here.");
    return browser;
  }
}
