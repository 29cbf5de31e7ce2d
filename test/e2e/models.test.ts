/**
 * From the first opening to the first answer, counted in clicks, and another model by the command, kept in the user's settings. More
 * of models is in test/browser/project/models.test.ts.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;
/** Presses of the mouse or of Enter since the panel opened. */
let steps: number;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
afterEach(async () => {
  // The address without its version is asked once.
  expect(server.refusals.filter((refusal) => !refusal.includes("GET /models."))).toEqual([]);
  await vscode.close();
});
afterAll(() => server.close());

/** A window in which no model was ever set up, on the same VS Code server. */
async function start(script: Script): Promise<void> {
  server.setScript(script);
  server.forgetRequests();
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    // Not the ports of this machine, where something may run.
    env: { NEKODE_LOCAL_PORTS: `ollama=${server.port},vllm=9` },
  });
  panel = await vscode.openPanel();
  steps = 0;
}

async function click(target: Locator): Promise<void> {
  await target.click();
  steps++;
}
async function send(text: string): Promise<void> {
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
  steps++;
}
const row = (kind: string) => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const models = () => server.requests.map(({ body }) => (body as { model?: string }).model);

describe("from the first opening to the first answer", () => {
  it("a local server with one model: Find, then the message", async () => {
    await start({ models: ["qwen3:8b"], turns: [{ answer: [{ text: "Hello from here." }] }] });
    await panel.getByTestId("find-local").waitFor();
    await vscode.screenshot("setup");
    // Without a connection and a session there is something to measure, too.
    await vscode.runCommand("Nekode: Health");
    await vscode.editing("nekode-health.md");
    const shown = async () => (await vscode.editorText()).join("\n");
    await expect.poll(shown).toContain("Bytes sent a turn");
    const health = await shown();
    expect(health).toMatch(/Event loop delay, mean \| \d+\.\d ms/);
    expect(health).toMatch(/prompt cache \| – \| 96%.*Requests \| 0 \|.*Bytes sent a turn \| – \|/s);
    await click(panel.getByTestId("find-local"));
    // The focus is in the message's field once it is ready.
    await panel.locator("[data-testid=chat-input]:focus").waitFor();
    await send("Hello");
    await row("text").filter({ hasText: "Hello from here." }).waitFor();
    await panel.getByTestId("answered-by").filter({ hasText: "ollama/qwen3:8b" }).waitFor();
    expect(steps).toBe(2);
    expect(models()).toEqual(["qwen3:8b"]);
    await vscode.screenshot("setup-local-answered");
  });

  it("an endpoint with a key: choose, paste, pick, send; and the key is in no setting, in which another model stays", async () => {
    await start({
      models: ["big", "small"],
      apiKey: "secret-of-the-test",
      turns: [{ answer: [{ text: "The key works." }] }],
    });
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
    await send("Hello");
    await row("text").filter({ hasText: "The key works." }).waitFor();
    expect(steps).toBe(4);
    expect(models()).toEqual(["small"]);
    await vscode.runCommand("Nekode: Select Model");
    await panel.locator("[data-testid=model-search]:focus").waitFor();
    await panel.getByTestId("model-option").filter({ hasText: "big" }).first().waitFor();
    await vscode.page.keyboard.type("big");
    await vscode.page.keyboard.press("Enter");
    await panel.getByTestId("model-picker").filter({ hasText: "big" }).waitFor();
    await vscode.reload();
    panel = await vscode.openPanel();
    await panel.getByTestId("model-picker").filter({ hasText: "big" }).waitFor();
    const files = ["User", "Machine"].map((scope) => path.join(vscode.userDataDir, scope, "settings.json"));
    const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
    expect(text).toContain('"nekode.connections"');
    expect(text).toContain("endpoint/big");
    expect(text).not.toContain("secret-of-the-test");
  });
});
