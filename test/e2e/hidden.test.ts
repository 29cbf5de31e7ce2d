/** The side bar shows something else while a task works: what comes back is the same page, with all that happened meanwhile. */
import type { Frame, FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

/** Messages to a page that is shown again: its state, what else changed, and the answers to its own requests. */
const MESSAGE_LIMIT = 12;

const LINES = Array.from({ length: 200 }, (_, n) => `Line ${n} of the answer.\n\n`).join("");

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
