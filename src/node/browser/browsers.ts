/** The `Browsers` port: finds a browser, starts it or connects to the user's own, and keeps every step within a time limit. */
import { Interrupt, messageOf, ToolError, throwIfAborted } from "../../core/errors.ts";
import type {
  BrowserLaunch,
  BrowserPage,
  Browsers,
  PageAction,
  PageState,
} from "../../core/ports/browser.ts";
import type { Log } from "../../core/ports/system.ts";
import { reasonOf } from "../../shared/reason.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import * as z from "../../shared/zod.ts";
import { within } from "../clock.ts";
import type { Lookup } from "../net/page-request.ts";
import { type BrowserProcess, startBrowser } from "./browser-process.ts";
import { faultOfBrowser, findBrowser } from "./find-browser.ts";
import type { PageDriver } from "./page-driver.ts";
import { isPrivateUrl, RequestRules, restrictionsOf } from "./request-rules.ts";

/** Milliseconds for starting a browser, for opening its first page, and for any later action. */
const START_MS = 15_000;
const OPEN_MS = 40_000;
const ACT_MS = 30_000;
/** Milliseconds for closing our page in the user's own browser. */
const LEAVE_MS = 1_000;

export interface BrowsersOptions {
  environment: NodeJS.ProcessEnv;
  /** The workspace's folders; read at each launch. */
  roots: readonly string[];
  log: Log;
  /** Replaced in tests. */
  resolve?: Lookup;
}

export function createBrowsers(options: BrowsersOptions): Browsers {
  return {
    isPrivate: (url) => isPrivateUrl(url, options.resolve),
    async launch(launch) {
      throwIfAborted(launch.signal);
      const page = await openPage(launch, options);
      try {
        return { page, state: await page.open(launch.url, launch.signal) };
      } catch (error) {
        await page.close();
        throw error;
      }
    },
  };
}

async function openPage(launch: BrowserLaunch, options: BrowsersOptions): Promise<OpenPage> {
  const { resolve } = options;
  const { privateHosts, mayRead, viewport } = launch;
  const rules = new RequestRules({ privateHosts, mayRead, ...(resolve ? { resolve } : {}) });
  const fail = (message: string) => new ToolError(message);
  // The bundle with the library for the debugging protocol loads with the first launch.
  const { openDriver } = await import("./page-driver.ts");
  if (launch.connect !== "") {
    const endpoint = await endpointOf(launch.connect);
    const driver = await inTime(
      openDriver({ source: { endpoint }, viewport, rules, fail, accept }),
      START_MS,
      launch.signal,
    );
    return new OpenPage(driver, undefined);
  }
  const process = await startBrowser({
    program: programFor(launch.path, options),
    viewport,
    restrictions: restrictionsOf(launch, options.environment),
    environment: options.environment,
    roots: options.roots,
    log: options.log,
  }).catch((error: unknown) => {
    throw new ToolError(`The browser did not start: ${messageOf(error)}`);
  });
  try {
    // A closed pipe ends both. The output of the program explains the reason better.
    const opening = openDriver({ source: process, viewport, rules, fail, accept }).catch(
      async (error: unknown) => {
        await within(process.ended, LEAVE_MS);
        throw error;
      },
    );
    const driver = await inTime(Promise.race([failedStart(process), opening]), START_MS, launch.signal);
    return new OpenPage(driver, process);
  } catch (error) {
    await process.stop(async () => {});
    throw error;
  }
}

/**
 * Chromium's headless shell, the only browser with this name, lets sockets and WebRTC calls of pages reach addresses that a
 * full browser blocks.
 */
function accept(version: string): void {
  if (!/^HeadlessChrome\//i.test(version)) return;
  const fault = reasonOf("headless-shell");
  throw new ToolError(`The browser cannot be used: ${reasonInEnglish(fault)}.`, fault);
}

async function failedStart({ ended }: BrowserProcess): Promise<never> {
  const printed = await ended;
  throw new ToolError(
    `The browser ended as soon as it started.${printed === "" ? "" : ` It printed: ${printed}`}`,
  );
}

function programFor(named: string, { environment, roots }: BrowsersOptions): string {
  if (named !== "") {
    const fault = faultOfBrowser(named, roots);
    if (fault === undefined) return named;
    throw new ToolError(
      `The browser in the setting nekode.browser.path cannot be used: ${fault} (${named}).`,
    );
  }
  const found = findBrowser({ environment, roots });
  if (found !== undefined) return found;
  throw new ToolError(
    "No browser was found. Tell the user to install Google Chrome, Chromium or Microsoft Edge, or to set nekode.browser.path to the path of one.",
  );
}

const versionSchema = z.object({ webSocketDebuggerUrl: z.url() });

/** The address of the debugging protocol of a browser that runs with `--remote-debugging-port`. */
async function endpointOf(address: string): Promise<string> {
  if (/^wss?:\/\//.test(address)) return address;
  try {
    const url = new URL("/json/version", address);
    const answer = await fetch(url, { redirect: "error", signal: AbortSignal.timeout(5_000) });
    return versionSchema.parse(await answer.json()).webSocketDebuggerUrl;
  } catch (error) {
    throw new ToolError(
      `No browser answers at ${address} (${messageOf(error)}). Tell the user to start theirs with --remote-debugging-port, or to clear the setting nekode.browser.connect.`,
    );
  }
}

class OpenPage implements BrowserPage {
  readonly #driver: PageDriver;
  /** undefined: the user's own browser. */
  readonly #process: BrowserProcess | undefined;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(driver: PageDriver, process: BrowserProcess | undefined) {
    this.#driver = driver;
    this.#process = process;
    void process?.ended.then(() => {
      this.#isClosed = true;
    });
  }

  get isOpen(): boolean {
    return !this.#isClosed && this.#driver.isOpen;
  }

  get url(): string {
    return this.#driver.url;
  }

  open(url: string, signal: AbortSignal): Promise<PageState> {
    return this.#bounded(() => this.#driver.open(url), OPEN_MS, signal);
  }

  act(action: PageAction, signal: AbortSignal): Promise<PageState> {
    return this.#bounded(() => this.#driver.act(action), ACT_MS, signal);
  }

  /** After an error that the model did not cause, the browser is closed, because its state is unknown. */
  async #bounded(work: () => Promise<PageState>, ms: number, signal: AbortSignal): Promise<PageState> {
    try {
      const ended = this.#process?.ended.then(() => {
        throw new ToolError("The browser ended unexpectedly. Launch it again.");
      });
      return await inTime(Promise.race([work(), ...(ended ? [ended] : [])]), ms, signal);
    } catch (error) {
      if (error instanceof Interrupt) throw error;
      await this.close();
      if (error instanceof ToolError) throw error;
      throw new ToolError(
        `The page does not respond, or the browser ended (${messageOf(error)}). The browser was closed; launch it again.`,
      );
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    const leave = () => this.#driver.close();
    if (this.#process) await this.#process.stop(leave);
    else await within(leave(), LEAVE_MS).catch(() => "gone");
  }
}

/** Rejects with Interrupt when `signal` aborts, and with ToolError after `ms` milliseconds. */
async function inTime<T>(work: Promise<T>, ms: number, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    onAbort = () => reject(new Interrupt());
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
  try {
    const result = await within(Promise.race([work, aborted]), ms);
    if (result !== "late") return result as T;
    throw new ToolError(`The browser did not respond within ${ms / 1000} s. It was closed; launch it again.`);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
