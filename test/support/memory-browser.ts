/** A browser in memory: each address has a page, clicks follow a table, and everything that was asked is recorded. */
import { ToolError } from "../../src/core/errors.ts";
import type {
  BrowserLaunch,
  BrowserPage,
  Browsers,
  PageAction,
  PageState,
} from "../../src/core/ports/browser.ts";

export interface MemoryBrowser extends Browsers {
  /** `launch URL`, `click X,Y`, `type TEXT`, `scroll DIRECTION` and `close`, in order. */
  readonly acts: string[];
  readonly launches: BrowserLaunch[];
  /** Where a click leads, by `X,Y`. */
  readonly leads: Record<string, string>;
  /** Hosts whose names resolve to private addresses once something was launched. */
  readonly turnPrivate: string[];
  /** Changes what the next states contain. */
  state: Partial<PageState>;
  /** Ends the open browser, as a crash does. */
  crash(): void;
}

export function memoryBrowser(): MemoryBrowser {
  let open: { url: string } | undefined;
  const browser: MemoryBrowser = {
    acts: [],
    launches: [],
    leads: {},
    turnPrivate: [],
    state: {},
    crash: () => {
      open = undefined;
    },
    isPrivate: async (url) =>
      /^https?:\/\/(?:localhost|127\.|10\.)/.test(url) ||
      (browser.launches.length > 0 && browser.turnPrivate.includes(new URL(url).hostname)),
    async launch(options) {
      browser.acts.push(`launch ${options.url}`);
      browser.launches.push(options);
      if (new URL(options.url).pathname === "/gone") throw new ToolError("Nothing answers there.");
      const mine = { url: options.url };
      open = mine;
      return { page: pageOf(mine), state: stateOf(mine.url) };
    },
  };
  const stateOf = (url: string): PageState => ({
    ...{ url, title: `Title of ${url}`, text: "All of its text", elements: [], events: [], moreEvents: 0 },
    screenshot: { mimeType: "image/jpeg", data: "/9j/" },
    more: { inView: 0, above: 0, below: 0 },
    scroll: { top: 0, height: 600 },
    ...browser.state,
  });
  const pageOf = (mine: { url: string }): BrowserPage => ({
    get isOpen() {
      return open === mine;
    },
    get url() {
      return mine.url;
    },
    async act(action) {
      browser.acts.push(textOf(action));
      if (action.type === "click") mine.url = browser.leads[`${action.x},${action.y}`] ?? mine.url;
      return stateOf(mine.url);
    },
    async close() {
      if (open !== mine) return;
      browser.acts.push("close");
      open = undefined;
    },
  });
  return browser;
}

function textOf(action: PageAction): string {
  if (action.type === "click") return `click ${action.x},${action.y}`;
  return action.type === "type" ? `type ${action.text}` : `scroll ${action.direction}`;
}
