/**
 * How long the panel takes in a real VS Code to come up and to show a long session, beside a view of another extension that shows one
 * empty text area, and the texts of as many messages.
 */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import {
  type Browser,
  type BrowserContext,
  chromium,
  type Frame,
  type Locator,
  type Page,
} from "playwright-core";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import { createAssets } from "../../src/node/assets.ts";
import { systemClock } from "../../src/node/clock.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { registerProjectStore } from "../../src/node/store/project-store.ts";
import { historyQuerySchema } from "../../src/shared/protocol.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { askPalette } from "../support/palette.ts";
import { installClock, timed } from "./long/clock.ts";
import { addBareExtension, BARE_NAME, BARE_ROW, STARTED } from "./panel-start/bare-extension.ts";
import { addLongSession, LONG, OTHER } from "./panel-start/long-session.ts";
import { clickTime, followPage, painted, shown } from "./panel-start/page-times.ts";
import type { CallCost } from "./report.ts";
import { Content } from "./session-content.ts";

/** Milliseconds after a press on an icon of the activity bar in which VS Code takes another one for a double click, and ignores it. */
const DOUBLE_CLICK_MS = 350;
/** Milliseconds between two looks at what VS Code has stored. */
const STORED_LOOK_MS = 500;
/** How long the palette may take to show a command, in milliseconds, and how often it is opened for it. */
const CHOICE_TIMEOUT = 10_000;
const MOST_TRIES = 4;
/** Windows that are opened for each package; the first one of each is not counted. */
const WINDOWS = 1 + Number(process.env.NEKODE_WINDOWS ?? 8);
/** How often a window hides and shows the panel. */
const RETURNS = 3;
/** Sessions in the history, and messages of each. */
const SESSIONS = 60;
const MESSAGES = 40;

const OURS = "nekode.nekode";
const BARE = "nekode-bench.bare";

/** The scripts that start VS Code find their own files relative to themselves, so they are not bundled. */
const script = async <T>(name: string): Promise<T> =>
  import(pathToFileURL(path.resolve("scripts/lib", name)).href);
type Servers = typeof import("../../scripts/lib/code-server.mjs");
type Chromium = typeof import("../../scripts/lib/chromium.mjs");

/** Milliseconds by what was measured; what begins with "bare: " is of the other extension. */
type Times = Record<string, number[]>;

interface Place {
  name: string;
  server: Awaited<ReturnType<Servers["startCodeServer"]>>;
  times: Times;
  storage: Storage;
}

/** Packages to measure in turns: the built one, and an earlier one that $NEKODE_EARLIER_VSIX names. */
async function packages(): Promise<[name: string, vsix: string][]> {
  const { version } = JSON.parse(await readFile("package.json", "utf8"));
  const built = path.resolve("dist", `nekode-${version}.vsix`);
  if (!existsSync(built)) throw new Error(`There is no ${built}. Run npm run package first.`);
  const earlier = process.env.NEKODE_EARLIER_VSIX;
  return earlier === undefined
    ? [["", built]]
    : [
        ["", built],
        ["earlier: ", earlier],
      ];
}

/** Times in windows in which the panel comes up, is hidden and shown again. */
export const panelStarts = (): Promise<Record<string, CallCost>> => measureIn(measureWindow);

/** Times in windows in which a long session is opened from the history. */
export const panelSessions = (): Promise<Record<string, CallCost>> => measureIn(measureSessions);

interface Measuring {
  times: Times;
  model: ModelServer;
  /** What the browser of a user has stored who has had the panel open before. */
  storage: Storage;
}

type Storage = Awaited<ReturnType<BrowserContext["storageState"]>>;

async function measureIn(
  window: (browser: Browser, url: string, how: Measuring) => Promise<void>,
): Promise<Record<string, CallCost>> {
  const { startCodeServer } = await script<Servers>("code-server.mjs");
  const { CHROMIUM_FLAGS, ensureChromium } = await script<Chromium>("chromium.mjs");
  const folder = await mkdtemp(path.join(tmpdir(), "nekode-bench-"));
  const model = await startModelServer({
    script: {
      turns: [
        { times: true, answer: [{ text: "It begins. " }, { hold: "rest" }, { text: "Everything is here." }] },
      ],
    },
  });
  const browser = await chromium.launch({ executablePath: await ensureChromium(), args: CHROMIUM_FLAGS });
  const places: Place[] = [];
  try {
    const project = path.join(folder, "project");
    await mkdir(project);
    for (const [name, vsix] of await packages()) {
      const userDataDir = path.join(folder, `data ${places.length}`);
      const extensionsDir = path.join(userDataDir, "extensions");
      const plainFile = path.join(userDataDir, "messages.json");
      await addBareExtension(extensionsDir, plainFile);
      await fill(path.join(userDataDir, "nekode"), project, plainFile);
      const server = await startCodeServer({
        ...{ userDataDir, extensionsDir, vsix },
        settings: {
          "nekode.provider.baseUrl": model.url,
          "nekode.provider.model": "scripted",
          "nekode.provider.protocol": "native",
        },
        env: { HOME: userDataDir, NEKODE_API_KEY: "test-key" },
      });
      places.push({ name, server, times: {}, storage: await stored(browser, server.folderUrl(project)) });
    }
    for (let round = 0; round < WINDOWS; round++) {
      for (const place of places) {
        const times = round === 0 ? {} : place.times;
        const url = place.server.folderUrl(project);
        await window(browser, url, { times, model, storage: place.storage });
      }
    }
    return Object.fromEntries(places.flatMap(costs));
  } finally {
    await browser.close();
    for (const { server } of places) await server.stop();
    await model.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** VS Code stores what a page remembers within a minute of it. */
async function stored(browser: Browser, url: string): Promise<Storage> {
  const { page, ours } = await openWindow(browser, url, undefined, true);
  await press(page, ours);
  const frame = await frameOf(page, OURS, "[data-testid=chat-input]");
  await painted(frame, "ready");
  // The page remembers its screen when it has nothing else to do, and never while it is hidden.
  await frame.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await hide(page);
  await page.evaluate(
    async ([key, lookMs]) => {
      const isStored = async (name: string): Promise<boolean> => {
        const db = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open(name);
          opening.onsuccess = () => resolve(opening.result);
          opening.onerror = () => reject(opening.error);
        });
        const values = [...db.objectStoreNames].map(
          (store) =>
            new Promise<unknown>((resolve, reject) => {
              const asked = db.transaction(store).objectStore(store).get(key);
              asked.onsuccess = () => resolve(asked.result);
              asked.onerror = () => reject(asked.error);
            }),
        );
        const stored = (await Promise.all(values)).map(String);
        db.close();
        // JSON within JSON.
        return stored.some((value) => /"screen\\*":\{/.test(value));
      };
      for (;;) {
        const all = await indexedDB.databases();
        if ((await Promise.all(all.map(({ name = "" }) => isStored(name)))).includes(true)) return;
        // Nothing tells that VS Code has stored it.
        await new Promise((resolve) => setTimeout(resolve, lookMs));
      }
    },
    ["memento/webviewView.nekode.chat", STORED_LOOK_MS] as const,
  );
  const storage = await page.context().storageState({ indexedDB: true });
  await closeWindow(page);
  return storage;
}

async function measureWindow(browser: Browser, url: string, measuring: Measuring): Promise<void> {
  const { times, model, storage } = measuring;
  const note = noteIn(times);
  for (const [when, started] of [
    [", as the window opens", false],
    [", in a window that has started", true],
  ] as const) {
    await measureBare(browser, url, storage, (ms) => note(`bare: first${when}`, ms), started);
    const opened = await openWindow(browser, url, storage, started);
    await measureFirst(opened, (name, ms) => note(`${name}${when}`, ms));
    await closeWindow(opened.page);
  }
  const { page, ours, bare } = await openWindow(browser, url, storage, true);
  await press(page, ours);
  const frame = await frameOf(page, OURS, "[data-testid=chat-input]");
  await painted(frame, "ready");

  await hide(page);
  await press(page, bare);
  await painted(await frameOf(page, BARE, "#bare-input"), "bare");
  for (let i = 0; i < RETURNS; i++) {
    await hide(page);
    note("bare: again", await again(page, bare, BARE, "bare"));
    await hide(page);
    note("shown again", await again(page, ours, OURS, "ready"));
  }

  const history = inTitle(page, /^Show History/);
  await press(page, history);
  const open = await frameOf(page, OURS, "[data-testid=history-item]");
  note("first press on the history", (await painted(open, "history")) - (await clickTime(page)));
  await open.getByRole("button", { name: "Back" }).first().click();

  await open.getByTestId("chat-input").fill("Say all of it");
  await open.getByTestId("chat-input").press("Enter");
  await model.waitForHold("rest");
  await open.locator("[data-testid=row][data-kind=text]").first().waitFor();
  await hide(page);
  model.release("rest");
  await page.locator('.statusbar-item[aria-label*="Nekode is done"]').first().waitFor();
  note("shown again, with an answer that ended meanwhile", await again(page, ours, OURS, "answer"));

  await closeWindow(page);
}

/**
 * The other extension's view in a window of its own: in VS Code that comes from one origin, all webviews share a service worker, which
 * the next webview replaces, and waits for.
 */
async function measureBare(
  browser: Browser,
  url: string,
  storage: Storage,
  note: (ms: number) => void,
  started: boolean,
): Promise<void> {
  const { page, bare } = await openWindow(browser, url, storage, started);
  await press(page, bare);
  const frame = await frameOf(page, BARE, "#bare-input");
  note((await painted(frame, "bare")) - (await clickTime(page)));
  await closeWindow(page);
}

/** The panel as the first webview of its window. */
async function measureFirst(
  { page, ours }: Awaited<ReturnType<typeof openWindow>>,
  note: (name: string, ms: number) => void,
): Promise<void> {
  await press(page, ours);
  const frame = await frameOf(page, OURS, "[data-testid=chat-input]");
  const clicked = await clickTime(page);
  note("icon to the input", (await painted(frame, "input")) - clicked);
  note("icon to the first screen", (await painted(frame, "content")) - clicked);
  note("icon to the answer of the agent", (await painted(frame, "ready")) - clicked);
}

async function measureSessions(browser: Browser, url: string, { times }: Measuring): Promise<void> {
  const note = noteIn(times);
  const { page, ours, bare } = await openWindow(browser, url);
  await press(page, bare);
  const bareFrame = await frameOf(page, BARE, "#bare-input");
  await installClock(bareFrame);
  for (let i = 0; i < RETURNS; i++) {
    note("bare: open", await timed(bareFrame, { row: BARE_ROW }, () => bareFrame.click("#bare-open")));
  }
  await press(page, ours);
  const open = await frameOf(page, OURS, "main[aria-busy=false]");
  await installClock(open);
  const openSession = ({ title, row }: typeof LONG) => {
    const item = open.getByTestId("history-item").filter({ hasText: title });
    return timed(open, { row }, () => item.click());
  };
  const history = inTitle(page, /^Show History/);
  await press(page, history);
  note(`a session of ${LONG.title}, first`, await openSession(LONG));
  await press(page, history);
  await openSession(OTHER);
  await press(page, history);
  note(`a session of ${LONG.title}, again`, await openSession(LONG));
  // The next window begins with the session that is shown last.
  await press(page, inTitle(page, /^New Task/));
  await open.locator(".empty:not([aria-busy])").waitFor();
  await closeWindow(page);
}

const inTitle = (page: Page, name: RegExp): Locator =>
  page.locator(".part.sidebar .composite.title").getByRole("button", { name });

const noteIn =
  (times: Times) =>
  (name: string, ms: number): void => {
    times[name] = [...(times[name] ?? []), ms];
  };

/** A window of VS Code, with the icons of both extensions. `started`: both extensions run, as they do soon after. */
async function openWindow(
  browser: Browser,
  url: string,
  storage?: Storage,
  started = false,
): Promise<{ page: Page; ours: Locator; bare: Locator }> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders: { "accept-encoding": "identity" },
    ...(storage ? { storageState: storage } : {}),
  });
  const page = await context.newPage();
  page.on("dialog", (dialog) => void dialog.accept().catch(() => {}));
  await followPage(page);
  await page.goto(url, { waitUntil: "commit" });
  const icon = (name: string | RegExp) => page.locator(".activitybar").getByRole("tab", { name });
  const [ours, bare] = [icon(/^Nekode/), icon(BARE_NAME)];
  await Promise.all([ours.waitFor(), bare.waitFor()]);
  await page.locator(".part.sidebar .title-label", { hasText: /^Explorer/i }).waitFor();
  if (started) await page.locator(".statusbar-item", { hasText: STARTED }).waitFor();
  return { page, ours, bare };
}

async function closeWindow(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().close();
}

/** Presses without the checks of a click, which take longer than what is measured. */
async function press(page: Page, target: Locator): Promise<void> {
  const box = await target.boundingBox();
  if (!box) throw new Error("nothing to press");
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

/** By a command: a press on another icon soon after one on the panel's is undone when VS Code has finished with that. */
async function hide(page: Page): Promise<void> {
  const widget = page.locator(".quick-input-widget");
  const choice = widget.locator(".monaco-list-row.focused", { hasText: "View: Show Explorer" }).first();
  for (let tries = 1; ; tries++) {
    await askPalette(page, ">View: Show Explorer");
    try {
      await choice.waitFor({ timeout: CHOICE_TIMEOUT });
      break;
    } catch (error) {
      // A panel that was just opened takes the focus late, which closes the palette.
      if (tries === MOST_TRIES) throw error;
    }
  }
  await page.keyboard.press("Enter");
  // What closes while an icon is pressed takes the press.
  await widget.waitFor({ state: "hidden" });
  await page.locator("iframe.webview:visible").first().waitFor({ state: "detached" });
  await page.waitForFunction(
    (ms) => performance.timeOrigin + performance.now() - (window.nekodeTimes?.clicked ?? 0) > ms,
    DOUBLE_CLICK_MS,
  );
}

/** Milliseconds from the press to the paint of the view with that content. */
async function again(
  page: Page,
  target: Locator,
  extension: string,
  mark: "bare" | "ready" | "answer",
): Promise<number> {
  const box = await target.boundingBox();
  if (!box) throw new Error("nothing to press");
  const visible = shown(page, extension);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  const selector = mark === "bare" ? "#bare-input" : "main[aria-busy=false]";
  const at = Math.max(await visible, await painted(await frameOf(page, extension, selector), mark));
  return at - (await clickTime(page));
}

/** The page of the extension's view, once it has that element. */
async function frameOf(page: Page, extension: string, selector: string): Promise<Frame> {
  const inner = page
    .frameLocator(`iframe[src*="extensionId=${extension}"]`)
    .frameLocator("iframe#active-frame");
  const handle = await inner.locator(selector).first().elementHandle();
  const frame = await handle?.ownerFrame();
  if (!frame) throw new Error(`${extension} has no page`);
  return frame;
}

async function fill(dataDir: string, root: string, plainFile: string): Promise<void> {
  const wasm = path.dirname(createRequire(path.resolve("package.json")).resolve("sql.js/dist/sql-wasm.wasm"));
  const log = { info: () => {}, error: (text: string) => console.error(text) };
  const { folder } = await registerProjectStore({ dataDir, root, log });
  const store = await openSessionStore(createStorage(folder), createAssets(wasm), systemClock, log);
  const content = new Content(1);
  for (let index = 0; index < SESSIONS; index++) {
    const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
    const startedAt = new Date(Date.UTC(2025, 0, 1, 0, index)).toISOString();
    const named = {
      id,
      startedAt,
      title: content.text(40),
      projectPath: root,
      model: "a-model",
      mode: "act" as const,
    };
    await store.import(named, content.session(id, MESSAGES), { endedAt: startedAt });
  }
  await addLongSession(store, root, plainFile);
  // As it is when the sessions came about one by one.
  const indexed = new Promise<void>((resolve) => {
    store.onIndexing(({ done, total }) => {
      if (done === total) resolve();
    });
  });
  await store.find(historyQuerySchema.parse({ text: content.text(20) }));
  await indexed;
  // Older messages are packed a part at a time.
  for (let times = 0; times < 12; times++) await store.checkpoint();
  await store.close();
}

/** Medians; beside each, that of the other extension's view in the same windows. */
function costs({ name, times }: Place): [string, CallCost][] {
  const median = (list: readonly number[] = []) => [...list].sort((a, b) => a - b)[list.length >> 1] ?? 0;
  return Object.entries(times).flatMap(([what, list]): [string, CallCost][] => {
    if (what.startsWith("bare: ")) return [];
    return [[`${name}${what}`, { ms: median(list), bareMs: median(times[bareOf(what)]) }]];
  });
}

/** What a row is compared with. */
function bareOf(what: string): string {
  if (what.startsWith("a session")) return "bare: open";
  if (what.startsWith("shown again")) return "bare: again";
  const [, when = "in a window that has started"] = /, (.*)$/.exec(what) ?? [];
  return `bare: first, ${when}`;
}

export function panelStartsText(starts: Record<string, CallCost>): string {
  const lines = Object.entries(starts).map(
    ([name, { ms, bareMs }]) =>
      `  ${name}: ${ms.toFixed(0)} ms, ${(ms / bareMs).toFixed(2)} times as long as in a bare view (${bareMs.toFixed(0)} ms)`,
  );
  return ["the panel in VS Code, from the press to the paint (medians)", ...lines].join("\n");
}
