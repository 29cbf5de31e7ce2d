/** A page of the browser that shows one panel after the other, each as if the page were new. */
import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { z } from "zod";
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
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }
}

/** What the page sends: the path of the document that sends it, and the frame. */
const sentSchema = z.tuple([z.string(), z.unknown()]);

/** Name of the function that the page has for its messages. */
const BINDING = "sendToHost";

/** What a page keeps beyond the document that it shows. */
const LASTING_OF_PAGE = [
  "addInitScript",
  "clock",
  "close",
  "emulateMedia",
  "exposeBinding",
  "exposeFunction",
  "setExtraHTTPHeaders",
] as const;
/** What a page keeps until it is left. */
const UNDONE_OF_PAGE = ["route", "setDefaultTimeout"] as const;
/** Of Playwright, in milliseconds. */
const DEFAULT_TIMEOUT = 30_000;
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
  /** Carries the frames: the page's `evaluate` and functions exposed to it wrap, trace and answer each. */
  readonly #wire: CDPSession;
  /** A test did something to the page that a navigation does not undo. */
  #isChanged: boolean;
  /** A test did something to the page that is undone when it is left. */
  #isToUndo = false;
  /** What tests opened for commands of Chromium's own. */
  #sessions: CDPSession[] = [];
  #shown = new Shown("");
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
    const tab = new PanelTab(context, page, await context.newCDPSession(page), prepare !== undefined);
    await tab.#start(origin);
    return tab;
  }

  private constructor(context: BrowserContext, page: Page, wire: CDPSession, isChanged: boolean) {
    this.#context = context;
    this.page = page;
    this.#wire = wire;
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
    this.#wire.on("Runtime.bindingCalled", ({ name, payload }) => {
      if (name !== BINDING) return;
      const [path, frame] = sentSchema.parse(JSON.parse(payload));
      for (const shown of [this.#shown, this.#next]) if (shown?.path === path) shown.receive(frame);
    });
    await this.#wire.send("Runtime.enable");
    await this.#wire.send("Runtime.addBinding", { name: BINDING });
    await page.addInitScript((binding) => {
      const send = Reflect.get(window, binding);
      const api = {
        // What VS Code does too: the value is cloned on its way out.
        postMessage: (frame: unknown) => send(JSON.stringify([location.pathname, frame])),
        getState: (): unknown => JSON.parse(sessionStorage.getItem("state") ?? "null"),
        setState: (state: unknown) => sessionStorage.setItem("state", JSON.stringify(state)),
      };
      Reflect.set(window, "acquireVsCodeApi", () => api);
    }, BINDING);
    const changed = () => {
      this.#isChanged = true;
    };
    onUse(page, LASTING_OF_PAGE, changed);
    onUse(this.#context, LASTING_OF_CONTEXT, changed);
    onUse(page, UNDONE_OF_PAGE, () => {
      this.#isToUndo = true;
    });
    const newSession = this.#context.newCDPSession.bind(this.#context);
    this.#context.newCDPSession = async (target) => {
      const session = await newSession(target);
      this.#sessions.push(session);
      return session;
    };
  }

  /** Loads the panel at `url` with that host. */
  async show(host: PanelHost, url: string): Promise<Pick<Shown, "strayRequests" | "complaints">> {
    const shown = new Shown(new URL(url).pathname);
    this.#next = shown;
    this.#connect(host, shown);
    await this.page.goto(url);
    return shown;
  }

  /** Gives the panel that is shown to another host, which tells it all that it has to show. */
  async pass(host: PanelHost): Promise<Pick<Shown, "strayRequests" | "complaints">> {
    const { path } = this.#shown;
    this.#release();
    await this.#undo();
    this.#shown = new Shown(path);
    this.#connect(host, this.#shown);
    return this.#shown;
  }

  #connect(host: PanelHost, shown: Shown): void {
    host.attach({
      send: (frame) => {
        if (shown.isOver) return;
        this.#wire
          .send("Runtime.evaluate", { expression: `window.postMessage(${JSON.stringify(frame)}, "*")` })
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
    this.#release();
    await this.#undo();
    return !this.#isChanged;
  }

  /** Takes the page from its host. */
  #release(): void {
    this.#shown.isOver = true;
    this.#shown.receive = () => {};
  }

  /** Undoes what a test did to the page, as far as that can be undone. */
  async #undo(): Promise<void> {
    const sessions = this.#sessions;
    this.#sessions = [];
    // A session that its test has detached is detached.
    await Promise.all(sessions.map((session) => session.detach().catch(() => undefined)));
    if (!this.#isToUndo) return;
    await this.page.unrouteAll();
    this.page.setDefaultTimeout(DEFAULT_TIMEOUT);
    this.#isToUndo = false;
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
