/** The memory of the project in the panel: the row of a write with its Undo, the list, and what a task has read. */

import { expect, it } from "vitest";
import * as z from "zod/mini";
import { REMEMBER_FACE } from "../../src/core/tools/remember.ts";
import { type MemoryList, memoryActionSchema } from "../../src/shared/memory-list.ts";
import { reasonOf } from "../../src/shared/reason.ts";
import { findings } from "./support/axe.ts";
import { assistant, message, user } from "./support/events.ts";
import { someMemory } from "./support/fixtures.ts";
import {
  focused,
  host,
  openPanel,
  overflow,
  page,
  picture,
  servePanels,
  showScreen,
} from "./support/suite.ts";

servePanels();

/** Answers as a host with these notes does. Returns what was asked. */
function play(list: MemoryList): unknown[] {
  const asked: unknown[] = [];
  let now = list;
  host.memoryAfter = (ask) => {
    asked.push(ask);
    const action = z.nullable(memoryActionSchema).parse(ask);
    const gone = action?.action === "undo" ? action.change.id : action?.action === "remove" ? action.id : "";
    if (action?.action === "clear") now = { ...now, notes: [] };
    else now = { ...now, notes: now.notes.filter(({ id }) => id !== gone) };
    return now;
  };
  return asked;
}

const NOTE = someMemory.notes[0]?.text ?? "";
const subject = `add ${NOTE}`;

function remember(): void {
  host.emit(user("Note it"));
  host.emit(assistant({ type: "tool-call", id: "c", name: "remember", params: { text: NOTE } }));
  host.emit({ type: "call", messageId: "m", callId: "c", tool: "remember", subject, face: REMEMBER_FACE });
}

it("the row of a write says what was noted, and Undo removes it with the keyboard", async () => {
  const asked = play(someMemory);
  await openPanel({ width: 250 });
  remember();
  host.emit({ type: "call-running", callId: "c" });
  host.emit({
    type: "message",
    message: message("tool", {
      blocks: [
        {
          ...{ type: "tool-result", callId: "c", name: "remember", label: "remember", outcome: "done" },
          ...{ parts: [], shown: { text: "", memory: { id: "a1b2c3" } } },
        },
      ],
    }),
  });
  const row = page.locator('[data-row="c"]');
  await row.getByText("Remembered").waitFor();
  await row.getByText(NOTE).waitFor();
  await expect.poll(overflow).toBe(0);
  await picture("memory-row-dark-250");
  await page.getByTestId("undo-memory").focus();
  await page.keyboard.press("Enter");
  await row.getByText("No longer in memory").waitFor();
  expect(asked).toEqual([null, { action: "undo", change: { id: "a1b2c3" } }]);
  expect(await findings(page)).toEqual([]);
});

it("a write that asks shows the whole note and who reads it", async () => {
  await openPanel({ width: 250 });
  remember();
  const reason = reasonOf("memory-untrusted", "Use npm.");
  host.emit({ type: "approval", callId: "c", approval: { callId: "c", access: "edit", reason } });
  host.emit({ type: "status", status: "approval" });
  const card = page.getByRole("region", { name: "Change what is remembered about this project?" });
  await card.getByText(NOTE).waitFor();
  await card
    .getByText("text from outside the project may have led to it, and all later tasks read it. Now: Use npm.")
    .waitFor();
  await card.getByTestId("approve").getByText("Change memory").waitFor();
  await picture("memory-card-dark-250");
  await expect.poll(overflow).toBe(0);
});

it("lists the notes with their source, deletes one, and opens its session and the file", async () => {
  const asked = play(someMemory);
  await openPanel({ width: 250 });
  showScreen("memory");
  const notes = page.getByTestId("memory-note");
  await notes.last().waitFor();
  await notes.first().getByText("build · 2026-11-29 13:41 · Add a sentence to neko.txt").waitFor();
  await notes.nth(2).getByText("written by you").waitFor();
  await notes.last().getByText("it contains invisible characters").waitFor();
  await expect.poll(overflow).toBe(0);
  expect(await findings(page)).toEqual([]);
  await picture("memory-list-dark-250");
  await page.getByTestId("open-memory").click();
  await page.getByRole("button", { name: `Delete: ${NOTE}` }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => notes.count()).toBe(3);
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("Memory");
  expect(asked).toEqual([null, { action: "open" }, { action: "remove", id: "a1b2c3" }]);
});

it("opens the session of a note", async () => {
  play(someMemory);
  await openPanel();
  showScreen("memory");
  await page.getByTestId("note-session").click();
  await page.getByTestId("memory-list").waitFor({ state: "detached" });
  expect(host.named("history/open")).toEqual([{ id: "a" }]);
});

it("deletes all notes only after a question, whose first answer is no", async () => {
  const asked = play({ ...someMemory, on: false });
  await openPanel({ width: 250 });
  showScreen("memory");
  await page.getByText("Memory is off, so tasks neither read nor write notes.").waitFor();
  await page.getByTestId("clear-memory").click();
  await page.getByRole("alertdialog", { name: "Delete all 4 notes?" }).waitFor();
  await expect.poll(focused).toBe("keep-memory");
  expect(await findings(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByTestId("clear-question").waitFor({ state: "detached" });
  await page.getByTestId("clear-memory").click();
  await page.getByTestId("clear-now").click();
  await page.getByText("Nothing is remembered yet.").waitFor();
  expect(asked).toEqual([null, { action: "clear" }]);
});

it("says that a damaged file is not used, and opens it", async () => {
  const asked = play({ notes: [], file: "/data/memory.md", problem: "unreadable", on: true });
  await openPanel({ width: 250 });
  showScreen("memory");
  await page.getByText("The memory is not used: /data/memory.md is too large").waitFor();
  await page.getByTestId("open-memory").click();
  await expect.poll(() => asked.at(-1)).toEqual({ action: "open" });
});

it("the context window says which notes the task has read", async () => {
  host.windowContents = { ...host.windowContents, memory: someMemory.notes.slice(0, 1) };
  await openPanel({ width: 340 });
  await page.getByTestId("context-meter").click();
  await page.getByTestId("context-note").getByText(NOTE).waitFor();
  await expect.poll(overflow).toBe(0);
  await page.getByTestId("context-popover").getByRole("button", { name: "Show memory" }).click();
  await page.getByTestId("memory-list").waitFor();
});
