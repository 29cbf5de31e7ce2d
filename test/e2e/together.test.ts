/** Several tasks at once in one window: what waits, what streams, what is stopped, and what a reload in the middle leaves. */
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
const streams = (name: string): ScriptPart[] => [
  { text: `${name}: first, ` },
  { hold: `${name}-1` },
  { text: "second, " },
  { hold: `${name}-2` },
  { text: "third." },
];
const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        of("alpha", writes("alpha")),
        of("beta", writes("beta")),
        of("gamma", streams("gamma")),
        of("delta", streams("delta")),
        { times: true, answer: [{ text: "That is all." }] },
      ],
    },
  });
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

it("four tasks work at once, those that wait first", async () => {
  for (const name of ["gamma", "alpha", "beta", "delta"]) await begin(name);
  await Promise.all([server.waitForHold("gamma-1"), server.waitForHold("delta-1")]);
  await state("alpha", "Needs approval").waitFor();
  await state("beta", "Needs approval").waitFor();
  await state("gamma", "Working").waitFor();
  await panel.getByText("3 other tasks, 2 waiting for you").waitFor();
  const titles = panel.getByTestId("session-item").locator(".session-named");
  await expect.poll(() => titles.allTextContents()).toEqual(["Task alpha", "Task beta", "Task gamma"]);
  await text("delta", "first, ").waitFor();
  await vscode.screenshot("together");
});

it("one that waits is approved, and the other one still waits", async () => {
  await vscode.switchTo("Task alpha");
  await vscode.row("approval").waitFor();
  await vscode.screenshot("together-approval");
  await panel.getByTestId("approve").click();
  await vscode.row("text", "That is all.").waitFor();
  expect(isWritten("alpha")).toBe(true);
  await state("beta", "Needs approval").waitFor();
  expect(isWritten("beta")).toBe(false);
});

it("tasks are switched between while they stream, and each has all of its own text", async () => {
  await vscode.switchTo("Task gamma");
  await text("gamma", "first, ").waitFor();
  server.release("gamma-1");
  await text("gamma", "first, second, ").waitFor();
  await vscode.switchTo("Task delta");
  server.release("delta-1");
  await server.waitForHold("delta-2");
  await text("delta", "first, second, ").waitFor();
  await expect.poll(() => vscode.row("text").count()).toBe(1);
  await vscode.switchTo("Task gamma");
  await server.waitForHold("gamma-2");
  await text("gamma", "first, second, ").waitFor();
  await expect.poll(() => vscode.row("text").count()).toBe(1);
});

it("one that waits is stopped from the list, and does nothing", async () => {
  await state("beta", "Needs approval").getByTestId("stop-session").click();
  await vscode.otherTask("Task beta").waitFor({ state: "detached" });
  expect(isWritten("beta")).toBe(false);
  await expect.poll(() => vscode.row("text").count()).toBe(1);
});

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

it("a reload in the middle loses none: the one on screen is there, and the others are listed as they were", async () => {
  server.setScript({
    turns: [of("epsilon", writes("epsilon")), { times: true, answer: [{ text: "That is all." }] }],
  });
  await begin("epsilon");
  await vscode.row("approval").waitFor();
  await vscode.switchTo("Task gamma");
  const before = server.requests.length;
  await vscode.reload();
  await vscode.openPanel();
  await vscode.row("user", "Task gamma").waitFor();
  await text("gamma", "first, second, ").waitFor();
  await vscode.row("notice", "interrupted").waitFor();
  await state("epsilon", "Needs approval").waitFor();
  await state("delta", "Interrupted").waitFor();
  await expect.poll(() => panel.getByTestId("session-item").count()).toBe(2);
  await vscode.screenshot("together-reloaded");
  expect(server.requests).toHaveLength(before);

  await vscode.switchTo("Task epsilon");
  await panel.getByTestId("approve").click();
  await vscode.row("text", "That is all.").waitFor();
  expect(isWritten("epsilon")).toBe(true);
  await vscode.switchTo("Task delta");
  await text("delta", "first, second, ").waitFor();
  await panel.getByTestId("retry").click();
  await vscode.row("text", "That is all.").waitFor();
  // Each is in the history once.
  await vscode.titleAction("Show History");
  await expect.poll(() => panel.getByTestId("history-item").count()).toBe(9);
});
