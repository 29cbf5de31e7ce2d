/**
 * What is missing before the model can answer, and how the user sees it; nothing typed is lost. Endpoints that fail are in
 * test/browser/project/bad-input.test.ts.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [{ answer: [{ text: "It works now." }] }] } });
});
afterAll(() => server.close());

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}
const row = (kind: string) => panel.locator(`[data-testid=row][data-kind=${kind}]`);

it("without a model: the empty state says what to do, and a message sent all the same is kept", async () => {
  // A key alone, which the environment of most windows has, is no model.
  vscode = await shareWorkbench({ files: { "a.txt": "a\n" }, env: { NEKODE_API_KEY: "test-key" } });
  // From the Explorer, before the panel was ever there: it opens with the mention, and nothing else opens.
  const file = vscode.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: "a.txt" });
  await vscode.chooseFromMenuOf(file, "Mention in Nekode");
  panel = vscode.panel();
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toContain("@/a.txt");
  expect(await vscode.page.locator(".part.panel").isVisible()).toBe(false);
  await panel.getByTestId("chat-input").fill("");
  await panel.getByTestId("find-local").waitFor();
  await vscode.screenshot("no-model");
  await send("Hello?");
  await row("error").filter({ hasText: "settings" }).waitFor();
  await row("user").filter({ hasText: "Hello?" }).waitFor();
  await vscode.screenshot("no-model-sent");
  await panel.getByTestId("retry").waitFor();
  await panel.getByTestId("choose-model").click();
  await panel.getByRole("heading", { name: "Connections to models" }).waitFor();
  await vscode.page.keyboard.press("Escape");
  // The settings have the endpoint among them, also where they are another machine's.
  await vscode.runCommand("Nekode: Open Settings");
  await vscode.page.locator(".settings-editor").getByText("Base Url", { exact: true }).first().waitFor();
  await vscode.closeModal();
});

it("without a folder: said in the panel, and the agent still talks", async () => {
  vscode = await shareWorkbench({ empty: true, modelServer: { baseUrl: server.url } });
  // The panel was never open.
  await vscode.runCommand("Nekode: Health");
  await vscode.editing("nekode-health.md");
  panel = await vscode.openPanel();
  await vscode.screenshot("no-folder");
  await send("Hello");
  await row("text").filter({ hasText: "It works now." }).waitFor();
  await row("notice").filter({ hasText: "folder" }).waitFor();
});
