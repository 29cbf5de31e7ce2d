/**
 * What every file of browser tests needs: one server and browser for all files of a worker, a new host for each test, and a panel
 * that is closed after it. `host`, `panel` and `page` are those of the test that runs.
 */
import { mkdirSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, TestRunner } from "vitest";
import { FakeHost } from "./fake-host.ts";
import { type Panel, type PanelOptions, type PanelServer, startPanelServer } from "./panel-page.ts";
import { drawn } from "./scroll.ts";

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
      return shared(await (left ? left.reopen(options) : open(options)));
    },
  }));
  return server;
}

/** A panel that leaves its page to another when it is closed. */
function shared(panel: Panel): Panel {
  let isOpen = true;
  return {
    ...panel,
    pass: async (host) => shared(await panel.pass(host)),
    async close() {
      if (!isOpen) return;
      isOpen = false;
      await leave(panel);
    },
  };
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

/** The panel that a test left open for the next one of its file, with its host and how it was opened. */
let kept: { panel: Panel; host: FakeHost; how: string } | undefined;

/**
 * Called once, at the head of a file. `mayComplain`: scripts of the page may fail, for a test makes them. `keepsPanel`: a test goes
 * on in the panel of the test before, which a new host takes over: much less work than another panel. It shows another session
 * then, the screen is closed, and the focus and the text are gone. If the test before left anything else open, there is another panel.
 */
export function servePanels({ mayComplain = false, keepsPanel = false } = {}): void {
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
    const [only] = panels;
    const isKept =
      keepsPanel &&
      panels.length === 1 &&
      only?.complaints.length === 0 &&
      TestRunner.getCurrentTest()?.result?.state !== "fail";
    if (isKept) kept = { panel: only, host, how: openedHow };
    else await Promise.all(panels.map((each) => each.close()));
    for (const { complaints, strayRequests } of panels) {
      if (!mayComplain) expect(complaints).toEqual([]);
      expect(strayRequests).toEqual([]);
    }
  });
  afterAll(async () => {
    await kept?.panel.close();
    kept = undefined;
  });
}

/** How the panel that was opened last was to be opened. */
let openedHow = "";

/** Resolves when the composer is there. A panel that the test opened before is closed: it has lost its host. */
export async function openPanel(options: Omit<PanelOptions, "host"> = {}): Promise<void> {
  await opened.at(-1)?.close();
  const { prepare, isNew, ...how } = options;
  openedHow = JSON.stringify(how);
  const left = kept;
  kept = undefined;
  if (left && opened.length === 0 && left.how === openedHow && !prepare && !isNew && (await takeOver(left)))
    return;
  await left?.panel.close();
  panel = await (await panelServer()).open({ host, ...options });
  page = panel.page;
  opened.push(panel);
  await input().waitFor();
}

/** Gives the panel of the test before to the host of this one. False: something of the user's is left in it. */
async function takeOver({ panel: left, host: before }: NonNullable<typeof kept>): Promise<boolean> {
  const { page: of } = left;
  await of.mouse.move(0, 0);
  // Closes a screen that covers the conversation.
  before.server.notify("composer/focus", {});
  await drawn(of);
  const composer = of.getByTestId("chat-input");
  if ((await composer.inputValue()) !== "") await composer.fill("");
  const isClean = await of.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const left = ["dialog[open]", "[role=menu]", "[role=listbox]", "[role=alert]", ".screen", ".history"];
    const inComposer = [".composer img", "[data-testid=refusal]", "[data-testid=aside-draft]"];
    return document.querySelector([...left, ...inComposer].join()) === null;
  });
  if (!isClean) return false;
  panel = await left.pass(host);
  page = panel.page;
  opened.push(panel);
  host.takeOver(before);
  await drawn(page);
  return true;
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
export function showScreen(
  name: "find" | "history" | "rules" | "servers" | "hooks" | "plugins" | "memory" | "tools" | "health",
): void {
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

/**
 * Short words that are divided between two lines. Whole words of Latin letters and numbers, and those of buttons in any script; what has a
 * place to break, such as a hyphen, may.
 */
export function brokenWords(): Promise<string[]> {
  return page.evaluate(() => {
    const broken: string[] = [];
    const range = document.createRange();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      const element = node.parentElement;
      if (!element || element.closest(".only-heard, [hidden], textarea, style, script")) continue;
      const isButton = element.closest("button, vscode-button") !== null;
      const whole = isButton ? /^[\p{L}\p{N}+−$%.…]+$/u : /^[\p{Script=Latin}\p{N}+−$%.…]+$/u;
      for (const { 0: found, index } of (node.nodeValue ?? "").matchAll(/\S+/g)) {
        const longest = /^[\p{Script=Latin}\p{N}+−$%.…]+$/u.test(found) ? 10 : 4;
        if (found.length < 2 || found.length > longest || !whole.test(found)) continue;
        range.setStart(node, index);
        range.setEnd(node, index + found.length);
        const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top);
        if (Math.max(...tops) - Math.min(...tops) > 8) broken.push(found);
      }
    }
    return broken;
  });
}

/**
 * What does not fit: a list or a screen that scrolls sideways, anything that opened and leaves the window, and a text of which an ellipsis
 * leaves no letters.
 */
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
    // The room of an ellipsis and two letters.
    const least = (one: Element) => 1.8 * Number.parseFloat(getComputedStyle(one).fontSize);
    const cut = all("*")
      .filter((one) => {
        const { overflowX, textOverflow, display, clipPath } = getComputedStyle(one);
        const isCut =
          overflowX === "hidden" && textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth;
        if (!isCut || display === "none" || clipPath !== "none") return false;
        // Before a name, an ellipsis stands for the folder.
        if (one.matches(".subject-folder, .hit-folder")) return false;
        // A second line may be out of sight with what it says.
        const top = one.getBoundingClientRect().top;
        const above = one.parentElement?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY;
        return one.clientWidth < least(one) && top < above;
      })
      .map((one) => `${nameOf(one)} shows nothing of: ${one.textContent}`);
    // Their icons would lie on the next button.
    const narrow = all(".composer-buttons button")
      .filter((one) => one.scrollWidth > one.clientWidth + 1)
      .map((one) => `${nameOf(one)} is narrower than what it shows`);
    return [...wide, ...out, ...cut, ...narrow];
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
