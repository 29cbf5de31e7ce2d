/**
 * The side bar shows something else while a task works: what tells of it there (a badge, a status bar item that brings the panel back, a
 * notification, a sound), and what comes back, which is the same page with all that happened meanwhile. The rest is in
 * hidden.long.test.ts.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import { soundPlayer } from "../../src/node/system-sound.ts";
import { away, badge, hide, seen, state, TEST, toast, watch } from "./support/hidden-page.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

/** Messages to a page that is shown again: its state, what else changed, and the answers to its own requests. */
const MESSAGE_LIMIT = 12;

const LINES = Array.from({ length: 200 }, (_, n) => `Line ${n} of the answer.\n\n`).join("");

inUsualWindow();
beforeEach(() =>
  server.setScript({
    turns: [
      {
        match: { firstUser: "Talk" },
        answer: [{ text: LINES }, { hold: "middle" }, { text: "And the last line." }],
      },
      { match: { firstUser: "Test it", request: 1 }, answer: [TEST] },
      { match: { firstUser: "Test it" }, answer: [{ hold: "end" }, { text: "That is all." }] },
    ],
  }),
);

const input = () => panel.getByTestId("chat-input");

/** The first line of the answer that can be seen, and how many pixels below the edge it begins. */
function topLine(box: Element): string {
  const edge = box.getBoundingClientRect().top;
  for (const line of box.querySelectorAll("[data-kind=text] p")) {
    const { top } = line.getBoundingClientRect();
    if (top >= edge) return `${line.textContent} at ${Math.round(top - edge)}`;
  }
  return "none";
}

it("hidden while an answer streams: nothing happens in the page, and then all of the answer is there", async () => {
  await vscode.send("Talk");
  await server.waitForHold("middle");
  await vscode.row("text", "Line 199").waitFor();
  const transcript = panel.getByTestId("transcript");
  await transcript.hover();
  await vscode.page.mouse.wheel(0, -700);
  await panel.getByRole("button", { name: "Jump to latest" }).waitFor();
  await input().click();
  await vscode.page.keyboard.insertText("a draft, 途中");
  const firstLine = () => transcript.evaluate(topLine);
  const before = await firstLine();
  expect(before).toContain("Line");

  const frame = await hide();
  await watch(frame);
  server.release("middle");
  await state("Nekode is done").waitFor();
  expect(await seen(frame)).toEqual({ messages: [], changes: [] });
  expect(
    (await frame.evaluate(() => document.getAnimations().map(({ playState }) => playState))).filter(
      (state) => state === "running",
    ),
  ).toEqual([]);
  // What is typed goes where the user is.
  await vscode.page.keyboard.insertText("typed in the editor ");
  await expect.poll(async () => (await vscode.editorText()).join("")).toContain("typed in the editor");
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await vscode.tab("a.txt").and(vscode.page.locator(".dirty")).waitFor({ state: "hidden" });

  await vscode.openPanel();
  // The same page, to which the state was sent once.
  const { messages } = await seen(frame);
  const sent = (name: string) => messages.filter((each: string) => each === name).length;
  expect([sent("chat/snapshot"), sent("chat/events"), sent("host/visible")]).toEqual([1, 0, 1]);
  expect(messages.length).toBeLessThan(MESSAGE_LIMIT);
  await vscode.row("text", "And the last line.").waitFor({ state: "attached" });
  expect(await firstLine()).toBe(before);
  await expect.poll(() => input().inputValue()).toBe("a draft, 途中");
  await vscode.screenshot("hidden-stream");
  await panel.getByRole("button", { name: "Jump to latest" }).click();
  await vscode.row("text", "And the last line.").waitFor();
  await input().fill("");
});

/** The lines of Nekode's own log. */
function log(): string {
  const logs = path.join(vscode.userDataDir, "logs");
  const files = readdirSync(logs, { recursive: true, encoding: "utf8" }).filter((file) =>
    /nekode\.nekode\/.*\.log$/.test(file),
  );
  return files.map((file) => readFileSync(path.join(logs, file), "utf8")).join("");
}

it("an approval that waits behind another view is seen and answered from there, and so is the end", async () => {
  // Those of the tests before may still be on screen.
  await vscode.runCommand("Notifications: Clear All Notifications");
  await expect.poll(() => toast("Nekode").count()).toBe(0);
  await vscode.send("Test it");
  await vscode.row("approval").waitFor();
  await away();
  await vscode.holdNotification("Nekode is waiting for your approval");
  await state("waiting for your approval").waitFor();
  await badge().waitFor();
  // Whether it is heard cannot be seen; where nothing can play it, the log has the reason.
  if (soundPlayer() === undefined) await expect.poll(log).toContain("no sound was played");
  await vscode.screenshot("attention-hidden");
  await state("waiting for your approval").click();
  await vscode.row("approval").waitFor();
  await badge().waitFor({ state: "detached" });

  await away();
  await badge().waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await server.waitForHold("end");
  await state("Nekode is working").waitFor();
  await badge().waitFor({ state: "detached" });
  await vscode.screenshot("attention-answered");
  server.release("end");
  const done = await vscode.holdNotification("Nekode is done");
  await badge().waitFor();
  await done.getByRole("button", { name: "Show", exact: true }).click();
  await vscode.row("text", "That is all.").waitFor();
  await badge().waitFor({ state: "detached" });
  await state("Nekode is").waitFor({ state: "detached" });
});
