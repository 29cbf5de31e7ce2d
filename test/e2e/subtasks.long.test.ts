/**
 * A task that starts two in VS Code: one looks something up and one changes files, asked, reloaded and approved. What the panel
 * shows of them, and each step by itself, is in test/browser/project/subtasks.test.ts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const task = (kind: string, description: string) => ({ tool: "start_task", params: { description, kind } });
const done = (result: string) => ({ tool: "attempt_completion", params: { result } });

const turns = [
  {
    match: { firstUser: "Do all of it", request: 1 },
    answer: [task("explore", "Look at alpha"), task("work", "Make it a dog")],
  },
  { match: { firstUser: "Do all of it", request: 2 }, answer: [done("Both are done.")] },
  { match: { firstUser: "Look at alpha" }, answer: [{ hold: "alpha" }, done("Report on alpha.")], times: 2 },
  {
    match: { firstUser: "Make it a dog", request: 1 },
    answer: [{ tool: "write_to_file", params: { path: "cat.txt", content: "a dog\r\n" } }],
  },
  { match: { firstUser: "Make it a dog", request: 2 }, answer: [done("It is a dog.")] },
];

const child = (title: string) => vscode.row("tool", title).getByTestId("child-task");
const cat = () => vscode.workspace?.read("cat.txt");

beforeAll(async () => {
  server = await startModelServer({ script: { turns } });
  vscode = await openWorkbench({
    files: { "cat.txt": "a cat\r\n" },
    git: true,
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  panel = await vscode.openPanel();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

it("what a started task asks is asked here, also after a reload of the window, and its change is written once approved", async () => {
  await vscode.send("Do all of it");
  await server.waitForHold("alpha");
  await child("Look at alpha").getByText("Working").waitFor();
  await panel.getByText("For the subtask “Make it a dog”").waitFor();
  await vscode.screenshot("subtasks");
  await panel.getByTestId("approve").click();
  await panel.getByText("Apply the changes of this subtask?").waitFor();
  await panel.getByTestId("shown-files").waitFor();
  await vscode.screenshot("subtasks-proposal");
  expect(await cat()).toBe("a cat\r\n");

  const sent = server.requests.length;
  await vscode.reload();
  await vscode.openPanel();
  await vscode.row("user", "Do all of it").waitFor();
  await panel.getByTestId("shown-files").waitFor();
  await child("Look at alpha").getByText("Waiting for your decision").waitFor();
  expect(server.requests).toHaveLength(sent);
  await vscode.screenshot("subtasks-reloaded");
  await panel.getByTestId("approve").click();
  await panel.getByTestId("approve").waitFor({ state: "detached" });
  await server.waitForHold("alpha");
  for (let times = 0; times < 2; times++) server.release("alpha");
  await vscode.row("result", "Both are done.").waitFor();
  expect(await cat()).toBe("a dog\r\n");
  expect(server.requests.at(-1)?.text).toContain("Report on alpha.");
});
