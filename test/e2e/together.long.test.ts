/**
 * Several tasks in one window, where VS Code has a part in it: a diff, a notification and keys of those that work at once, and an
 * earlier one by commands and dialogs. What the history itself offers is in test/browser/project/history.test.ts.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Locator } from "playwright-core";
import { expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { inOwnWindow, panel, server, vscode } from "./support/own-window.ts";

const writes = (name: string): ScriptPart[] => [
  { text: `I write ${name}.` },
  { tool: "write_to_file", params: { path: `${name}.txt`, content: `of ${name}\n` } },
];
const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});

inOwnWindow();

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

const TALKS: [said: string, answer: string][] = [
  ["猫の写真を整理して", "写真は三つの箱に分けました。"],
  ["Explain the parser", "The tokenizer feeds it one token at a time."],
];

const items = () => panel.getByTestId("history-item");

const openHistory = async () => {
  await vscode.runCommand("Nekode: Show History");
  await items().first().waitFor();
  // The keyboard is in the panel only then: a key that is pressed before goes to VS Code.
  await panel.locator("[data-testid=history-search]:focus").waitFor();
};
/** Who has the focus in the panel. */
const focused = (name: string) => panel.locator(":focus").and(panel.getByRole("button", { name }));
/** By Tab, whatever lies between. */
const tabTo = async (target: Locator) => {
  for (let i = 0; i < 15; i++) {
    await press("Tab");
    if ((await target.and(panel.locator(":focus")).count()) > 0) return;
  }
  throw new Error("Tab does not lead there");
};
const press = async (...keys: string[]) => {
  for (const key of keys) await vscode.page.keyboard.press(key);
};

it("finds an earlier task by what was said in it, exports and deletes it, by keyboard and commands alone", async () => {
  server.setScript({ turns: TALKS.map(([said, text]) => ({ match: { said }, answer: [{ text }] })) });
  server.forgetRequests();
  await vscode.startOver();
  const { keyboard } = vscode.page;
  for (const [at, [said, answer]] of TALKS.entries()) {
    // The focus comes back before the new task does, which would stop what was sent before it.
    await vscode.runCommand(at === 0 ? "Nekode: Focus on Chat" : "Nekode: New Task");
    await vscode.row("user").waitFor({ state: "detached" });
    await panel.locator("[data-testid=chat-input]:focus").waitFor();
    await keyboard.insertText(said);
    await keyboard.press("Enter");
    await vscode.row("text", answer).waitFor();
  }
  await openHistory();
  await items().nth(1).waitFor();
  await vscode.screenshot("history-list");
  await panel.locator("[data-testid=history-search]:focus").waitFor();
  await keyboard.insertText("三つの箱");
  await panel.locator("mark", { hasText: "三つの箱" }).waitFor();
  await expect.poll(() => items().count()).toBe(1);
  await vscode.screenshot("history-search-ja");

  await tabTo(panel.getByRole("button", { name: "More actions for 猫の写真を整理して" }));
  await press("Enter");
  await panel.getByRole("menuitem", { name: "Add to favorites" }).and(panel.locator(":focus")).waitFor();
  await press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight");
  await panel.getByRole("menuitem", { name: "Export as Markdown" }).and(panel.locator(":focus")).waitFor();
  await press("Enter");
  const dialog = vscode.page.locator(".quick-input-widget");
  await dialog.getByText("OK").waitFor();
  await dialog.locator("input:focus").waitFor();
  await vscode.screenshot("history-export");
  await press("Enter");
  const folder = vscode.workspace?.folder ?? "";
  const exported = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
  await expect.poll(exported).toHaveLength(1);
  // A file is there before what is written into it.
  await expect
    .poll(() => readFileSync(path.join(folder, exported()[0] ?? ""), "utf8"))
    .toContain("写真は三つの箱に分けました。");

  // The focus came back from the dialog.
  await focused("More actions for 猫の写真を整理して").waitFor();
  await press("Enter");
  await panel.getByRole("menu").waitFor();
  await press("End", "Enter");
  await panel.getByText("“猫の写真を整理して” was deleted.").waitFor();
  await focused("Undo").waitFor();
  await press("Enter");
  await expect.poll(() => items().count()).toBe(1);
  await tabTo(items().first());
  await press("Enter");
  await vscode.row("text", "三つの箱").waitFor();
  await panel.getByTestId("history-search").waitFor({ state: "detached" });
  expect(server.requests).toHaveLength(TALKS.length);
});
