/** The built panel in a real browser, served on loopback under the content security policy that VS Code's host sets. */
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import { extname, join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { bundles } from "../../../esbuild.mjs";
import { CHROMIUM_FLAGS, ensureTestBrowser } from "../../../scripts/lib/chromium.mjs";
import { buildBundle } from "../../../scripts/lib/joined-chunks.mjs";
import type { Boot } from "../../../src/shared/protocol.ts";
import { pageHtml } from "../../../src/vscode/panel/page.ts";
import { type PanelHost, PanelTab } from "./panel-tab.ts";
import { THEMES, type ThemeName } from "./themes.ts";

/** Where the server has axe, which checks pages. */
export const AXE_PATH = "/axe.min.js";
const NONCE = "nonce-of-the-test-page";
const TYPES: Readonly<Record<string, string>> = { ".js": "text/javascript", ".css": "text/css" };

/** No page lives long enough for the optimizing compilers of V8 to pay for themselves. */
const SHORT_LIVED = "--no-maglev --no-turbofan";

export interface PanelOptions {
  host: PanelHost;
  width?: number;
  height?: number;
  theme?: ThemeName;
  boot?: Boot;
  /** On a page that had no panel before. */
  isNew?: boolean;
  /** Prepares the page before anything loads. */
  prepare?: (page: Page) => Promise<void>;
}

export interface Panel {
  page: Page;
  /** Addresses that the page asked for and that are not its own files. */
  strayRequests: string[];
  /** What the page reported: script errors, policy violations. */
  complaints: string[];
  /**
   * Takes the page from its host, and empties its storage. False: something was done to the page that would still hold for the
   * next panel on it, so it can only be closed.
   */
  leave(): Promise<boolean>;
  /**
   * Gives the open panel, with all that the user did in it, to another host, which has to tell it what to show. Not possible on a
   * page for which `leave` would be false.
   */
  pass(host: PanelHost): Promise<Panel>;
  /** Opens another panel on a page that was left: a tenth of the work of a new page. Options cannot prepare it. */
  reopen(options: PanelOptions): Promise<Panel>;
  close(): Promise<void>;
}

export interface PanelServer {
  open(options: PanelOptions): Promise<Panel>;
  close(): Promise<void>;
}

/** Builds the panel as it ships into a folder. */
export async function buildPanel(folder: string): Promise<void> {
  const bundle = bundles({ minify: true }).find(({ name }) => name === "webview");
  if (!bundle) throw new Error("esbuild.mjs has no bundle named webview");
  const place = { absWorkingDir: process.cwd(), outdir: folder };
  await buildBundle(bundle, { ...place, sourcemap: false });
}

/** Serves a panel that `buildPanel` built, and starts a browser; both end with this process, if nobody closes them. */
export async function startPanelServer(folder: string): Promise<PanelServer> {
  const pages = new Map<string, string>();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://localhost").pathname;
    const page = pages.get(path);
    if (page !== undefined) {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(page);
      return;
    }
    const file = path === AXE_PATH ? axeFile() : join(folder, path);
    readFile(file).then(
      (body) =>
        response
          .writeHead(200, {
            "content-type": TYPES[extname(path)] ?? "application/octet-stream",
            // Chromium keeps what it compiled of a file for as long as it may keep the file.
            "cache-control": "max-age=86400",
          })
          .end(body),
      () => response.writeHead(path === "/favicon.ico" ? 204 : 404).end(),
    );
  });
  const origin = await listen(server);
  const browser: Browser = await chromium.launch({
    executablePath: await ensureTestBrowser(),
    // What draws the pages is not a process of its own: each frame would be sent to it.
    args: [...CHROMIUM_FLAGS, "--in-process-gpu", `--js-flags=${SHORT_LIVED}`],
  });
  let number = 0;
  /** Shows a panel in a tab. Each has an address of its own, so that nothing that a browser keeps by the address is left. */
  const show = async (tab: PanelTab, options: PanelOptions): Promise<Panel> => {
    const path = `/page-${++number}.html`;
    pages.set(path, pageOf(origin, options));
    const panelOf = (shown: Pick<Panel, "strayRequests" | "complaints">): Panel => ({
      page: tab.page,
      strayRequests: shown.strayRequests,
      complaints: shown.complaints,
      leave() {
        pages.delete(path);
        return tab.leave();
      },
      pass: async (host) => panelOf(await tab.pass(host)),
      async reopen(next) {
        await tab.resize(sizeOf(next));
        return show(tab, next);
      },
      close: () => tab.close(),
    });
    return panelOf(await tab.show(options.host, origin + path));
  };
  return {
    async open(options) {
      const context = await browser.newContext({
        viewport: sizeOf(options),
        permissions: ["clipboard-read", "clipboard-write"],
      });
      return show(await PanelTab.open(context, origin, options.prepare), options);
    },
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const axeFile = () => createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return `http://127.0.0.1:${address.port}`;
}

const sizeOf = ({ width = 320, height = 700 }: PanelOptions) => ({ width, height });

/** Rules that VS Code puts before a webview's own, as far as they could show through. */
const EDITOR_DEFAULTS = `
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { padding: 0 20px; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family);
    font-size: var(--vscode-font-size); }
  textarea:focus, input:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { font-family: serif; color: var(--vscode-textPreformat-foreground);
    background-color: var(--vscode-textPreformat-background); padding: 1px 3px; border-radius: 4px; }
  pre code { padding: 0; }
  blockquote { background: var(--vscode-textBlockQuote-background); }
  kbd { background-color: var(--vscode-keybindingLabel-background); color: var(--vscode-keybindingLabel-foreground);
    border: 1px solid var(--vscode-keybindingLabel-border); border-radius: 3px; vertical-align: middle; padding: 1px 3px;
    border-bottom-color: var(--vscode-keybindingLabel-bottomBorder);
    box-shadow: inset 0 -1px 0 var(--vscode-widget-shadow); }
  img, video { max-width: 100%; max-height: 100%; }
  p > a { text-decoration: var(--text-link-decoration); }`;

/** The page of the extension itself, with what VS Code adds to it: the theme's variables and its kind. */
function pageOf(
  origin: string,
  { theme = "dark", boot = { language: "en", translations: {} } }: PanelOptions,
): string {
  const { bodyClass, variables } = THEMES[theme];
  const style = Object.entries(variables)
    .map(([name, value]) => `${name}: ${value};`)
    .join(" ");
  const html = pageHtml({
    nonce: NONCE,
    cspSource: origin,
    scriptUri: `${origin}/index.js`,
    styleUri: `${origin}/index.css`,
    boot,
  });
  return html
    .replace("<head>", `<head><style nonce="${NONCE}">:root { ${style} } ${EDITOR_DEFAULTS}</style>`)
    .replace("<body>", `<body class="${bodyClass}">`);
}
