/** Pages of the web, and HTTP to the model's endpoint. */
import type { TextBounds } from "./text-bounds.ts";

export interface Web {
  /**
   * A page as Markdown. http and https only; private, loopback and link-local addresses are refused unless the person
   * allowed the host, at each redirect anew. `url` is where it was found. Rejects with ToolError, with Interrupt when
   * `signal` aborts.
   */
  fetch(
    url: string,
    options: TextBounds & { timeoutMs: number; allowedHosts?: readonly string[] },
  ): Promise<{ url: string; title: string; text: string }>;
}

/** HTTP, as the runtime's own `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
