/** Several tasks at once in one window, where the editor has a part in it: a diff, a notification and keys. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const writes = (name: string): ScriptPart[] => [
  { text: `I write ${name}.` },
  { tool: "write_to_file", params: { path: `${name}.txt`, content: `of ${name}\n` } },
];
const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
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

const state = (name: string, says: string) => vscode.otherTask(`Task ${name}`).filter({ hasText: says });
const text = (name: string, says: string) => vscode.row("text", `${name}: ${says}`);
const isWritten = (name: string) => vscode.workspace?.exists(`${name}.txt`);

/** Begins a task beside those that there are. */
async function begin(name: string): Promise<void> {
  await vscode.taskBeside();
  await vscode.send(`Task ${name}`);
  await vscode.row("user", `Task ${name}`).waitFor();
}

it("the diff of a task that is not on screen answers that task alone, also if both change the same file", async () => {
  server.setScript({
    turns: [
      of("here", writes("same")),
      of("there", writes("same")),
      { times: true, answer: [{ text: "That is all." }] },
    ],
  });
  await begin("there");
  await vscode.row("approval").waitFor();
  await begin("here");
  await vscode.row("approval").waitFor();
  const approve = vscode.page.locator(".editor-actions").getByRole("button", { name: /^Approve/ });
  const shown = vscode.tab("same.txt (proposed new file)");
  await vscode.showTab(shown.first());
  await approve.first().waitFor();
  await vscode.screenshot("together-diff");
  await approve.first().click();
  await state("there", "Done").waitFor();
  expect(isWritten("same")).toBe(true);
  // That of the task on screen still waits; its file is another one by now.
  await vscode.row("approval").waitFor();
  await panel.getByTestId("approve").click();
  await vscode.row("text", "That is all.").waitFor();
  await vscode.otherTask("Task there").getByTestId("dismiss-session").click();
});

it("one that ends while the panel is hidden is named by a notification, which shows it", async () => {
  server.setScript({ turns: [of("zeta", [{ hold: "zeta" }, { text: "zeta: over." }])] });
  await begin("zeta");
  await server.waitForHold("zeta");
  await vscode.runCommand("Nekode: New Task");
  await state("zeta", "Working").waitFor();
  await vscode.runCommand("View: Show Explorer");
  server.release("zeta");
  const toast = await vscode.holdNotification("Task zeta: Done");
  await vscode.page.locator(".activitybar .badge-content", { hasText: "1" }).waitFor();
  await vscode.screenshot("together-notified");
  await toast.getByRole("button", { name: "Show", exact: true }).click();
  await text("zeta", "over.").waitFor();
  expect(await vscode.otherTask("Task zeta").count()).toBe(0);
});

it("a key shows what waits next", async () => {
  server.setScript({
    turns: [of("eta", writes("eta")), { times: true, answer: [{ text: "That is all." }] }],
  });
  await begin("eta");
  await vscode.row("approval").waitFor();
  await vscode.runCommand("Nekode: New Task");
  await state("eta", "Needs approval").waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("t");
  await vscode.row("approval").waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await vscode.row("text", "That is all.").waitFor();
  expect(isWritten("eta")).toBe(true);
});
