/**
 * Getting from message to message, by key and by the names that screen readers read. test/browser/{transcript,find} prove for
 * `npm test` how the transcript is scrolled by keyboard.
 */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { ask, assistant, session, text, user } from "./support/events.ts";
import { focused, host, input, openPanel, page, servePanels, showScreen } from "./support/suite.ts";

servePanels();

const PARAGRAPH = "Some words that fill a line or two in a narrow panel, and then some more of them.\n\n";

/** The name of the row that has the focus, if a row has it. */
const here = () =>
  page.evaluate(() => {
    const { activeElement } = document;
    return (activeElement?.getAttribute("role") ?? activeElement?.tagName === "ARTICLE")
      ? (activeElement?.getAttribute("aria-label") ?? null)
      : null;
  });

function call(callId: string, path: string): EventBody[] {
  return [
    { type: "call", messageId: callId, callId, tool: "read_file", subject: path },
    { type: "call-done", callId, outcome: "done", shown: { text: "12" } },
  ];
}

const turns = (count: number): EventBody[] =>
  Array.from({ length: count }, (_, i) => [
    user(`Question ${i}`),
    ...call(`read-${i}`, `src/file-${i}.ts`),
    text(`Answer **${i}**. ${PARAGRAPH.repeat(4)}`),
  ]).flat();

async function open(...events: EventBody[]): Promise<void> {
  host.emit(session(), ...events);
  await openPanel();
  await page.getByTestId("row").last().waitFor();
}

describe("rows", () => {
  it("are articles, named by who speaks and what the content does not say", async () => {
    await open(
      user("Add a `test` to cats.js"),
      assistant({ type: "reasoning", text: "Hm." }),
      text("I will **read** [cats.js](cats.js:1) first."),
      ...call("read", "cats.js"),
      { type: "notice", id: "n", code: "stopped" },
      { type: "error", id: "e", error: { code: "empty-response" } },
      ...ask("run", "execute_command", "npm test", { command: "npm test" }),
    );
    await expect
      .poll(() =>
        page.getByRole("article").evaluateAll((all) => all.map((el) => el.getAttribute("aria-label"))),
      )
      .toEqual(["You", "Nekode", "Nekode", "Nekode", "Notice", "Error", "Nekode: waiting for your approval"]);
    expect(await findings(page)).toEqual([]);
  });

  it("are named in Japanese where the editor is", async () => {
    host.emit(session(), user("テストを追加"), text("**はい**。"));
    await openPanel({ boot: japanese });
    await expect
      .poll(() =>
        page.getByRole("article").evaluateAll((all) => all.map((el) => el.getAttribute("aria-label"))),
      )
      .toEqual(["あなた", "Nekode"]);
  });
});

describe("Alt+F2", () => {
  it("opens the message that has the focus, or else the last answer, as plain text", async () => {
    await open(...turns(2));
    await input().focus();
    await page.keyboard.press("Alt+F2");
    await expect.poll(() => host.named("host/show-answer")).toEqual([{}]);
    for (let i = 0; i < 3; i++) await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(here).toContain("Answer 0");
    await page.keyboard.press("Alt+F2");
    const row = await page.evaluate(() => document.activeElement?.getAttribute("data-row"));
    await expect.poll(() => host.named("host/show-answer")).toEqual([{}, { row }]);
  });
});

describe("Alt+Up and Alt+Down", () => {
  it("go from message to message and past the steps of work, and back to the input", async () => {
    await open(...turns(3));
    await input().focus();
    const seen: (string | null)[] = [];
    for (let i = 0; i < 6; i++) {
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(here).not.toBe(seen.at(-1) ?? null);
      seen.push(await here());
    }
    expect(seen.map((name) => name?.slice(0, 18))).toEqual([
      "Nekode: Answer 2. ",
      "You: Question 2",
      "Nekode: Answer 1. ",
      "You: Question 1",
      "Nekode: Answer 0. ",
      "You: Question 0",
    ]);
    await page.keyboard.press("Alt+ArrowUp");
    expect(await here()).toBe("You: Question 0");
    for (const name of ["Nekode: Answer 0.", "You: Question 1", "Nekode: Answer 1.", "You: Question 2"]) {
      await page.keyboard.press("Alt+ArrowDown");
      await expect.poll(here).toContain(name);
    }
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(here).toContain("Nekode: Answer 2.");
    await page.keyboard.press("Alt+ArrowDown");
    await expect.poll(focused).toBe("chat-input");
  });

  it("bring the beginning of the message into sight, however far it is", async () => {
    await open(...turns(60));
    await input().focus();
    for (let i = 0; i < 90; i++) await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(here).toBe("You: Question 15");
    const offset = () =>
      page.evaluate(() => {
        const box = document.querySelector("[data-testid=transcript]");
        const top = document.activeElement?.getBoundingClientRect().top ?? Number.NaN;
        return Math.round(top - (box?.getBoundingClientRect().top ?? 0));
      });
    await expect.poll(offset).toBe(0);
    // And it stays there while the answer grows.
    host.emit({ type: "delta", messageId: "m", block: 0, kind: "text", delta: PARAGRAPH.repeat(9) });
    await page.getByRole("button", { name: "Jump to latest" }).waitFor();
    expect(await offset()).toBe(0);
    await page.keyboard.press("End");
    await page.getByRole("button", { name: "Jump to latest" }).waitFor({ state: "detached" });
  });

  it("pass what is folded, unless its fold is open", async () => {
    await open(
      user("Question"),
      text("First I read."),
      ...call("one", "a.ts"),
      ...call("two", "b.ts"),
      ...call("three", "c.ts"),
      text("The answer."),
      { type: "status", status: "idle" },
    );
    await input().focus();
    for (const name of ["Nekode: The answer.", "You: Question"]) {
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(here).toBe(name);
    }
    expect(await page.getByText("First I read.").count()).toBe(0);
    await page.getByTestId("transcript").getByRole("button", { expanded: false }).first().click();
    await page.getByText("First I read.").waitFor();
    await input().focus();
    for (const name of ["Nekode: The answer.", "Nekode: First I read.", "You: Question"]) {
      await page.keyboard.press("Alt+ArrowUp");
      await expect.poll(here).toBe(name);
    }
  });

  it("load what is before the first loaded message", async () => {
    host.emit(session(), user("The last question"));
    host.view = { ...host.view, earlier: 2 };
    host.earlier = () =>
      host.emit({
        type: "earlier",
        messages: [
          { id: "first", role: "user", display: "The first", createdAt: "", blocks: [] },
          { id: "second", role: "assistant", createdAt: "", blocks: [{ type: "text", text: "Its answer" }] },
        ],
        subjects: {},
        left: 0,
      });
    await openPanel();
    await page.getByTestId("row").last().waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(here).toBe("You: The last question");
    await page.keyboard.press("Alt+ArrowUp");
    await expect.poll(here).toBe("Nekode: Its answer");
  });

  it("leave a covering screen alone", async () => {
    await open(...turns(1));
    showScreen("history");
    await page.getByTestId("history-search").waitFor();
    await page.keyboard.press("Alt+ArrowUp");
    expect(await here()).toBe(null);
  });
});
