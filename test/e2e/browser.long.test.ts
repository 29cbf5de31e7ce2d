/**
 * The agent looks at a page of a development server: one question, screenshots in the rows, and a larger one on a press.
 * test/unit/node/browser and test/browser/pictures prove its parts for `npm test`.
 */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { ensureChromium } from "../../scripts/lib/install.mjs";
import { browserScript } from "../model-server/scripts/browser.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { type SmallSite, startSmallSite } from "../support/small-site.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";
import { processesByHome } from "./support/processes.ts";

let server: ModelServer;
let site: SmallSite;
let vscode: Workbench;
let panel: FrameLocator;

const PAGE = `<body style="margin:0;font:20px sans-serif"><h1>Cat shop</h1>
  <button style="position:absolute;left:350px;top:280px;width:200px;height:40px"
    onclick="this.textContent = 'Ordered'; console.error('no stock')">Order</button>`;

beforeAll(async () => {
  site = await startSmallSite({ "/shop": PAGE });
  server = await startModelServer({ script: browserScript(`${site.origin}/shop`, "450,300") });
});
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(async () => {
  await server.close();
  await site.close();
});

const row = (kind: string): Locator => panel.locator(`[data-testid=row][data-kind=${kind}]`);

it("is asked once, clicks, shows what it saw, and closes", async () => {
  vscode = await shareWorkbench({
    files: { "index.html": PAGE },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native", "nekode.browser.path": await ensureChromium() },
  });
  panel = await vscode.openPanel();
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(`/verify-page ${site.origin}/shop `);
  await vscode.page.keyboard.press("Enter");
  await row("approval")
    .filter({ hasText: `${site.origin}/shop` })
    .waitFor();
  await vscode.screenshot("browser-asked");
  expect(site.requests).toEqual([]);
  await panel.getByTestId("approve").click();
  await row("result").filter({ hasText: "The page works" }).waitFor();
  await vscode.unfold();
  await row("tool").filter({ hasText: "Clicked at 450,300" }).getByText("error: no stock").waitFor();
  await row("tool").filter({ hasText: "Closed the browser" }).waitFor();
  const pictures = row("tool").getByTestId("picture");
  await expect.poll(() => pictures.locator("img").count()).toBe(2);
  await expect.poll(() => pictures.locator(".picture-mark").count()).toBe(1);
  await vscode.screenshot("browser-rows");

  await pictures.nth(1).click();
  const viewer = panel.getByTestId("picture-viewer");
  await viewer.getByText("2 of 2").waitFor();
  await viewer.locator(".picture-large img").waitFor();
  await vscode.screenshot("browser-picture");
  await vscode.page.keyboard.press("ArrowLeft");
  await viewer.getByText("1 of 2").waitFor();
  await vscode.page.keyboard.press("Escape");
  await viewer.waitFor({ state: "detached" });

  const first = JSON.stringify(server.chat(1).messages);
  expect(first).toContain('<explicit_instructions type=\\"verify-page\\">');
  const third = JSON.stringify(server.chat(3).messages);
  expect(third).toContain("console: error: no stock");
  expect(third).toContain('button \\\\\\"Ordered\\\\\\"'.replaceAll('\\\\\\"', '\\"'));
  expect(third.match(/data:image\/jpeg;base64,/g)).toHaveLength(2);

  // Also after a reload, in which the pictures come from the disk.
  await vscode.reload();
  panel = await vscode.openPanel();
  await vscode.unfold();
  await expect.poll(() => row("tool").getByTestId("picture").locator("img").count()).toBe(2);
});

it("is gone when the extension host is killed", async () => {
  const [launch] = browserScript(`${site.origin}/shop`, "450,300").turns;
  server.setScript({
    turns: [...(launch ? [launch] : []), { answer: [{ text: "I see" }, { hold: "middle" }] }],
  });
  await vscode.newTask();
  await vscode.send("Look at the page");
  await panel.getByTestId("approve").click();
  await row("text").filter({ hasText: "I see" }).waitFor();
  const left = () => processesByHome("chrom", vscode.home);
  expect(left().length).toBeGreaterThan(1);
  expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
  // No event tells of the end of another program's process.
  await expect.poll(left).toEqual([]);
});
