/** The pages that a task fetches, whether a tool or a mention names them. The last ones are kept, to read them in parts. */
import { reasonOf } from "../shared/reason.ts";
import type { Settings } from "../shared/settings.ts";
import { ToolError } from "./errors.ts";
import { outsideText } from "./fence.ts";
import { pageAddress, withoutFragment } from "./page-address.ts";
import type { Host } from "./ports/host.ts";
import type { Page } from "./ports/web.ts";

/** Milliseconds for a page, from the first attempt to the last byte. */
const PAGE_TIMEOUT = 30_000;
/** Characters of one page. */
const PAGE_LIMIT = 1_000_000;
/** Pages, and characters of all pages, that are kept. */
const KEPT_PAGES = 20;
const KEPT_CHARACTERS = 4_000_000;

/** The tag around a page in what the model receives. */
export const PAGE_TAG = "url_content";

export interface TaskPagesDeps {
  host: Pick<Host, "web">;
  settings(): Pick<Settings, "approval">;
  /** The API keys, which are never part of a request for a page. */
  keys: { contains(text: string): Promise<boolean> };
}

export class TaskPages {
  readonly #deps: TaskPagesDeps;
  /** By address without its fragment; the one that was used last is at the end. */
  readonly #cache = new Map<string, Page>();

  constructor(deps: TaskPagesDeps) {
    this.#deps = deps;
  }

  get available(): boolean {
    return this.#deps.host.web !== undefined;
  }

  /** The address that a request would be sent to. Rejects with ToolError if it must not be sent. */
  async address(text: string): Promise<URL> {
    const url = pageAddress(text.trim());
    if (await this.hasKey(text))
      throw new ToolError("the URL contains an API key of the user", reasonOf("address-with-key"));
    return url;
  }

  /** Whether a text that would leave the machine contains an API key. */
  hasKey(text: string): Promise<boolean> {
    return this.#deps.keys.contains(text);
  }

  /** The page as it was when the task last fetched it; undefined: it is no longer kept. */
  kept(url: URL): Page | undefined {
    const key = withoutFragment(url);
    const page = this.#cache.get(key);
    if (page) {
      this.#cache.delete(key);
      this.#cache.set(key, page);
    }
    return page;
  }

  /** Fetches the page. Rejects with ToolError, and with Interrupt when `signal` aborts. */
  async fetch(url: URL, signal: AbortSignal): Promise<Page> {
    const { host, settings } = this.#deps;
    if (!host.web) throw new ToolError("Web pages cannot be fetched here.");
    const fetched = await host.web.fetch(withoutFragment(url), {
      signal,
      timeoutMs: PAGE_TIMEOUT,
      limit: PAGE_LIMIT,
      allowedHosts: settings().approval.privateHosts,
    });
    const page = { ...fetched, text: asContent(fetched) };
    this.#keep(withoutFragment(url), page);
    return page;
  }

  #keep(key: string, page: Page): void {
    this.#cache.delete(key);
    this.#cache.set(key, page);
    let size = [...this.#cache.values()].reduce((sum, { text }) => sum + text.length, 0);
    for (const [oldest, { text }] of this.#cache) {
      if (this.#cache.size <= KEPT_PAGES && size <= KEPT_CHARACTERS) break;
      this.#cache.delete(oldest);
      size -= text.length;
    }
  }
}

/** The text with its title. */
function asContent({ title, text }: Page): string {
  const heading = title === "" || /^# /m.test(text) ? "" : `# ${title}\n\n`;
  return outsideText(`${heading}${text}`, PAGE_TAG);
}
