/** Earlier tasks, as a user finds, keeps and loses them; and the way back into a conversation: edit, branch, retry. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const TALKS: [said: string, answer: string][] = [
  ["猫の写真を整理して", "写真は三つの箱に分けました。"],
  ["Explain the parser", "The tokenizer feeds it one token at a time."],
  ["境界値のテストを書いて", "空文字と最大長を確かめます。"],
];

beforeAll(async () => {
  const turns: ScriptTurn[] = TALKS.map(([said, text]) => ({
    match: { said },
    times: true,
    answer: [{ text }],
  }));
  server = await startModelServer({
    script: {
      turns: [
        ...turns,
        {
          match: { said: "Take your time" },
          times: true,
          answer: [{ text: "I begin" }, { hold: "middle" }, { text: " and end." }],
        },
        { times: true, answer: [{ text: "Something else." }] },
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

it("finds an earlier task by what was said in it, by keyboard alone", async () => {
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
  await items().nth(2).waitFor();
  await vscode.screenshot("history-list");
  for (const [index, [said]] of [...TALKS].reverse().entries())
    await items().nth(index).filter({ hasText: said }).waitFor();

  await tabTo(panel.getByTestId("history-search"));
  await keyboard.insertText("三つの箱");
  await panel.locator("mark", { hasText: "三つの箱" }).waitFor();
  await expect.poll(() => items().count()).toBe(1);
  await vscode.screenshot("history-search-ja");
  await press("ControlOrMeta+a");
  await keyboard.insertText("TOKENIZER");
  await panel.locator("mark", { hasText: "tokenizer" }).waitFor();
  await press("ControlOrMeta+a");
  await keyboard.insertText("箱は");
  await panel.getByText("No matching tasks.").waitFor();
  await press("ControlOrMeta+a");
  await keyboard.insertText("箱");
  await panel.locator("mark", { hasText: "箱" }).waitFor();
  await tabTo(items().first());
  await press("Enter");
  await vscode.row("text", "三つの箱").waitFor();
  await panel.getByTestId("history-search").waitFor({ state: "detached" });
  await vscode.screenshot("history-opened");
  expect(server.requests).toHaveLength(TALKS.length);
});

it("sorts, keeps, names, exports and deletes with a way back, by keyboard alone", async () => {
  const { keyboard } = vscode.page;
  await openHistory();
  await tabTo(panel.getByTestId("history-sort"));
  // The list of a select: the second entry.
  await press("ArrowDown");
  await expect.poll(() => items().first().textContent()).toContain("猫の写真");
  await tabTo(panel.getByRole("button", { name: "More actions for 猫の写真を整理して" }));
  await press("Enter");
  await panel.getByRole("menuitem", { name: "Add to favorites" }).and(panel.locator(":focus")).waitFor();
  await press("Enter");
  await focused("More actions for 猫の写真を整理して").waitFor();
  await items().first().locator(".icon-star").waitFor();
  await press("Enter");
  await panel.getByRole("menuitem", { name: "Remove from favorites" }).and(panel.locator(":focus")).waitFor();
  await press("ArrowDown", "ArrowDown", "Enter");
  await panel.locator("input[aria-label='Task name']:focus").waitFor();
  await press("ControlOrMeta+a");
  await keyboard.insertText("写真の件");
  await press("Enter");
  await expect.poll(() => items().first().textContent()).toContain("写真の件");
  await focused("More actions for 写真の件").waitFor();
  await vscode.screenshot("history-named");

  await press("Enter");
  await panel.getByRole("menu").waitFor();
  await press("ArrowDown", "ArrowDown", "ArrowDown", "Enter");
  const dialog = vscode.page.locator(".quick-input-widget");
  await dialog.getByText("OK").waitFor();
  await dialog.locator("input:focus").waitFor();
  await vscode.screenshot("history-export");
  await press("Enter");
  const folder = vscode.workspace?.folder ?? "";
  const exported = () => readdirSync(folder).filter((name) => name.endsWith(".md"));
  await expect.poll(exported).toHaveLength(1);
  const text = () => readFileSync(path.join(folder, exported()[0] ?? ""), "utf8");
  // A file is there before what is written into it.
  await expect.poll(text).toContain("写真は三つの箱に分けました。");
  expect(text()).toContain("写真の件");

  // The focus came back from the dialog.
  await focused("More actions for 写真の件").waitFor();
  await press("Enter");
  await panel.getByRole("menu").waitFor();
  await press("End", "Enter");
  await panel.getByText("“写真の件” was deleted.").waitFor();
  await expect.poll(() => items().count()).toBe(2);
  await vscode.screenshot("history-deleted");
  await focused("Undo").waitFor();
  await press("Enter");
  await expect.poll(() => items().count()).toBe(3);
  await press("Escape");
  await panel.locator("[data-testid=chat-input]").waitFor();
});

/** What the user and the model said, in the last request. */
const requested = () => {
  const { messages } = server.chat(server.requests.length);
  return messages.filter(({ role }) => role !== "system").map((message) => JSON.stringify(message.content));
};

it("sends an earlier message anew: the request lacks what came after, and the old branch stays", async () => {
  await openHistory();
  await items().filter({ hasText: "Explain the parser" }).click();
  await vscode.row("text", "one token at a time").waitFor();
  await vscode.send("猫の写真を整理して");
  await vscode.row("text", "三つの箱").waitFor();
  await vscode.send("Then a third thing");
  await vscode.row("text", "Something else.").waitFor();

  const second = vscode.row("user", "猫の写真を整理して");
  await second.hover();
  await vscode.screenshot("edit-hover");
  await second.getByTestId("edit-message").click();
  await panel.locator("[data-testid=edit-text]:focus").waitFor();
  await press("ControlOrMeta+a");
  await vscode.page.keyboard.insertText("境界値のテストを書いて");
  await vscode.screenshot("edit-open");
  await press("Enter");
  await vscode.row("text", "空文字と最大長").waitFor();
  await vscode.screenshot("edit-sent");
  await expect
    .poll(() => vscode.row("user").allTextContents())
    .toEqual([
      expect.stringContaining("Explain the parser"),
      expect.stringContaining("境界値のテストを書いて"),
    ]);
  const sent = requested();
  expect(sent).toHaveLength(3);
  expect(sent.join()).toContain("Explain the parser");
  expect(sent.join()).not.toContain("猫の写真");
  expect(sent.join()).not.toContain("third thing");

  await openHistory();
  await vscode.screenshot("edit-history");
  await items().filter({ hasText: "Explain the parser" }).filter({ hasNotText: "Branch of" }).click();
  await vscode.row("text", "Something else.").waitFor();
  await expect.poll(() => vscode.row("user").count()).toBe(3);
});

it("branches off before a message, whose words come into the composer", async () => {
  const input = panel.getByTestId("chat-input");
  await vscode.row("user", "Then a third thing").getByTestId("fork-message").click();
  await vscode.row("user", "Then a third thing").waitFor({ state: "detached" });
  await expect.poll(() => input.inputValue()).toContain("Then a third thing");
  await expect.poll(() => vscode.row("user").count()).toBe(2);
  await vscode.screenshot("fork");
  const before = server.requests.length;
  await input.press("Enter");
  await vscode.row("text", "Something else.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
  expect(requested()).toHaveLength(5);
  expect(server.refusals).toEqual([]);
});

it("lets a task that runs work on beside a new one and another one, and asks before an edit or a branch stops it", async () => {
  const question = panel.getByTestId("leave-question");
  const keep = async () => {
    await panel.locator("[data-testid=keep-working]:focus").waitFor();
    await press("Enter");
    await question.waitFor({ state: "detached" });
  };
  await vscode.newTask();
  await vscode.send("Explain the parser");
  await vscode.row("text", "one token at a time").waitFor();
  await vscode.send("Take your time");
  await server.waitForHold("middle");
  await vscode.row("text", "I begin").waitFor();

  await vscode.runCommand("Nekode: New Task");
  await vscode.row("user").first().waitFor({ state: "detached" });
  await vscode.otherTask("Explain the parser").filter({ hasText: "Working" }).waitFor();
  await vscode.screenshot("beside-new");
  await vscode.switchTo("Explain the parser");
  await vscode.row("text", "I begin").waitFor();
  await openHistory();
  await items().filter({ hasText: "境界値" }).first().click();
  await vscode.row("user", "境界値").first().waitFor();
  await vscode.otherTask("Explain the parser").filter({ hasText: "Working" }).waitFor();
  await vscode.screenshot("beside-other");
  await vscode.switchTo("Explain the parser");
  await vscode.row("text", "I begin").waitFor();
  expect(await question.count()).toBe(0);
  const first = vscode.row("user", "Explain the parser");
  await first.getByTestId("fork-message").click();
  await question.getByText("Stop it and branch off here?").waitFor();
  await vscode.screenshot("leave-fork");
  await keep();
  await first.getByTestId("edit-message").click();
  await panel.locator("[data-testid=edit-text]:focus").waitFor();
  await press("ControlOrMeta+a");
  await vscode.page.keyboard.insertText("猫の写真を整理して");
  await press("Enter");
  await question.getByText("Stop it and send the edited message?").waitFor();
  await keep();
  await panel.locator("[data-testid=edit-text]:focus").waitFor();
  // Nothing that was asked has stopped it.
  const running = server.requests.at(-1);
  expect(running?.abortedByClient).toBe(false);
  await press("Enter");
  await question.waitFor();
  await vscode.screenshot("leave-edit");
  await panel.getByTestId("stop-and-leave").click();
  await vscode.row("text", "三つの箱").waitFor();
  expect(running?.abortedByClient).toBe(true);
  await expect
    .poll(() => vscode.row("user").allTextContents())
    .toEqual([expect.stringContaining("猫の写真")]);

  await openHistory();
  await items().filter({ hasText: "Explain the parser" }).filter({ hasNotText: "Branch of" }).first().click();
  await vscode.row("text", "I begin").waitFor();
  await expect.poll(() => vscode.row("user", "Take your time").count()).toBe(1);
  expect(server.refusals).toEqual([]);
});
