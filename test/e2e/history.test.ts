/**
 * An earlier task by the commands and dialogs of VS Code. What the history and the conversation itself offer is in
 * test/browser/project/history.test.ts.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const TALKS: [said: string, answer: string][] = [
  ["猫の写真を整理して", "写真は三つの箱に分けました。"],
  ["Explain the parser", "The tokenizer feeds it one token at a time."],
];

beforeAll(async () => {
  server = await startModelServer({
    script: { turns: TALKS.map(([said, text]) => ({ match: { said }, answer: [{ text }] })) },
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

const items = () => panel.getByTestId("history-item");

const openHistory = async () => {
  await vscode.runCommand("Nekode: Show History");
  await items().first().waitFor();
  // The keyboard is in the panel only then: a key that is pressed before goes to VS Code.
  await panel.locator("h2:focus").waitFor();
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
  await tabTo(panel.getByTestId("history-search"));
  await keyboard.insertText("三つの箱");
  await panel.locator("mark", { hasText: "三つの箱" }).waitFor();
  await expect.poll(() => items().count()).toBe(1);
  await vscode.screenshot("history-search-ja");

  await tabTo(panel.getByRole("button", { name: "More actions for 猫の写真を整理して" }));
  await press("Enter");
  await panel.getByRole("menuitem", { name: "Add to favorites" }).and(panel.locator(":focus")).waitFor();
  await press("ArrowDown", "ArrowDown", "ArrowDown", "Enter");
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
