/**
 * The port for a browser that the agent controls. Pages run in a process of their own. Coordinates are CSS pixels from
 * the upper left corner of the viewport.
 */

export interface BrowserLaunch {
  /** The first address: http, https, or file. */
  url: string;
  /** Path of the program; empty: the browser that is installed. */
  path: string;
  /** Debugging address of a running browser to use instead; empty: a browser is started, with a fresh profile. */
  connect: string;
  viewport: { width: number; height: number };
  /**
   * Hosts on this machine or a private network that pages may be opened from, such as `localhost:3000` or `intranet`. All
   * other private addresses are refused, including those that a page redirects to or requests.
   */
  privateHosts: readonly string[];
  /** Whether pages may read this absolute path. */
  mayRead(path: string): Promise<boolean>;
  signal: AbortSignal;
}

export type PageAction =
  | { type: "click"; x: number; y: number }
  | { type: "type"; text: string }
  /** By one viewport height. */
  | { type: "scroll"; direction: "up" | "down" };

/** Something that happened in the page since the last action. */
export interface PageEvent {
  /**
   * console: a message or an uncaught error. network: a failed request or an error status. refused: a request that is not
   * allowed. page: a new tab, a dialog, a download, a page that still loads.
   */
  kind: "console" | "network" | "refused" | "page";
  text: string;
  /** An error, a warning, or a failed or refused request. */
  isProblem?: boolean;
}

/** An element of the accessibility tree that is in the viewport. */
export interface PageElement {
  role: string;
  name: string;
  value?: string;
  /** Such as `disabled`, `checked`, `focused`, `level 2`. */
  states: readonly string[];
  /** The center of its visible part. */
  x: number;
  y: number;
}

export interface PageState {
  url: string;
  title: string;
  screenshot: { mimeType: string; data: string };
  elements: readonly PageElement[];
  /** Number of elements in view that are not listed, and of those above and below the viewport. */
  more: { inView: number; above: number; below: number };
  /** The text of the whole page, limited in length. */
  text: string;
  scroll: { top: number; height: number };
  events: readonly PageEvent[];
  /** Number of further events that are not listed. */
  moreEvents: number;
}

/** An open browser. After an error that ended it, `isOpen` is false. */
export interface BrowserPage {
  readonly isOpen: boolean;
  /** The address of the page now. */
  readonly url: string;
  /**
   * Performs the action, waits until the page settles, and describes it. Rejects with ToolError if the browser ended or
   * the page does not respond, and with Interrupt when `signal` aborts.
   */
  act(action: PageAction, signal: AbortSignal): Promise<PageState>;
  /** Ends the browser; one that was connected to only closes our page. Resolves within two seconds, and never rejects. */
  close(): Promise<void>;
}

export interface Browsers {
  /**
   * Whether a page at this address would come from this machine or a private network: by its name, its address, or an
   * address that its name resolves to.
   */
  isPrivate(url: string): Promise<boolean>;
  /**
   * Opens a page and describes it. Rejects with ToolError if no browser was found, it does not start, or the address
   * cannot be opened; no process is left then.
   */
  launch(options: BrowserLaunch): Promise<{ page: BrowserPage; state: PageState }>;
}
