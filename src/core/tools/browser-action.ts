/**
 * Controls a browser. When it asks: a launch asks, unless the settings approve web access; an address on this machine or a
 * private network always asks, unless the settings list its host, and so does each site in the user's own browser. The user's
 * approval of a launch covers the site (scheme, host and port) for the rest of the task: clicks, text and further launches
 * there do not ask again. On another site, to which a click or a redirect led, the next click asks. A private address that was
 * not the target of an approved launch is not opened at all, however a page leads there; the model must launch it, which asks.
 * Plan mode asks every time.
 */
import * as z from "../../shared/zod.ts";
import { ToolError } from "../errors.ts";
import { isNamed } from "../page-address.ts";
import type { PageAction, PageState } from "../ports/browser.ts";
import { filePath, siteOf, webAddress } from "./browser/launch-address.ts";
import { pageNames, pageReport } from "./browser/page-report.ts";
import { defineTool, type Invocation, type SiteUse, type ToolContext, type ToolOutput } from "./tool.ts";

const VIEWPORT = { width: 900, height: 600 };
/** Maximum number of problems of a page that the row lists. */
const SHOWN_PROBLEMS = 10;
const ACTIONS = ["launch", "click", "type", "scroll_down", "scroll_up", "close"] as const;
const NOT_OPEN =
  "No browser is open: it was not launched, or it closed when a turn ended or was stopped. Start with the action launch and a url.";

const schema = z.object({
  action: z.enum(ACTIONS),
  url: z.optional(z.string()).check(z.describe("For launch: http://, https://, or file:// in the project.")),
  coordinate: z.optional(z.string()).check(z.describe("For click: x,y such as 450,300.")),
  text: z.optional(z.string()).check(z.describe("For type. A line break presses Enter.")),
});
type Params = z.output<typeof schema>;

export const browserAction = defineTool({
  name: "browser_action",
  needs: "browser",
  oncePerMessage: true,
  presentation: {
    icon: "globe",
    title: { doing: "Using the browser", done: "Used the browser" },
    titles: {
      launch: { doing: "Opening", done: "Opened" },
      click: { doing: "Clicking at", done: "Clicked at" },
      type: { doing: "Typing", done: "Typed" },
      scroll_down: { doing: "Scrolling down", done: "Scrolled down" },
      scroll_up: { doing: "Scrolling up", done: "Scrolled up" },
      close: { doing: "Closing the browser", done: "Closed the browser" },
    },
    counted: ["launch"],
    row: "tool",
    question: "Use the browser?",
    approve: "Allow",
  },
  access: "web",
  description: `Controls a browser of ${VIEWPORT.width}x${VIEWPORT.height} pixels. Every action except close returns a screenshot, the elements' coordinates and the log.
- Launch first, close last. For another address, close and launch again.
- One action per message, and no other tool until close.
- Click an element's center. To fill a field, click it, then type.`,
  guide: {
    description: `Controls a browser whose window is ${VIEWPORT.width}x${VIEWPORT.height} pixels. Use it to look at websites, local servers and HTML files, such as a page that you changed. Every action except close returns a screenshot, the coordinates of elements and the page's log.
- Launch first, close last. For another address, close and launch again.
- Call one action in a message, and no other tool until close.
- Click the center of an element. To fill in a field, click it, then type.`,
    params: {
      action:
        "launch opens url; click clicks at coordinate; type enters text; scroll_down and scroll_up move by one window; close ends the browser.",
      url: "For launch: an address with http:// or https://, or file:// for an HTML file of the project.",
      coordinate: "For click: x,y in pixels, such as 450,300.",
      text: "For type: the text to enter. A line break in it presses Enter.",
    },
  },
  schema,
  subject: subjectOf,
  excludesOthers: ({ browser }) =>
    browser.page
      ? "Not run: the browser is open, and only browser_action can be used until it is closed. Close it with the action close, then send this call again."
      : undefined,
  ability: "Check pages that you changed with browser_action.",
  async prepare(params, context) {
    const { action } = params;
    switch (action) {
      case "launch":
        return launch(params, context);
      case "close":
        return close(context);
      case "click":
        return act(params, context, clickOf(params));
      case "type": {
        const { text = "" } = params;
        if (text === "") throw new ToolError("type needs the parameter text: what to type.");
        return act(params, context, { type: "type", text });
      }
      case "scroll_down":
      case "scroll_up":
        return act(
          params,
          context,
          { type: "scroll", direction: action === "scroll_up" ? "up" : "down" },
          true,
        );
    }
  },
});

function subjectOf({ action, url, coordinate, text }: Readonly<Record<string, unknown>>): string {
  if (typeof action !== "string") return "";
  const detail = { launch: url, click: coordinate, type: text }[action];
  return typeof detail === "string" ? `${action} ${detail}` : action;
}

function clickOf({ coordinate = "" }: Params): Extract<PageAction, { type: "click" }> {
  const [, x, y] = /^\s*[([]?\s*(\d+(?:\.\d+)?)\s*[, ]\s*(\d+(?:\.\d+)?)\s*[)\]]?\s*$/.exec(coordinate) ?? [];
  if (x === undefined || y === undefined) {
    throw new ToolError(
      `click needs the parameter coordinate as x,y, such as 450,300; ${JSON.stringify(coordinate)} is not.`,
    );
  }
  const at = { x: Math.round(Number(x)), y: Math.round(Number(y)) };
  if (at.x >= VIEWPORT.width || at.y >= VIEWPORT.height) {
    throw new ToolError(
      `${at.x},${at.y} is outside of the window of ${VIEWPORT.width}x${VIEWPORT.height}. Scroll to what is further down.`,
    );
  }
  return { type: "click", ...at };
}

async function launch({ url: named }: Params, context: ToolContext): Promise<Invocation> {
  const { browser, settings } = context;
  if (browser.page) {
    throw new ToolError(
      `The browser is already open, at ${browser.page.url}. Close it first; then launch it at the other address.`,
    );
  }
  const url = webAddress(named);
  const path = filePath(url);
  const reason = path === undefined ? undefined : await context.unreadable(path);
  if (reason !== undefined) throw new ToolError(`${url} cannot be opened: ${reason}.`);
  const { privateHosts } = settings().approval;
  const isPrivate =
    path === undefined && !isNamed(new URL(url), privateHosts) && (await browser.isPrivate(url));
  const site = siteUse(siteOf(url), isPrivate, context);
  return {
    paths: [],
    site,
    view: { url },
    async run({ signal }) {
      grant(site, context);
      const { path: program, connect } = settings().browser;
      const state = await browser.launch({
        url,
        path: program,
        connect,
        viewport: VIEWPORT,
        signal,
        privateHosts: [...privateHosts, ...browser.privateHosts],
        mayRead: async (each) => (await context.unreadable(each)) === undefined,
      });
      return output(state, context, undefined);
    },
  };
}

function act(params: Params, context: ToolContext, action: PageAction, isHarmless = false): Invocation {
  const { browser } = context;
  const url = browser.page?.url;
  if (url === undefined) throw new ToolError(NOT_OPEN);
  // The page is displayed, so its address was allowed.
  const site = siteUse(siteOf(url), false, context);
  return {
    paths: [],
    site: isHarmless ? { ...site, standing: "harmless" } : site,
    // The terminal shows the text; the panel shows the same as the subject of the row.
    view: { url, text: subjectOf(params) },
    async run({ signal }) {
      const { page } = browser;
      if (!page) throw new ToolError(NOT_OPEN);
      // The action was judged for that site.
      if (!isHarmless && siteOf(page.url) !== site.name) {
        throw new ToolError(
          `Nothing was done: the page moved to ${page.url} meanwhile. Scroll to look at it.`,
        );
      }
      if (!isHarmless) grant(site, context);
      return output(await page.act(action, signal), context, action);
    },
  };
}

async function close({ browser }: ToolContext): Promise<Invocation> {
  const url = browser.page?.url;
  if (url === undefined) throw new ToolError(NOT_OPEN);
  return {
    paths: [],
    site: { name: siteOf(url), isPrivate: false, standing: "harmless" },
    view: {},
    async run() {
      await browser.close();
      return { parts: [{ type: "text", text: "The browser is closed. Other tools can be used again." }] };
    },
  };
}

function siteUse(name: string, isPrivate: boolean, { browser, settings }: ToolContext): SiteUse {
  return {
    name,
    isPrivate,
    isOwnBrowser: settings().browser.connect !== "",
    ...(browser.isGranted(name, isPrivate) ? { standing: "granted" as const } : {}),
  };
}

/** Stores only approvals of the user. An approval by the settings ends when the setting changes. */
function grant({ name, isPrivate, isOwnBrowser }: SiteUse, { browser, settings }: ToolContext): void {
  if (isPrivate || isOwnBrowser || !settings().approval.web) browser.grant(name, isPrivate);
}

function output(state: PageState, context: ToolContext, action: PageAction | undefined): ToolOutput {
  const sees = context.seesImages();
  const { screenshot } = state;
  const { title, url } = pageNames(state);
  const text = pageReport(state, VIEWPORT, sees);
  const about = title === "" ? url : `${title} (${url})`;
  const mark = action?.type === "click" ? { mark: { x: action.x, y: action.y } } : {};
  const problems = state.events.filter(({ isProblem }) => isProblem).slice(0, SHOWN_PROBLEMS);
  return {
    parts: [
      { type: "text", text: sees ? `${text}\nThe screenshot:` : text },
      ...(sees ? [{ type: "image" as const, ...screenshot }] : []),
    ],
    ...(sees ? {} : { pictures: [screenshot] }),
    shown: {
      ...(problems.length > 0 ? { text: problems.map((problem) => problem.text).join("\n") } : {}),
      pictures: [{ ...VIEWPORT, about, ...mark }],
    },
  };
}
