/**
 * The session in an editor tab beside the side bar: both show the same, and what is done in one place happens in both.
 * tabs.test.ts, in the same kind of window, and test/unit/vscode prove its parts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { NEKO_AFTER, NEKO_BEFORE, nekoScript } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const PAGE = 'iframe[src*="extensionId=nekode.nekode"]';
const FRAME = `${PAGE}:visible`;

let server: ModelServer;
let vscode: Workbench;
let view: FrameLocator;
let tab: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: nekoScript() });
  vscode = await openWorkbench({
    files: { "neko.txt": `${NEKO_BEFORE}\n` },
    modelServer: { baseUrl: server.url },
    width: 1400,
  });
  await vscode.openPanel();
  const inFrame = (frame: string) => vscode.page.frameLocator(frame).frameLocator("iframe#active-frame");
  view = inFrame(`${FRAME}[src*="purpose=webviewView"]`);
  tab = inFrame(`${FRAME}:not([src*="purpose=webviewView"])`);
});
afterAll(async () => {
  await vscode.close();
  await server.close();
});

it("opens with what was typed in the side bar, and keeps both drafts in step", async () => {
  await view.getByTestId("chat-input").fill("neko.txt の猫を");
  await vscode.runCommand("Nekode: Open in Editor");
  const input = tab.getByTestId("chat-input");
  await expect.poll(() => input.inputValue()).toBe("neko.txt の猫を");
  await input.click();
  await vscode.page.keyboard.press("End");
  await vscode.page.keyboard.insertText("犬にして");
  await expect.poll(() => view.getByTestId("chat-input").inputValue()).toBe("neko.txt の猫を犬にして");
});

it("has an icon that contrasts with the theme", async () => {
  // Versions of VS Code draw the icon in different elements of the tab.
  const images = () =>
    vscode.page.locator(".tab", { hasText: "Nekode" }).evaluate((tab) =>
      [tab, ...tab.querySelectorAll("*")]
        .flatMap((element) => [undefined, "::before"].map((part) => getComputedStyle(element, part)))
        .map(({ backgroundImage }) => backgroundImage)
        .join(),
    );
  const kind = await vscode.page.locator(".monaco-workbench.vs-dark, .monaco-workbench.hc-black").count();
  await expect.poll(images).toContain(kind > 0 ? "tab-dark.svg" : "tab-light.svg");
});

it("is sent in the tab, shown in both, and approved in the side bar", async () => {
  await tab.getByTestId("chat-input").press("Enter");
  for (const place of [view, tab]) {
    await place.getByTestId("row").filter({ hasText: "犬にして" }).first().waitFor();
    await place.getByTestId("approve").first().waitFor();
    await expect.poll(() => place.getByTestId("chat-input").inputValue()).toBe("");
  }
  await vscode.screenshot("editor-tab-both");
  await view.getByTestId("approve").first().click();
  for (const place of [view, tab]) {
    await place.locator("[data-testid=row][data-kind=result]").waitFor();
    await place.getByTestId("approve").first().waitFor({ state: "detached" });
  }
  expect(await vscode.workspace?.read("neko.txt")).toContain(NEKO_AFTER);
});

it("receives commands where the user last was, and closing it returns to the side bar", async () => {
  await tab.getByTestId("chat-input").click();
  await vscode.runCommand("Nekode: Show History");
  await tab.getByTestId("history-item").waitFor();
  expect(await view.getByTestId("history-item").count()).toBe(0);
  await vscode.runCommand("Nekode: Move to Side Bar");
  await vscode.page.locator(PAGE).nth(1).waitFor({ state: "detached" });
  await vscode.runCommand("Nekode: Show History");
  await view.getByTestId("history-item").waitFor();
  await vscode.runCommand("Nekode: New Task");
  await view.locator(".empty").waitFor();
});

it("is restored with the window", async () => {
  await vscode.runCommand("Nekode: Open in Editor");
  await tab.getByTestId("chat-input").waitFor();
  // The first page of the tab does not load: it is opened again.
  let pages = 0;
  await vscode.page.route(
    /\/pre\/index[^?]*\?(?!.*purpose=webviewView).*extensionId=nekode\.nekode/,
    (route) => {
      pages++;
      return pages === 1 ? route.abort() : route.continue();
    },
  );
  // VS Code's own command also saves which editors are open; the browser's would not wait for that.
  const loaded = vscode.page.waitForEvent("load");
  await vscode.runCommand("Developer: Reload Window");
  await loaded;
  await tab.getByTestId("chat-input").waitFor();
  expect(pages).toBeGreaterThan(1);
  await vscode.page.unrouteAll({ behavior: "wait" });
  await expect.poll(() => vscode.tab("Nekode").count()).toBe(1);
  await vscode.screenshot("editor-tab-reloaded");
});

it("moves to a secondary side bar: by its own container, or by VS Code's question in versions without it", async () => {
  await vscode.runCommand("Nekode: Move to Secondary Side Bar");
  const question = vscode.page.locator(".quick-input-widget").getByText("New Secondary Side Bar Entry");
  const moved = vscode.page.locator(".part.auxiliarybar").getByText("Nekode", { exact: false }).first();
  await question.or(moved).first().waitFor();
  if (await question.isVisible()) await question.click();
  await moved.waitFor();
  await view.getByTestId("chat-input").waitFor();
  await vscode.screenshot("secondary-side-bar");
});
