/**
 * From the first opening to the first answer of a local server, by one press and the message. test/browser/set-up.test.ts proves for
 * `npm test` that one press is enough.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench } from "./support/index.ts";

let server: ModelServer;

beforeAll(async () => {
  const turns = [{ answer: [{ text: "Hello from here." }] }];
  server = await startModelServer({ script: { models: ["qwen3:8b"], turns } });
});
afterAll(async () => {
  // The address without its version is asked once.
  expect(server.refusals.filter((refusal) => !refusal.includes("GET /models."))).toEqual([]);
  await server.close();
});

it("a local server with one model: Find, then the message", async () => {
  const vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    // Not the ports of this machine, where something may run.
    env: { NEKODE_LOCAL_PORTS: `ollama=${server.port},vllm=9` },
  });
  const panel = await vscode.openPanel();
  await panel.getByTestId("find-local").waitFor();
  await vscode.screenshot("setup");
  // Without a connection and a session there is something to measure, too.
  await vscode.runCommand("Nekode: Health");
  await vscode.editing("nekode-health.md");
  const shown = async () => (await vscode.editorText()).join("\n");
  await expect.poll(shown).toContain("Bytes sent per turn");
  const health = await shown();
  expect(health).toMatch(/Event loop delay, mean \| \d+\.\d ms/);
  expect(health).toMatch(/prompt cache \| – \| 96%.*Requests \| 0 \|.*Bytes sent per turn \| – \|/s);
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
