/**
 * Drives one page over the debugging protocol. A bundle of its own with puppeteer-core, loaded when a browser is first
 * launched. Throws errors made by `fail`, because an error class of another bundle would be another class.
 */
import type { Readable, Writable } from "node:stream";
import type { PageAction, PageState } from "../../core/ports/browser.ts";
import { within } from "../clock.ts";
import { elementsOf } from "./page-elements.ts";
import { PageEvents } from "./page-events.ts";
import {
  type CDPSession,
  type CdpBrowser,
  connectToBrowser,
  type Dialog,
  NodeWebSocketTransport,
  type Page,
  PipeTransport,
} from "./puppeteer.ts";
import { guardRequests } from "./request-guard.ts";
import type { RequestRules } from "./request-rules.ts";

/** Milliseconds for one command of the debugging protocol; a page that hangs answers none. */
const COMMAND_MS = 10_000;
/** Milliseconds for opening the first address. */
const LOAD_MS = 20_000;
/** Milliseconds without network traffic after which a page counts as settled, and the longest wait for that. */
const QUIET_MS = 300;
const SETTLE_MS = 5_000;
/** Milliseconds for a tab to open that its page has announced; the browser may still block it. */
const TAB_MS = 3_000;
/** Milliseconds for the end of a tab to be reported after its page has stopped answering. */
const CLOSE_MS = 500;
/** Longer text is inserted at once, without a key event for each character. */
const TYPED_LENGTH = 200;
const JPEG_QUALITY = 80;
const TEXT_LENGTH = 20_000;

export interface DriverOptions {
  /** The pipes of a browser that was started for this page, or the address of the user's own. */
  source: { write: Writable; read: Readable } | { endpoint: string };
  viewport: { width: number; height: number };
  rules: RequestRules;
  /** Makes the error that is thrown for the model. */
  fail(message: string): Error;
  /** Throws if a browser of this name and version cannot be used, such as `Chrome/130.0.6723.58`. */
  accept(version: string): void;
}

/** Rejects if the browser does not answer, or is not accepted. */
export async function openDriver(options: DriverOptions): Promise<PageDriver> {
  const { source, viewport } = options;
  const transport =
    "endpoint" in source
      ? await NodeWebSocketTransport.create(source.endpoint)
      : new PipeTransport(source.write, source.read);
  const browser = await connectToBrowser(transport, "", {
    defaultViewport: viewport,
    protocolTimeout: COMMAND_MS,
  });
  try {
    options.accept(await browser.version());
  } catch (error) {
    await browser.disconnect();
    throw error;
  }
  const driver = new PageDriver(browser, options);
  await driver.start();
  return driver;
}

export class PageDriver {
  readonly #browser: CdpBrowser;
  readonly #options: DriverOptions;
  readonly #events = new PageEvents();
  /** The open pages, the one in front last. */
  #pages: Page[] = [];
  /** Pages that were announced, or opened and are being prepared. */
  #opening = new Set<Promise<unknown>>();
  #crashed = false;

  constructor(browser: CdpBrowser, options: DriverOptions) {
    this.#browser = browser;
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#browser.connected && !this.#crashed && this.#pages.length > 0;
  }

  get url(): string {
    return this.#pages.at(-1)?.url() ?? "about:blank";
  }

  get #isOwn(): boolean {
    return !("endpoint" in this.#options.source);
  }

  async start(): Promise<void> {
    const whole = await this.#browser.target().createCDPSession();
    if (this.#isOwn) await this.#guard(whole);
    await whole.send("Browser.setDownloadBehavior", {
      // In the user's own browser, only downloads of our page are canceled.
      behavior: this.#isOwn ? "deny" : "default",
      eventsEnabled: true,
    });
    whole.on("Browser.downloadWillBegin", ({ guid, url, suggestedFilename, frameId }) => {
      if (
        !this.#isOwn &&
        !this.#pages.some((page) => page.frames().some((frame) => frameIdOf(frame) === frameId))
      )
        return;
      this.#events.add("page", `a download was refused: ${suggestedFilename} from ${url}`);
      if (!this.#isOwn) whole.send("Browser.cancelDownload", { guid }).catch(ignoreEnded);
    });
    const [first] = this.#isOwn ? await this.#browser.pages() : [];
    await this.#adopt(first ?? (await this.#browser.newPage()));
  }

  #guard(session: CDPSession): Promise<void> {
    return guardRequests(session, {
      rules: this.#options.rules,
      page: () => this.url,
      refused: (url, why, isDocument) =>
        this.#events.add(
          "refused",
          isDocument
            ? `${url} was not opened, because ${why}. To visit it, close the browser and launch it there; the user decides.`
            : `a request to ${url}, because ${why}`,
        ),
    });
  }

  async #adopt(page: Page): Promise<void> {
    this.#pages.push(page);
    this.#events.watch(page);
    page.on("dialog", (dialog) => void this.#answer(dialog));
    page.on("error", () => {
      this.#crashed = true;
    });
    page.on("popup", (popup) => {
      if (popup) this.#awaited(this.#follow(popup));
    });
    page.on("close", () => {
      this.#pages = this.#pages.filter((each) => each !== page);
    });
    const session = await page.createCDPSession();
    // Comes before the answer to the click that opens a tab; the tab itself can take longer than a page takes to settle.
    session.on("Page.windowOpen", () =>
      this.#awaited(within(new Promise((resolve) => page.once("popup", resolve)), TAB_MS)),
    );
    await session.send("Page.enable");
    if (!this.#isOwn) await this.#guard(session);
    await page.setViewport(this.#options.viewport);
  }

  #awaited(work: Promise<unknown>): void {
    const opening = work.finally(() => this.#opening.delete(opening));
    this.#opening.add(opening);
  }

  async #follow(popup: Page): Promise<void> {
    try {
      await this.#adopt(popup);
      this.#events.add("page", `a new tab opened and is in front now: ${popup.url()}`);
    } catch (error) {
      // The tab closed immediately.
      ignoreEnded(error);
    }
  }

  /** Answers dialogs so that the page continues. */
  async #answer(dialog: Dialog): Promise<void> {
    const accepts = dialog.type() === "alert" || dialog.type() === "beforeunload";
    this.#events.add(
      "page",
      `${dialog.type()} dialog ${JSON.stringify(dialog.message())} was ${accepts ? "accepted" : "dismissed"}`,
    );
    await (accepts ? dialog.accept() : dialog.dismiss()).catch(ignoreEnded);
  }

  /** Opens an address. Rejects with `fail` if it cannot be opened. */
  async open(url: string): Promise<PageState> {
    const page = this.#front();
    try {
      const response = await page.goto(url, { waitUntil: "load", timeout: LOAD_MS });
      const status = response?.status() ?? 0;
      if (status >= 400) this.#events.add("page", `the address answered with status ${status}`);
    } catch (error) {
      if (!isTimeout(error)) {
        const { events } = this.#events.take();
        const refused = events.find(({ kind }) => kind === "refused");
        throw this.#options.fail(
          `${url} could not be opened: ${refused?.text ?? reasonOf(error)}.${refused ? "" : hintFor(error)}`,
        );
      }
      this.#events.add("page", `the page did not finish loading within ${LOAD_MS / 1000} s`);
    }
    return this.#settled();
  }

  async act(action: PageAction): Promise<PageState> {
    const page = this.#front();
    switch (action.type) {
      case "click":
        await page.mouse.click(action.x, action.y);
        break;
      case "type":
        await type(page, action.text);
        break;
      case "scroll": {
        const { width, height } = this.#options.viewport;
        await page.mouse.move(width / 2, height / 2);
        await page.mouse.wheel({ deltaY: action.direction === "down" ? height : -height });
      }
    }
    return this.#settled();
  }

  async #settled(): Promise<PageState> {
    for (;;) {
      const before = this.#front();
      await this.#quiet(before);
      while (this.#opening.size > 0) await Promise.all(this.#opening);
      const page = this.#front();
      if (page !== before) await this.#quiet(page);
      try {
        return await this.#stateOf(page);
      } catch (error) {
        // A tab that closes itself disappears before its end is reported. The previous tab is in front then.
        if (!(await this.#closes(page)) || !this.isOpen) throw error;
      }
    }
  }

  /** Whether the page is closed, or closes at once. */
  async #closes(page: Page): Promise<boolean> {
    if (page.isClosed()) return true;
    return (await within(new Promise((resolve) => page.once("close", resolve)), CLOSE_MS)) !== "late";
  }

  async #stateOf(page: Page): Promise<PageState> {
    const session = await page.createCDPSession();
    try {
      const { cssLayoutViewport, cssContentSize } = await session.send("Page.getLayoutMetrics");
      const data = await page.screenshot({
        type: "jpeg",
        quality: JPEG_QUALITY,
        encoding: "base64",
        captureBeyondViewport: false,
        optimizeForSpeed: true,
      });
      return {
        url: page.url(),
        title: await page.title(),
        screenshot: { mimeType: "image/jpeg", data },
        ...(await elementsOf(session, this.#options.viewport)),
        text: await textOf(page),
        scroll: { top: Math.round(cssLayoutViewport.pageY), height: Math.round(cssContentSize.height) },
        ...this.#events.take(),
      };
    } finally {
      session.detach().catch(ignoreEnded);
    }
  }

  /** Waits until the page loads nothing more; a page that always loads something is not waited for long. */
  async #quiet(page: Page): Promise<void> {
    try {
      await page.waitForNetworkIdle({ idleTime: QUIET_MS, timeout: SETTLE_MS });
    } catch (error) {
      if (page.isClosed()) return;
      if (!isTimeout(error)) throw error;
      this.#events.add("page", "the page is still loading something");
    }
  }

  #front(): Page {
    const page = this.#pages.at(-1);
    if (!page || !this.isOpen) throw new Error("the browser is closed");
    return page;
  }

  /** Asks a browser of our own to end; in the user's own, closes our pages. */
  async close(): Promise<void> {
    if (this.#isOwn) await this.#browser.close();
    else {
      await Promise.all(this.#pages.map((page) => page.close({ runBeforeUnload: false }).catch(ignoreEnded)));
      await this.#browser.disconnect();
    }
  }
}

/** A line break presses Enter, a tab the tab key. */
async function type(page: Page, text: string): Promise<void> {
  for (const piece of text.split(/(\r?\n|\t)/)) {
    if (piece === "\t") await page.keyboard.press("Tab");
    else if (/^\r?\n$/.test(piece)) await page.keyboard.press("Enter");
    else if (piece.length > TYPED_LENGTH) await page.keyboard.sendCharacter(piece);
    else if (piece !== "") await page.keyboard.type(piece);
  }
}

async function textOf(page: Page): Promise<string> {
  const text: unknown = await page.evaluate(
    // biome-ignore lint/performance/useDomNodeTextContent: the text that is visible, as it is laid out
    (length) => document.body?.innerText.slice(0, length),
    TEXT_LENGTH,
  );
  return typeof text === "string" ? text.slice(0, TEXT_LENGTH) : "";
}

/** Also the id of the frame's target in download events. */
function frameIdOf(frame: object): unknown {
  return Reflect.get(frame, "_id");
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return /net::(\w+)/.exec(text)?.[1] ?? text;
}

function hintFor(error: unknown): string {
  return /ERR_CONNECTION_REFUSED/.test(reasonOf(error))
    ? " Nothing answers there: check that the server runs, and on which port."
    : "";
}

/** The browser or the page ended meanwhile, which the next action reports. */
function ignoreEnded(_error: unknown): void {}
