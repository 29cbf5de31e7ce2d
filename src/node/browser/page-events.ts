/** Collects what happens in pages between two actions: console, network, dialogs, downloads. Limited in number and length. */

import type { PageEvent } from "../../core/ports/browser.ts";
import type { Page } from "./puppeteer.ts";

const MAX_EVENTS = 40;
const MAX_LENGTH = 400;
/** Requests that Nekode refused, which are reported elsewhere, and ordinary cancellations, which are not failures. */
const EXPECTED_FAILURES = /ERR_ABORTED|ERR_BLOCKED_BY_CLIENT/;

export class PageEvents {
  #events: PageEvent[] = [];
  #more = 0;

  add(kind: PageEvent["kind"], text: string, isProblem = kind === "network" || kind === "refused"): void {
    const line = text.replace(/\s+/g, " ").trim();
    const bounded = line.length > MAX_LENGTH ? `${line.slice(0, MAX_LENGTH)}…` : line;
    const event = { kind, text: bounded, ...(isProblem ? { isProblem } : {}) };
    const last = this.#events.at(-1);
    if (last?.kind === kind && last.text === event.text) return;
    if (this.#events.length < MAX_EVENTS) this.#events.push(event);
    else this.#more += 1;
  }

  /** Returns and clears the events so far. */
  take(): { events: PageEvent[]; moreEvents: number } {
    const collected = { events: this.#events, moreEvents: this.#more };
    this.#events = [];
    this.#more = 0;
    return collected;
  }

  watch(page: Page): void {
    page.on("console", (message) => {
      const { url, lineNumber } = message.location();
      const text = message.text();
      // Hints of the browser, and what the network event reports with the address and the status.
      if (message.type() === "verbose" || text.startsWith("Failed to load resource:")) return;
      const place = url ? ` (${url}${lineNumber === undefined ? "" : `:${lineNumber + 1}`})` : "";
      const type = message.type();
      const isProblem = type === "error" || type === "warn" || type === "assert";
      this.add("console", `${type}: ${text}${place}`, isProblem);
    });
    page.on("pageerror", (error) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.add("console", `uncaught ${text.split("\n").slice(0, 2).join(" ")}`, true);
    });
    page.on("requestfailed", (request) => {
      const { errorText = "failed" } = request.failure() ?? {};
      if (!EXPECTED_FAILURES.test(errorText))
        this.add("network", `${request.method()} ${request.url()}: ${errorText}`);
    });
    page.on("response", (response) => {
      const status = response.status();
      if (status < 400 || new URL(response.url()).pathname === "/favicon.ico") return;
      const words = `${status} ${response.statusText()}`.trim();
      this.add("network", `${response.request().method()} ${response.url()}: ${words}`);
    });
  }
}
