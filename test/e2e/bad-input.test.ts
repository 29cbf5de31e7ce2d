/**
 * What is missing before the agent can work, and how the user sees it; nothing typed is lost. Endpoints that fail are in
 * test/browser/project/bad-input.test.ts.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench } from "./support/index.ts";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [{ answer: [{ text: "It works now." }] }] } });
});
afterAll(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
});

it("without a folder: said in the panel, and the agent still talks", async () => {
  const vscode = await openWorkbench({ empty: true, modelServer: { baseUrl: server.url } });
  // The panel was never open.
  await vscode.runCommand("Nekode: Health");
  await vscode.editing("nekode-health.md");
  await vscode.openPanel();
  await vscode.screenshot("no-folder");
  await vscode.send("Hello");
  await vscode.row("text", "It works now.").waitFor();
  await vscode.row("notice", "folder").waitFor();
});
