/**
 * What every file of browser tests needs: one server and browser for all files of a worker, a new host for each test, and a panel
 * that is closed after it. `host`, `panel` and `page` are those of the test that runs.
 */
import { mkdirSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, beforeEach, expect, inject } from "vitest";
import { FakeHost } from "./fake-host.ts";
import { type Panel, type PanelOptions, type PanelServer, startPanelServer } from "./panel-page.ts";

export let host: FakeHost;
export let panel: Panel;
export let page: Page;
let server: Promise<PanelServer> | undefined;
let opened: Panel[] = [];

export function panelServer(): Promise<PanelServer> {
  server ??= startPanelServer(inject("panel"));
  return server;
}

const PICTURES = "test-results/panel";

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

/** Resolves when the composer is there. */
export async function openPanel(options: Omit<PanelOptions, "host"> = {}): Promise<void> {
  panel = await (await panelServer()).open({ host, ...options });
  page = panel.page;
  opened.push(panel);
  await input().waitFor();
}

export const input = (): Locator => page.getByTestId("chat-input");
export const row = (kind: string): Locator => page.locator(`[data-testid=row][data-kind=${kind}]`);

/** Test id, or else the tag, of what has the focus. */
export const focused = (): Promise<string | null> =>
  page.evaluate(
    () => document.activeElement?.getAttribute("data-testid") ?? document.activeElement?.tagName ?? null,
  );

/** Saves test-results/panel/NAME.png. */
export async function picture(name: string): Promise<void> {
  await page.screenshot({ path: `${PICTURES}/${name}.png` });
}

/** Pixels by which the page is wider than its window. */
export function overflow(): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}

/** Shows what `prepare` makes of a host, and waits until it is there. */
export async function showScene(prepare: (host: FakeHost) => void): Promise<void> {
  const scene = new FakeHost();
  prepare(scene);
  host.show(scene.view, scene.setup);
  const last = [...scene.view.settled, ...scene.view.live].at(-1);
  await page.locator(last ? `[data-row="${last.id}"]` : ".empty h1").waitFor();
}
