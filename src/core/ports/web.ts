/** The ports for web pages and for HTTP to the model's endpoint. */
import type { TextBounds } from "./text-bounds.ts";

export interface Web {
  /**
   * Returns a page as Markdown. Accepts only http and https. Refuses private, loopback and link-local addresses, unless
   * the user allowed the host; each redirect is checked again. `url` is the page's final address. Rejects with
   * ToolError, and with Interrupt when `signal` aborts.
   */
  fetch(
    url: string,
    options: TextBounds & { timeoutMs: number; allowedHosts?: readonly string[] },
  ): Promise<{ url: string; title: string; text: string }>;
}

/** Has the signature of the runtime's own `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
