/** A page of the browser that shows one panel after the other, each as if the page were new. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import type { Transport } from "../../../src/shared/rpc.ts";

/** The other end of the panel. */
export interface PanelHost {
  attach(transport: Transport): void;
}

/** What one panel on the page reported, and where its messages go. */
class Shown {
  readonly strayRequests: string[] = [];
  readonly complaints: string[] = [];
  isOver = false;
  receive: (frame: unknown) => void = () => {};
}

/** What a page keeps beyond the document that it shows. */
const LASTING_OF_PAGE = [
  "addInitScript",
  "clock",
  "close",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "route",
  "setDefaultTimeout",
  "setExtraHTTPHeaders",
] as const;
const LASTING_OF_CONTEXT = [
  "addCookies",
  "addInitScript",
  "clearPermissions",
  "clock",
  "exposeBinding",
  "exposeFunction",
  "grantPermissions",
  "route",
  "setExtraHTTPHeaders",
  "setGeolocation",
  "setOffline",
] as const;

export class PanelTab {
  readonly page: Page;
  readonly #context: BrowserContext;
  /** A test did something to the page that a navigation does not undo. */
  #isChanged: boolean;
  /** What tests opened for commands of Chromium's own. */
  #sessions: CDPSession[] = [];
  #shown = new Shown();
  /** Of the document that is about to replace the current one, whose last messages are nobody's. */
  #next: Shown | undefined;

  /** `prepare` prepares the page before anything loads. */
  static async open(
    context: BrowserContext,
    origin: string,
    prepare?: (page: Page) => Promise<void>,
  ): Promise<PanelTab> {
    const page = await context.newPage();
    await prepare?.(page);
    const tab = new PanelTab(context, page, prepare !== undefined);
    await tab.#start(origin);
    return tab;
  }

  private constructor(context: BrowserContext, page: Page, isChanged: boolean) {
    this.#context = context;
    this.page = page;
    this.#isChanged = isChanged;
  }

  async #start(origin: string): Promise<void> {
    const { page } = this;
    page.on("framenavigated", (frame) => {
      if (!this.#next || frame !== page.mainFrame()) return;
      this.#shown = this.#next;
      this.#next = undefined;
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(origin) && !request.url().startsWith("data:"))
        this.#shown.strayRequests.push(request.url());
    });
    page.on("pageerror", (error) => this.#shown.complaints.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error") this.#shown.complaints.push(message.text());
    });
    await page.exposeFunction("sendToHost", (frame: unknown) => this.#shown.receive(frame));
    await page.addInitScript(() => {
      const api = {
        // What VS Code does too: the value is cloned on its way out.
        postMessage: (frame: unknown) => void Reflect.get(window, "sendToHost")(frame),
        getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null"),
        setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
      };
      Reflect.set(window, "acquireVsCodeApi", () => api);
    });
    const changed = () => {
      this.#isChanged = true;
    };
    onUse(page, LASTING_OF_PAGE, changed);
    onUse(this.#context, LASTING_OF_CONTEXT, changed);
    const newSession = this.#context.newCDPSession.bind(this.#context);
    this.#context.newCDPSession = async (target) => {
      const session = await newSession(target);
      this.#sessions.push(session);
      return session;
    };
  }

  /** Loads the panel at `url` with that host. */
  async show(host: PanelHost, url: string): Promise<Pick<Shown, "strayRequests" | "complaints">> {
    const shown = new Shown();
    this.#next = shown;
    host.attach({
      send: (frame) => {
        if (shown.isOver) return;
        this.page
          .evaluate((value) => window.postMessage(value, "*"), frame)
          .catch(() => {
            // The page went away under the frame: what a closed panel does.
          });
      },
      listen: (listener) => {
        shown.receive = listener;
        return () => {
          shown.receive = () => {};
        };
      },
    });
    await this.page.goto(url);
    return shown;
  }

  /** See `Panel`. */
  async leave(): Promise<boolean> {
    // Reports that were on their way arrive before the answer.
    if (!this.#isChanged) {
      await this.page.evaluate(() => {
        sessionStorage.clear();
        localStorage.clear();
        // The document may write its state when it is unloaded.
        Storage.prototype.setItem = () => {};
      });
    }
    this.#shown.isOver = true;
    this.#shown.receive = () => {};
    const sessions = this.#sessions;
    this.#sessions = [];
    // A session that its test has detached is detached.
    await Promise.all(sessions.map((session) => session.detach().catch(() => undefined)));
    return !this.#isChanged;
  }

  /** The size of the window, and the mouse where nothing is. */
  async resize(size: { width: number; height: number }): Promise<void> {
    await this.page.mouse.move(0, 0);
    const now = this.page.viewportSize();
    if (now?.width !== size.width || now.height !== size.height) await this.page.setViewportSize(size);
  }

  async close(): Promise<void> {
    await this.#context.close();
  }
}

/** Calls `used` whenever one of these members is read. */
function onUse<T extends object>(target: T, names: readonly (keyof T)[], used: () => void): void {
  for (const name of names) {
    const value = target[name];
    Object.defineProperty(target, name, {
      get() {
        used();
        return value;
      },
    });
  }
}
