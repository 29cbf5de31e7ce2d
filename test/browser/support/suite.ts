/**
 * What every file of browser tests needs: one server and browser for all files of a worker, a new host for each test, and a panel
 * that is closed after it. `host`, `panel` and `page` are those of the test that runs.
 */
import { mkdirSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, inject, TestRunner } from "vitest";
import { FakeHost } from "./fake-host.ts";
import { type Panel, type PanelOptions, type PanelServer, startPanelServer } from "./panel-page.ts";

export let host: FakeHost;
export let panel: Panel;
export let page: Page;
let server: Promise<PanelServer> | undefined;
let opened: Panel[] = [];
/** Pages that passing tests left. */
const idle: Panel[] = [];
/** As many as one test opens at once. */
const MAX_IDLE = 2;

const PICTURES = "test-results/panel";

/**
 * Its panels are on pages that earlier tests left, where nothing that a test did lasts. Closing one leaves its page to the next
 * test if this one has not failed; of one that has, a picture is in test-results/panel.
 */
export function panelServer(): Promise<PanelServer> {
  server ??= startPanelServer(inject("panel")).then(({ open, close }) => ({
    close,
    async open(options) {
      const left = options.prepare || options.isNew ? undefined : idle.pop();
      const panel = await (left ? left.reopen(options) : open(options));
      let isOpen = true;
      return {
        ...panel,
        async close() {
          if (!isOpen) return;
          isOpen = false;
          await leave(panel);
        },
      };
    },
  }));
  return server;
}

async function leave(panel: Panel): Promise<void> {
  const test = TestRunner.getCurrentTest();
  if (test?.result?.state === "fail") {
    const name = test.fullName.replaceAll(/[^\p{L}\p{N}]+/gu, "-");
    await panel.page.screenshot({ path: `${PICTURES}/failed/${name}.png` }).catch(() => {
      // A page that does not draw any more is closed nevertheless.
    });
    await panel.close();
  } else if ((await panel.leave()) && panel.complaints.length === 0 && idle.length < MAX_IDLE)
    idle.push(panel);
  else await panel.close();
}

/** Called once, at the head of a file. `mayComplain`: scripts of the page may fail, for a test makes them. */
export function servePanels({ mayComplain = false } = {}): void {
  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true });
    await panelServer();
  });
  beforeEach(() => {
    host = new FakeHost();
  });
  afterEach(async () => {
    const panels = opened;
    opened = [];
    await Promise.all(panels.map((each) => each.close()));
    for (const { complaints, strayRequests } of panels) {
      if (!mayComplain) expect(complaints).toEqual([]);
      expect(strayRequests).toEqual([]);
    }
  });
}

/** Resolves when the composer is there. A panel that the test opened before is closed: it has lost its host. */
export async function openPanel(options: Omit<PanelOptions, "host"> = {}): Promise<void> {
  await opened.at(-1)?.close();
  panel = await (await panelServer()).open({ host, ...options });
  page = panel.page;
  opened.push(panel);
  await input().waitFor();
}

export const input = (): Locator => page.getByTestId("chat-input");
export const row = (kind: string): Locator => page.locator(`[data-testid=row][data-kind=${kind}]`);

/** Test id, or else the tag, of what has the focus, also in the shadow root of a toolkit element. */
export const focused = (): Promise<string | null> =>
  page.evaluate(() => {
    const outer = document.activeElement;
    const all = [outer, outer?.shadowRoot?.activeElement ?? null];
    return (
      all.map((each) => each?.getAttribute("data-testid") ?? null).find(Boolean) ?? outer?.tagName ?? null
    );
  });

/** Chunks of that name arrive only after `release`. `asked` resolves when the page has requested one. */
export async function holdChunk(chunk: RegExp): Promise<{ asked: Promise<unknown>; release(): void }> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(chunk, async (route) => {
    await released;
    await route.continue();
  });
  return { asked: page.waitForRequest(chunk), release };
}

/**
 * Resolves when a change will be announced: the words for it load after the panel, and a task that is there by then counts as
 * opened, not as changed.
 */
export async function announcing(): Promise<void> {
  const words = /\/announcement-[^/]*\.js$/;
  const loaded = await page.waitForFunction((source) => {
    const scripts = performance.getEntriesByType("resource").map(({ name }) => name);
    return scripts.find((name) => new RegExp(source).test(name));
  }, words.source);
  // Whoever imports it later goes on later. A text, as vitest would make the import its own.
  await page.evaluate(`import(${JSON.stringify(await loaded.jsonValue())}).then(() => undefined)`);
}

/** Shows a screen as its command in VS Code's title bar does. */
export function showScreen(name: "find" | "history" | "rules" | "servers"): void {
  host.server.notify(`${name}/show`, {});
}

/** Saves test-results/panel/NAME.png if pictures are wanted. */
export async function picture(name: string, of: Pick<Page, "screenshot"> | Locator = page): Promise<void> {
  if (process.env.NEKODE_SHEET !== undefined) await of.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** Pixels by which the page is wider or taller than its window, whichever is more. */
export function overflow(): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
    return Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight);
  });
}

/** What does not fit: a list or a screen that scrolls sideways, and anything that opened and leaves the window. */
export function misfits(): Promise<string[]> {
  return page.evaluate(async () => {
    // What follows a change of the size does so before the next frame is drawn.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
    const nameOf = (one: Element) => `${one.tagName.toLowerCase()}.${one.className}`;
    const all = (selector: string) => [...document.querySelectorAll(selector)];
    const opens = all("[role=menu], [role=listbox], [role=dialog], .picker");
    const wide = [
      document.documentElement,
      ...opens,
      ...all(".transcript-rows, .history, .empty, .composer, .queue"),
    ]
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${nameOf(one)} scrolls sideways`);
    const out = opens
      .filter((one) => {
        const { left, right, top, bottom, width } = one.getBoundingClientRect();
        return width > 0 && (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight);
      })
      .map((one) => `${nameOf(one)} leaves the window`);
    return [...wide, ...out];
  });
}

/** Shows what `prepare` makes of a host, and waits until it is there. */
export async function showScene(prepare: (host: FakeHost) => void): Promise<void> {
  const scene = new FakeHost();
  prepare(scene);
  host.show(scene.view, scene.setup);
  const last = [...scene.view.settled, ...scene.view.live].at(-1);
  await page.locator(last ? `[data-row="${last.id}"]` : ".empty h1").waitFor();
}
