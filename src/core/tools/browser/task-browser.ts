/** The browser of one task: at most one is open, and the sites that the user approved are remembered. */
import { ToolError, throwIfAborted } from "../../errors.ts";
import type { BrowserLaunch, BrowserPage, PageState } from "../../ports/browser.ts";
import type { Host } from "../../ports/host.ts";

export class TaskBrowser {
  readonly #host: Pick<Host, "browser">;
  /** The sites that the user approved, and whether the approved call was known to contact this machine or a private network. */
  readonly #granted = new Map<string, boolean>();
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

  /** Whether the user approved a call that contacts this site, knowing that it is private if it is. */
  isGranted(site: string, isPrivate: boolean): boolean {
    const granted = this.#granted.get(site);
    return granted !== undefined && (granted || !isPrivate);
  }

  grant(site: string, isPrivate: boolean): void {
    this.#granted.set(site, isPrivate || this.isGranted(site, true));
  }

  /**
   * The hosts of approved private sites, each with its port. Hosts of public sites are not included: if such a name later
   * resolves to a private address, the user has not approved that.
   */
  get privateHosts(): string[] {
    const sites = [...this.#granted].flatMap(([site, isPrivate]) => (isPrivate ? [new URL(site)] : []));
    return sites.map(({ protocol, hostname, port }) => {
      const usual = protocol === "https:" ? "443" : "80";
      return `${hostname}:${port || usual}`;
    });
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
