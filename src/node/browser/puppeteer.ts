/**
 * The parts of puppeteer-core that are used. Its main entry also bundles a second protocol and a downloader of browsers,
 * which are seven times as large; the modules for the debugging protocol alone are its internal ones, so its version is
 * pinned exactly.
 */

export type { Protocol } from "puppeteer-core";
export type { CDPSession } from "puppeteer-core/internal/api/CDPSession.js";
export type { Dialog } from "puppeteer-core/internal/api/Dialog.js";
export type { Page } from "puppeteer-core/internal/api/Page.js";
export type { CdpBrowser } from "puppeteer-core/internal/cdp/Browser.js";
export { _connectToCdpBrowser as connectToBrowser } from "puppeteer-core/internal/cdp/BrowserConnector.js";
export { NodeWebSocketTransport } from "puppeteer-core/internal/node/NodeWebSocketTransport.js";
export { PipeTransport } from "puppeteer-core/internal/node/PipeTransport.js";
