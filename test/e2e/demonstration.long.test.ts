/**
 * What `npm start` shows first: the scenes of the demonstration, played in the workspace, and the way to a real model.
 * test/unit/model-server/demo and test/browser/welcome prove its parts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { demo } from "../model-server/demo.ts";
import { NEKO_AFTER, NEKO_BEFORE } from "../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: (conversation) => ({ ...demo(conversation), pace: 0 }) });
  vscode = await openWorkbench({
    files: { "neko.txt": `${NEKO_BEFORE}\n`, "README.md": "# Cats\n" },
    modelServer: { baseUrl: server.url },
    env: { NEKODE_DEMONSTRATION: server.url },
  });
  panel = await vscode.openPanel();
});
afterAll(async () => {
  expect(server.refusals).toEqual([]);
  await vscode.close();
  await server.close();
});

it("plays an edit on one click, which is real", async () => {
  await panel.getByText("Answers are a demonstration").waitFor();
  await vscode.screenshot("demonstration");
  await panel.getByTestId("scene-edit").click();
  await panel.getByTestId("approve").first().click();
  await vscode.row("result").waitFor();
  expect(await vscode.workspace?.read("neko.txt")).toContain(NEKO_AFTER);
  await panel.getByTestId("demonstration-note").waitFor();
  await vscode.screenshot("demonstration-played");
  await panel.getByTestId("more-scenes").click();
  await panel.getByTestId("scene-rich").click();
  await vscode.row("result").waitFor();
  await panel.getByTestId("math").first().waitFor();
  await vscode.screenshot("demonstration-rich");
});

it("answers any other request with what it is, and leads to a real model", async () => {
  await panel.getByTestId("more-scenes").click();
  await panel.locator(".empty").waitFor();
  await vscode.send("Add a method to cats.js that makes the cats purr");
  await vscode.row("result", "Answers are a demonstration").waitFor();
  await panel.getByTestId("connect-model").click();
  await panel.getByTestId("set-up").waitFor();
});
