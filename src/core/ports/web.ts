/** The ports for web pages and for HTTP to the model's endpoint. */
import type { Disposable } from "../lifecycle.ts";

/** A page or a document as text. */
export interface Page {
  /** The final address, after redirects. */
  url: string;
  /** "": it has none. */
  title: string;
  /** Markdown for a page; otherwise the text itself. */
  text: string;
  /** The rest was too large and is not available. */
  isPart?: boolean;
}

export interface Web {
  /**
   * Returns a page, a PDF file, JSON or another text. Accepts only http and https. Refuses private, loopback and
   * link-local addresses unless `allowedHosts` names the host, with or without its port; each redirect is checked again.
   * Rejects with ToolError, and with Interrupt when `signal` aborts.
   */
  fetch(
    url: string,
    options: {
      /** Characters. */
      limit: number;
      signal: AbortSignal;
      timeoutMs: number;
      allowedHosts?: readonly string[];
    },
  ): Promise<Page>;
}

/** One result of a web search. */
export interface WebSearchHit {
  title: string;
  url: string;
  snippet: string;
}

/** A search provider, as the user configured it. */
export interface SearchProvider {
  name: string;
  /** The URL of the request for `query`. It contains no key. */
  address(query: string, count: number): string;
  /** The best hits first. Rejects with ToolError, and with Interrupt when `signal` aborts. */
  search(query: string, options: { count: number; signal: AbortSignal }): Promise<WebSearchHit[]>;
}

export interface SearchProviders {
  /** The same object until the configuration changes; undefined: none is configured. */
  current(): Promise<SearchProvider | undefined>;
  onChange(listener: () => void): Disposable;
}

/** Has the signature of the runtime's own `fetch`. */
export type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;
