/** Launches the real browser on the small site; whatever a test opened is closed after it. */
import { networkInterfaces } from "node:os";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { ensureChromium } from "../../../../scripts/lib/install.mjs";
import type { BrowserLaunch, BrowserPage, PageState } from "../../../../src/core/ports/browser.ts";
import { type BrowsersOptions, createBrowsers } from "../../../../src/node/browser/browsers.ts";
import { PAGES, type SmallSite, startSmallSite } from "../../../support/small-site.ts";

/** Pages of a site that no other site may lead to. */
export const hidden = { "/secret": "<h1>Secret</h1>" };

export const VIEWPORT = { width: 900, height: 600 };

export async function site(more?: Record<string, string>): Promise<SmallSite> {
  const started = await startSmallSite(more);
  onTestFinished(() => started.close());
  return started;
}

export interface Opened {
  page: BrowserPage;
  state: PageState;
  /** Clicks the element with that role and name in the current state. */
  click(role: string, name: string): Promise<PageState>;
  type(text: string): Promise<PageState>;
}

export type LaunchOptions = Partial<BrowserLaunch> & { ports?: Partial<BrowsersOptions> };

export const browsers = (ports: Partial<BrowsersOptions> = {}) =>
  createBrowsers({
    environment: process.env,
    roots: [],
    log: { info: () => {}, error: (text, error) => console.error(text, error) },
    ...ports,
  });

/** By default, what is opened is what the user approved: the address's host. */
export async function launch(url: string, options: LaunchOptions = {}): Promise<Opened> {
  const opened = await open(url, options);
  onTestFinished(() => opened.page.close());
  return opened;
}

async function open(url: string, { ports, ...options }: LaunchOptions): Promise<Opened> {
  const { host } = new URL(url);
  const { page, state } = await browsers(ports).launch({
    ...{ url, connect: "", viewport: VIEWPORT, signal: new AbortController().signal },
    path: await ensureChromium(),
    privateHosts: host === "" ? [] : [host],
    mayRead: async () => false,
    ...options,
  });
  const { signal } = new AbortController();
  const opened: Opened = {
    page,
    state,
    async click(role, name) {
      const { x, y } = elementOf(opened.state, role, name);
      opened.state = await page.act({ type: "click", x, y }, signal);
      return opened.state;
    },
    async type(text) {
      opened.state = await page.act({ type: "type", text }, signal);
      return opened.state;
    },
  };
  return opened;
}

const INDEX = "/pages";

/**
 * One site in one browser for all tests of a `describe`: a launch costs more than all that a test does with it. `visit` goes to
 * a page from whatever page of the site a test before has left, by a link that each has at its end.
 */
export function sharedSite(more: () => Promise<Record<string, string>> = async () => ({})): {
  readonly site: SmallSite;
  readonly opened: Opened;
  visit(path: string): Promise<Opened>;
} {
  let started: SmallSite | undefined;
  let opened: Opened | undefined;
  beforeAll(async () => {
    const bodies = Object.entries({ ...PAGES, ...(await more()) });
    // A line for each: the middle of a link that goes over two may be on another link.
    const links = bodies.map(([name]) => `<div><a href="${name}">To ${name}</a></div>`).join("");
    const back = `<a href="${INDEX}">All pages</a>`;
    started = await startSmallSite({
      ...Object.fromEntries(bodies.map(([name, body]) => [name, body + back])),
      [INDEX]: `<h1>Pages</h1>${links}${back}`,
    });
    opened = await open(`${started.origin}${INDEX}`, {});
  });
  afterAll(async () => {
    await opened?.page.close();
    await started?.close();
  });
  const begun = <T>(value: T | undefined): T => {
    if (value === undefined) throw new Error("there is no browser yet");
    return value;
  };
  return {
    get site() {
      return begun(started);
    },
    get opened() {
      return begun(opened);
    },
    async visit(name) {
      const shared = begun(opened);
      await shared.click("link", "All pages");
      await shared.click("link", `To ${name}`);
      return shared;
    },
  };
}

export function elementOf(state: PageState, role: string, name: string): PageState["elements"][number] {
  const found = state.elements.find((element) => element.role === role && element.name === name);
  if (found) return found;
  const all = state.elements.map((element) => `${element.role} ${JSON.stringify(element.name)}`);
  throw new Error(`no ${role} ${JSON.stringify(name)} at ${state.url} among ${all.join(", ")}`);
}

/** The events of one kind, as text. */
export function told(state: PageState, kind: PageState["events"][number]["kind"]): string {
  return state.events
    .filter((event) => event.kind === kind)
    .map(({ text }) => text)
    .join("\n");
}

/**
 * Resolves once the state tells these words so many times in events of that kind; `opened.state` then has all events since
 * the last action. Workers and sockets go on when a page is quiet.
 */
export async function heard(
  opened: Opened,
  kind: PageState["events"][number]["kind"],
  words: string,
  times = 1,
): Promise<void> {
  const { signal } = new AbortController();
  const count = () => told(opened.state, kind).split(words).length - 1;
  const look = async () => {
    if (count() >= times) return count();
    const { events, ...now } = await opened.page.act({ type: "scroll", direction: "up" }, signal);
    opened.state = { ...now, events: [...opened.state.events, ...events] };
    return count();
  };
  await expect.poll(look).toBeGreaterThanOrEqual(times);
}

/** An address of this machine that is not loopback; without one, an address that belongs to nobody. */
export function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  return all.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "10.255.255.1";
}
