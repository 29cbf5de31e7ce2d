/**
 * From the first opening to the first answer, counted in clicks: of a local server, and of an endpoint with a key; and another model by
 * the command, kept in the user's settings. test/browser/set-up, project/models and test/vscode/config prove its steps for `npm test`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { openWorkbench } from "./support/index.ts";

async function serve(script: Script): Promise<ModelServer> {
  const server = await startModelServer({ script });
  onTestFinished(async () => {
    // The address without its version is asked once.
    expect(server.refusals.filter((refusal) => !refusal.includes("GET /models."))).toEqual([]);
    await server.close();
  });
  return server;
}

it("a local server with one model: Find, then the message", async () => {
  const server = await serve({ models: ["qwen3:8b"], turns: [{ answer: [{ text: "Hello from here." }] }] });
  const vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    // Not the ports of this machine, where something may run.
    env: { NEKODE_LOCAL_PORTS: `ollama=${server.port},vllm=9` },
  });
  const panel = await vscode.openPanel();
  await panel.getByTestId("find-local").waitFor();
  await vscode.screenshot("setup");
  // Without a connection and a session there is something to measure, too.
  await vscode.runCommand("Nekode: Performance and Checks");
  await panel.getByTestId("measurement").last().waitFor();
  const health = (await panel.getByTestId("measurement").allInnerTexts()).join("\n");
  expect(health).toMatch(/Event loop delay, mean\s+\d+\.\d ms/);
  expect(health).toMatch(/prompt cache\s+–\s+96%.*Requests\s+0.*Bytes sent per turn\s+–/s);
  await panel.getByRole("button", { name: "Back to conversation" }).click();
  await panel.getByTestId("find-local").click();
  // The focus is in the message's field once it is ready.
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  await vscode.page.keyboard.insertText("Hello");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("text", "Hello from here.").waitFor();
  await panel.getByTestId("answered-by").filter({ hasText: "ollama/qwen3:8b" }).waitFor();
  expect(server.requests.map(({ body }) => (body as { model?: string }).model)).toEqual(["qwen3:8b"]);
  await vscode.screenshot("setup-local-answered");
});

it("an endpoint with a key: choose, paste, pick, send; and the key is in no setting, in which another model stays", async () => {
  const turns = [{ answer: [{ text: "The key works." }] }];
  const server = await serve({ models: ["big", "small"], apiKey: "secret-of-the-test", turns });
  /** Presses of the mouse or of Enter since the panel opened. */
  let steps = 0;
  const click = async (target: Locator) => {
    await target.click();
    steps++;
  };
  // No model was ever set up. Not the ports of this machine, where something may run.
  const vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    env: { NEKODE_LOCAL_PORTS: `ollama=${server.port},vllm=9` },
  });
  const panel = await vscode.openPanel();
  await click(panel.getByTestId("maker-other"));
  await panel.locator("[data-testid=set-up-address]:focus").waitFor();
  // As copied from an example: a button corrects it, which a person who types it well need not press.
  await vscode.page.keyboard.insertText(server.url.replace(/\/v1$/, ""));
  await vscode.page.keyboard.press("Tab");
  await vscode.page.keyboard.press("Tab");
  await vscode.page.keyboard.insertText("secret-of-the-test");
  await vscode.page.keyboard.press("Enter");
  steps++;
  await panel.getByTestId("connection-fix").filter({ hasText: server.url }).click();
  await panel.getByTestId("model-option").filter({ hasText: "small" }).waitFor();
  await vscode.screenshot("setup-pick");
  await click(panel.getByTestId("model-option").filter({ hasText: "small" }));
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  await vscode.page.keyboard.insertText("Hello");
  await vscode.page.keyboard.press("Enter");
  steps++;
  await vscode.row("text", "The key works.").waitFor();
  expect(steps).toBe(4);
  expect(server.requests.map(({ body }) => (body as { model?: string }).model)).toEqual(["small"]);
  await vscode.runCommand("Nekode: Select Model");
  await panel.locator("[data-testid=model-search]:focus").waitFor();
  await panel.getByTestId("model-option").filter({ hasText: "big" }).first().waitFor();
  await vscode.page.keyboard.type("big");
  await vscode.page.keyboard.press("Enter");
  await panel.getByTestId("model-picker").filter({ hasText: "big" }).waitFor();
  const files = ["User", "Machine"].map((scope) => path.join(vscode.userDataDir, scope, "settings.json"));
  const settings = async () => (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
  // The choice takes effect, and is shown, before VS Code has written its settings.
  await expect.poll(settings).toContain("local/big");
  await vscode.reload();
  await vscode.openPanel();
  await panel.getByTestId("model-picker").filter({ hasText: "big" }).waitFor();
  expect(await settings()).toContain('"nekode.connections"');
  expect(await settings()).not.toContain("secret-of-the-test");
});
