/**
 * The side bar shows something else while a task works: what tells of it there (a badge, a status bar item that brings the panel back, a
 * notification, a sound), and what comes back, which is the same page with all that happened meanwhile.
 */
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Frame, FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { soundPlayer } from "../../src/node/system-sound.ts";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

/** Messages to a page that is shown again: its state, what else changed, and the answers to its own requests. */
const MESSAGE_LIMIT = 12;

const LINES = Array.from({ length: 200 }, (_, n) => `Line ${n} of the answer.\n\n`).join("");

const TEST: ScriptPart = {
  tool: "execute_command",
  params: { command: "npm --version", requires_approval: true },
};

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        {
          match: { firstUser: "Talk" },
          answer: [{ text: LINES }, { hold: "middle" }, { text: "And the last line." }],
        },
        {
          match: { firstUser: "Run it", request: 1 },
          answer: [
            { text: "I ask first. " },
            { hold: "before the question" },
            {
              tool: "execute_command",
              params: { command: "echo made > made.txt", requires_approval: true },
            },
          ],
        },
        { match: { firstUser: "Run it" }, answer: [{ text: "It was run." }] },
        { match: { firstUser: "Test it", request: 1 }, answer: [TEST] },
        { match: { firstUser: "Test it" }, answer: [{ hold: "end" }, { text: "That is all." }] },
        { match: { firstUser: "Test again", request: 1 }, answer: [TEST] },
        { match: { firstUser: "Test again" }, answer: [{ text: "That was all." }] },
      ],
    },
  });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native", "nekode.notifications.sound": true },
  });
  panel = await vscode.openPanel();
});
beforeEach(async () => {
  await vscode.openPanel();
  await vscode.newTask();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const state = (says: string) => vscode.page.locator(`.statusbar-item[aria-label*="${says}"]`);
const input = () => panel.getByTestId("chat-input");

/** Shows the file in the editor and the explorer beside it. The page of the panel stays. */
async function hide(): Promise<Frame> {
  const frame = await vscode.panelFrame();
  await vscode.openFile("a.txt");
  // The chip of the first file is loaded on demand; it would still appear in the hidden page.
  await frame.getByTestId("current-file").waitFor();
  await vscode.runCommand("View: Show Explorer");
  await frame.locator(":root[data-hidden]").waitFor({ state: "attached" });
  await vscode.openFile("a.txt");
  return frame;
}

/** The first line of the answer that can be seen, and how many pixels below the edge it begins. */
function topLine(box: Element): string {
  const edge = box.getBoundingClientRect().top;
  for (const line of box.querySelectorAll("[data-kind=text] p")) {
    const { top } = line.getBoundingClientRect();
    if (top >= edge) return `${line.textContent} at ${Math.round(top - edge)}`;
  }
  return "none";
}

/** Records from now on what the page receives and what changes in it, and whether it is the same page. */
async function watch(frame: Frame): Promise<void> {
  await frame.evaluate(() => {
    const seen: { messages: string[]; changes: string[] } = { messages: [], changes: [] };
    Reflect.set(window, "seen", seen);
    addEventListener("message", ({ data }) => seen.messages.push(data.name ?? data.frame));
    new MutationObserver((list) => {
      for (const { type, target, attributeName } of list)
        seen.changes.push(
          `${type} of ${target.nodeName} ${attributeName ?? target.textContent?.slice(0, 80)}`,
        );
    }).observe(document, { attributes: true, characterData: true, childList: true, subtree: true });
  });
}
const seen = (frame: Frame) => frame.evaluate(() => Reflect.get(window, "seen"));

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

it("an approval that came while it was hidden is shown, and its button works", async () => {
  await vscode.send("Run it");
  await server.waitForHold("before the question");
  const frame = await hide();
  await watch(frame);
  server.release("before the question");
  await state("waiting for your approval").waitFor();
  expect(await seen(frame)).toEqual({ messages: [], changes: [] });
  await vscode.editing("a.txt");

  await vscode.openPanel();
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot("hidden-approval");
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await panel.getByTestId("approve").click();
  await vscode.row("text", "It was run.").waitFor();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");
  expect((await seen(frame)).messages).toContain("chat/snapshot");
});

it("has the colors of a theme that was chosen meanwhile", async () => {
  const frame = await hide();
  const color = () => frame.evaluate(() => getComputedStyle(document.body).color);
  const before = await color();
  await vscode.runCommand("Preferences: Toggle between Light/Dark Themes");
  await vscode.page.locator(".monaco-workbench.vs").waitFor();
  await vscode.openPanel();
  await panel.locator("body.vscode-light").waitFor();
  expect(await color()).not.toBe(before);
  await vscode.screenshot("hidden-theme");
});

const badge = () => vscode.page.locator(".activitybar .badge-content", { hasText: "1" });
const toast = (says: string) => vscode.page.locator(".notification-toast", { hasText: says });
const away = () => vscode.runCommand("View: Show Explorer");

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

it("says nothing but by badge and status bar where notifications are off", async () => {
  const { page } = vscode;
  // By hand in the file, as a click in the editor of settings can be lost while it draws its results again.
  const file = path.join(vscode.userDataDir, "Machine/settings.json");
  const settings: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...settings, "nekode.notifications.enabled": false }));
  await vscode.runCommand("Preferences: Open Settings (UI)");
  await page.locator(".settings-editor .search-container .monaco-editor.focused").waitFor();
  await page.keyboard.insertText("nekode.notifications.enabled");
  await page
    .locator(".settings-editor")
    .getByRole("tab", { name: /^Remote/ })
    .click();
  const item = page.locator(".settings-editor .setting-item-bool", { hasText: "Notifications: Enabled" });
  const setting = item.getByRole("checkbox");
  await expect.poll(() => setting.getAttribute("aria-checked")).toBe("false");
  // The mark of a setting that is stored.
  await page
    .locator(".settings-editor .setting-item-contents.is-configured", { hasText: "Notifications: Enabled" })
    .waitFor();
  await vscode.closeModal();
  // An earlier notification may still be on screen.
  await vscode.runCommand("Notifications: Clear All Notifications");
  await expect.poll(() => toast("Nekode").count()).toBe(0);
  await vscode.openPanel();
  await vscode.send("Test again");
  await vscode.row("approval").waitFor();
  await away();
  await badge().waitFor();
  await state("waiting for your approval").click();
  await vscode.panel().getByTestId("approve").click();
  await vscode.row("text", "That was all.").waitFor();
  expect(await toast("Nekode").count()).toBe(0);
  await vscode.screenshot("attention-quiet");
});
