/** Earlier tasks, as a user finds, keeps and loses them; and the way back into a conversation: edit, branch, retry. */

import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptTurn, startModelServer } from "../../model-server/server.ts";
import { clickOn } from "../../support/pointer.ts";
import { JOURNEY, openProjectPanel, type ProjectPanel } from "../support/project-panel.ts";

let server: ModelServer;
let nekode: ProjectPanel;
let page: Page;

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
  nekode = await openProjectPanel({
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
  });
  page = nekode.page;
});
afterAll(async () => {
  await nekode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const items = () => page.getByTestId("history-item");
/** Who has the focus in the panel. */
const focused = (name: string) => page.locator(":focus").and(page.getByRole("button", { name }));

it("finds an earlier task by what was said in it, by keyboard alone", JOURNEY, async () => {
  const { keyboard } = page;
  for (const [at, [said, answer]] of TALKS.entries()) {
    // What the commands of VS Code do.
    if (at === 0) nekode.host.notify("composer/focus", {});
    else await nekode.taskBeside();
    await page.locator("[data-testid=chat-input]:focus").waitFor();
    await keyboard.insertText(said);
    await keyboard.press("Enter");
    await nekode.row("text", answer).waitFor();
  }
  await nekode.openHistory();
  await items().nth(2).waitFor();
  for (const [index, [said]] of [...TALKS].reverse().entries())
    await items().nth(index).filter({ hasText: said }).waitFor();

  await page.locator("[data-testid=history-search]:focus").waitFor();
  await keyboard.insertText("三つの箱");
  await page.locator("mark", { hasText: "三つの箱" }).waitFor();
  await expect.poll(() => items().count()).toBe(1);
  await nekode.press("ControlOrMeta+a");
  await keyboard.insertText("TOKENIZER");
  await page.locator("mark", { hasText: "tokenizer" }).waitFor();
  await nekode.press("ControlOrMeta+a");
  await keyboard.insertText("箱は");
  await page.getByText("No matching sessions.").waitFor();
  await nekode.press("ControlOrMeta+a");
  await keyboard.insertText("箱");
  await page.locator("mark", { hasText: "箱" }).waitFor();
  await nekode.tabTo(items().first());
  await nekode.press("Enter");
  await nekode.row("text", "三つの箱").waitFor();
  await page.getByTestId("history-search").waitFor({ state: "detached" });
  expect(server.requests).toHaveLength(TALKS.length);
});

it("sorts, keeps, names, exports and deletes with a way back, by keyboard alone", JOURNEY, async () => {
  const { keyboard } = page;
  await nekode.openHistory();
  await nekode.tabTo(page.getByTestId("history-sort"));
  // The list of a select: the second entry.
  await nekode.press("ArrowDown");
  await expect.poll(() => items().first().textContent()).toContain("猫の写真");
  await nekode.tabTo(page.getByRole("button", { name: "More actions for 猫の写真を整理して" }));
  await nekode.press("Enter");
  await page.getByRole("menuitem", { name: "Add to favorites" }).and(page.locator(":focus")).waitFor();
  await nekode.press("Enter");
  await focused("More actions for 猫の写真を整理して").waitFor();
  await items().first().locator(".icon-star").waitFor();
  await nekode.press("Enter");
  await page.getByRole("menuitem", { name: "Remove from favorites" }).and(page.locator(":focus")).waitFor();
  await nekode.press("ArrowDown", "ArrowDown", "Enter");
  await page.locator("input[aria-label='Session name']:focus").waitFor();
  await nekode.press("ControlOrMeta+a");
  await keyboard.insertText("写真の件");
  await nekode.press("Enter");
  await expect.poll(() => items().first().textContent()).toContain("写真の件");
  await focused("More actions for 写真の件").waitFor();

  await nekode.press("Enter");
  await page.getByRole("menu").waitFor();
  await nekode.press("ArrowDown", "ArrowDown", "ArrowDown", "ArrowRight");
  await page.getByRole("menuitem", { name: "Export as Markdown" }).and(page.locator(":focus")).waitFor();
  await nekode.press("Enter");
  const { saved } = nekode.host;
  await expect.poll(() => saved.length).toBe(1);
  expect(saved[0]?.name).toMatch(/\.md$/);
  expect(saved[0]?.text).toContain("写真は三つの箱に分けました。");
  expect(saved[0]?.text).toContain("写真の件");

  await focused("More actions for 写真の件").waitFor();
  await nekode.press("Enter");
  await page.getByRole("menu").waitFor();
  await nekode.press("End", "Enter");
  await page.getByText("“写真の件” was deleted.").waitFor();
  await expect.poll(() => items().count()).toBe(2);
  await focused("Undo").waitFor();
  await nekode.press("Enter");
  await expect.poll(() => items().count()).toBe(3);
  await nekode.press("Escape");
  await nekode.input.waitFor();
});

/** What the user and the model said, in the last request. */
const requested = () => {
  const { messages } = server.chat(server.requests.length);
  return messages.filter(({ role }) => role !== "system").map((message) => JSON.stringify(message.content));
};

it(
  "sends an earlier message anew: the request lacks what came after, and the old branch stays",
  JOURNEY,
  async () => {
    await nekode.openHistory();
    await items().filter({ hasText: "Explain the parser" }).click();
    await nekode.row("text", "one token at a time").waitFor();
    await nekode.send("猫の写真を整理して");
    await nekode.row("text", "三つの箱").waitFor();
    await nekode.send("Then a third thing");
    await nekode.row("text", "Something else.").waitFor();

    const second = nekode.row("user", "猫の写真を整理して");
    await clickOn(second, second.getByTestId("edit-message"));
    await page.locator("[data-testid=edit-text]:focus").waitFor();
    await nekode.press("ControlOrMeta+a");
    await page.keyboard.insertText("境界値のテストを書いて");
    await nekode.press("Enter");
    await nekode.row("text", "空文字と最大長").waitFor();
    await expect
      .poll(() => nekode.row("user").allTextContents())
      .toEqual([
        expect.stringContaining("Explain the parser"),
        expect.stringContaining("境界値のテストを書いて"),
      ]);
    const sent = requested();
    expect(sent).toHaveLength(3);
    expect(sent.join()).toContain("Explain the parser");
    expect(sent.join()).not.toContain("猫の写真");
    expect(sent.join()).not.toContain("third thing");

    await nekode.openHistory();
    await items().filter({ hasText: "Explain the parser" }).filter({ hasNotText: "Branch of" }).click();
    await nekode.row("text", "Something else.").waitFor();
    await expect.poll(() => nekode.row("user").count()).toBe(3);
  },
);

it("branches off before a message, whose words come into the composer", JOURNEY, async () => {
  await nekode.row("user", "Then a third thing").getByTestId("fork-message").click();
  await nekode.row("user", "Then a third thing").waitFor({ state: "detached" });
  await expect.poll(() => nekode.input.inputValue()).toContain("Then a third thing");
  await expect.poll(() => nekode.row("user").count()).toBe(2);
  const before = server.requests.length;
  await nekode.input.press("Enter");
  await nekode.row("text", "Something else.").waitFor();
  expect(server.requests).toHaveLength(before + 1);
  expect(requested()).toHaveLength(5);
});

it(
  "lets a task that runs work on beside a new one and another one, and asks before an edit or a branch stops it",
  JOURNEY,
  async () => {
    const question = page.getByTestId("leave-question");
    const keep = async () => {
      await page.locator("[data-testid=keep-working]:focus").waitFor();
      await nekode.press("Enter");
      await question.waitFor({ state: "detached" });
    };
    await nekode.newTask();
    await nekode.send("Explain the parser");
    await nekode.row("text", "one token at a time").waitFor();
    await nekode.send("Take your time");
    await server.waitForHold("middle");
    await nekode.row("text", "I begin").waitFor();

    await nekode.taskBeside();
    await nekode.otherTask("Explain the parser").filter({ hasText: "Working" }).waitFor();
    await nekode.switchTo("Explain the parser");
    await nekode.row("text", "I begin").waitFor();
    await nekode.openHistory();
    await items().filter({ hasText: "境界値" }).first().click();
    await nekode.row("user", "境界値").first().waitFor();
    await nekode.otherTask("Explain the parser").filter({ hasText: "Working" }).waitFor();
    await nekode.switchTo("Explain the parser");
    await nekode.row("text", "I begin").waitFor();
    expect(await question.count()).toBe(0);
    const first = nekode.row("user", "Explain the parser");
    await first.getByTestId("fork-message").click();
    await question.getByText("Stop it and branch off here?").waitFor();
    await keep();
    await first.getByTestId("edit-message").click();
    await page.locator("[data-testid=edit-text]:focus").waitFor();
    await nekode.press("ControlOrMeta+a");
    await page.keyboard.insertText("猫の写真を整理して");
    await nekode.press("Enter");
    await question.getByText("Stop it and send the edited message?").waitFor();
    await keep();
    await page.locator("[data-testid=edit-text]:focus").waitFor();
    // Nothing that was asked has stopped it.
    const running = server.requests.at(-1);
    expect(running?.abortedByClient).toBe(false);
    await nekode.press("Enter");
    await question.waitFor();
    await page.getByTestId("stop-and-leave").click();
    await nekode.row("text", "三つの箱").waitFor();
    expect(running?.abortedByClient).toBe(true);
    await expect
      .poll(() => nekode.row("user").allTextContents())
      .toEqual([expect.stringContaining("猫の写真")]);

    await nekode.openHistory();
    await items()
      .filter({ hasText: "Explain the parser" })
      .filter({ hasNotText: "Branch of" })
      .first()
      .click();
    await nekode.row("text", "I begin").waitFor();
    await expect.poll(() => nekode.row("user", "Take your time").count()).toBe(1);
  },
);
