/**
 * A window without a model, and one without a folder: how the user sees it, and nothing typed is lost. test/browser/set-up and
 * project/bad-input prove for `npm test` what is said.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench } from "./support/index.ts";
import { API_KEY } from "./support/servers.ts";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [{ answer: [{ text: "It works now." }] }] } });
});
afterAll(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
});

it("without a model: the empty state says what to do, and a message sent all the same is kept", async () => {
  // A key alone, which the environment of most windows has, is no model.
  const vscode = await openWorkbench({ files: { "a.txt": "a\n" }, env: { NEKODE_API_KEY: API_KEY } });
  // From the Explorer, before the panel was ever there: it opens with the mention, and nothing else opens.
  const file = vscode.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: "a.txt" });
  await vscode.chooseFromMenuOf(file, "Mention in Nekode");
  const panel = vscode.panel();
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toContain("@/a.txt");
  expect(await vscode.page.locator(".part.panel").isVisible()).toBe(false);
  await panel.getByTestId("chat-input").fill("");
  await panel.getByTestId("find-local").waitFor();
  await vscode.screenshot("no-model");
  await vscode.send("Hello?");
  await vscode.row("error", "settings").waitFor();
  await vscode.row("user", "Hello?").waitFor();
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
  const vscode = await openWorkbench({ empty: true, modelServer: { baseUrl: server.url } });
  // The panel was never open.
  await vscode.runCommand("Nekode: Performance and Checks");
  const panel = await vscode.openPanel();
  await panel.getByTestId("measurement").first().waitFor();
  await panel.getByRole("button", { name: "Back to conversation" }).click();
  await vscode.screenshot("no-folder");
  await vscode.send("Hello");
  await vscode.row("text", "It works now.").waitFor();
  await vscode.row("notice", "folder").waitFor();
});
