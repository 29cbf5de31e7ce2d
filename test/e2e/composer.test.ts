/** The composer beside the editor: keys that both know, selected code, and messages from before the window is ready. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const CATS = ["first", "second", "third", "fourth", "fifth"].map((word) => `// ${word} cat\n`).join("");

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({ files: { "cats.js": CATS }, modelServer: { baseUrl: server.url } });
  panel = await vscode.openPanel();
});
afterAll(async () => {
  await vscode.close();
  await server.close();
});

const input = () => panel.getByTestId("chat-input");

it("selected code becomes one chip, and what is typed next goes to the chat", async () => {
  server.setScript({ turns: [{ answer: [{ tool: "attempt_completion", params: { result: "Cats." } }] }] });
  await vscode.openFile("cats.js");
  await vscode.page.keyboard.press("ControlOrMeta+Home");
  for (let line = 0; line < 4; line++) await vscode.page.keyboard.press("Shift+ArrowDown");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("a");
  await expect.poll(() => input().inputValue()).toBe("@/cats.js:1-4 ");
  await panel.locator("textarea:focus").waitFor();
  await vscode.page.keyboard.type("why?");
  await expect.poll(() => input().inputValue()).toBe("@/cats.js:1-4 why?");
  await expect.poll(() => panel.getByTestId("mention-chip").allTextContents()).toEqual(["cats.js:1-4"]);
  await vscode.screenshot("add-selection");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("result", "Cats.").waitFor();
  const said = JSON.stringify(server.chat(1).messages);
  expect(said).toContain("// fourth cat");
  expect(said).not.toContain("// fifth cat");
  expect(await vscode.workspace?.read("cats.js")).toBe(CATS);
});

it("a chord runs its command and leaves nothing in the text", async () => {
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("n");
  await input().click();
  await vscode.page.keyboard.type("a");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("j");
  await panel
    .locator("[data-testid=mode-plan][aria-checked=true], [data-testid=mode-plan][aria-pressed=true]")
    .waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("j");
  await panel
    .locator("[data-testid=mode-act][aria-checked=true], [data-testid=mode-act][aria-pressed=true]")
    .waitFor();
  await vscode.page.keyboard.type("b");
  await expect.poll(() => input().inputValue()).toBe("ab");
  await input().fill("");
});

it("what is typed and sent before a reloaded window is ready is sent once", async () => {
  server.setScript({ turns: [{ times: true, answer: [{ text: "Heard." }] }] });
  await vscode.reload();
  // The panel's page is there before the agent is.
  await input().waitFor();
  await input().click();
  await vscode.page.keyboard.type("said early");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("user", "said early").waitFor();
  await vscode.row("text", "Heard.").waitFor();
  await expect.poll(() => vscode.row("user", "said early").count()).toBe(1);
  // A draft that was cleared right before the reload may be back; what was sent is not.
  await expect.poll(() => input().inputValue()).not.toContain("said early");
});
