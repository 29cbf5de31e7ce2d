/**
 * Sessions in editor tabs of their own beside the side bar: each with its approval and draft, over a switch, a reload and a close.
 * test/unit/vscode/{panels,drafts} prove for `npm test` which session and which draft belong to each place, and test/browser/project
 * what a panel shows of several tasks.
 */

import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { clickOn } from "../support/pointer.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const FRAME = 'iframe[src*="extensionId=nekode.nekode"]:visible';

let server: ModelServer;
let vscode: Workbench;
let view: FrameLocator;
/** The tab that is in front. */
let tab: FrameLocator;

const of = (name: string, answer: ScriptPart[]) => ({
  match: { firstUser: `Task ${name}`, request: 1 },
  answer,
});
const writes = (name: string): ScriptPart[] => [
  { text: `I write ${name}.` },
  { tool: "write_to_file", params: { path: `${name}.txt`, content: `of ${name}\n` } },
];

beforeAll(async () => {
  server = await startModelServer({
    script: {
      turns: [
        of("alpha", writes("alpha")),
        of("beta", [{ text: "beta: first, " }, { hold: "beta-1" }, { text: "second, " }, { hold: "beta-2" }]),
        of("gamma", writes("gamma")),
        { times: true, answer: [{ text: "That is all." }] },
      ],
    },
  });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native" },
    width: 1500,
  });
  await vscode.openPanel();
  const inFrame = (frame: string) => vscode.page.frameLocator(frame).frameLocator("iframe#active-frame");
  view = inFrame(`${FRAME}[src*="purpose=webviewView"]`);
  tab = inFrame(`${FRAME}:not([src*="purpose=webviewView"])`);
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const row = (place: FrameLocator, kind: string, text: string): Locator =>
  place.locator(`[data-testid=row][data-kind=${kind}]`).filter({ hasText: text });
const listed = (place: FrameLocator, name: string, says: string) =>
  place
    .getByTestId("session-item")
    .filter({ hasText: `Task ${name}` })
    .filter({ hasText: says });
const title = (place: FrameLocator, name: string) =>
  place.getByTestId("task-title").filter({ hasText: `Task ${name}` });

/** Begins a task in the side bar. */
async function begin(name: string): Promise<void> {
  // As for `taskBeside`; that one knows only one panel.
  const empty = view.locator(".empty");
  if (!(await empty.isVisible())) await vscode.titleAction("New Task");
  await empty.waitFor();
  await view.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(`Task ${name}`);
  await vscode.page.keyboard.press("Enter");
  await row(view, "user", `Task ${name}`).waitFor();
}

it("a task of the list opens in a tab of its own, and the side bar keeps what it shows", async () => {
  await begin("alpha");
  await view.getByTestId("approve").waitFor();
  await begin("beta");
  await server.waitForHold("beta-1");
  const item = listed(view, "alpha", "Needs approval");
  await clickOn(item, item.getByTestId("session-in-tab"));
  await tab.getByTestId("approve").waitFor();
  await title(tab, "alpha").waitFor();
  await title(view, "beta").waitFor();
  await vscode.tab("Task alpha").waitFor();
  await listed(tab, "beta", "Working").waitFor();
  await vscode.screenshot("tabs-two");
});

it("has a composer of its own, and the keys of the place that the user is in", async () => {
  await tab.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("for alpha");
  await expect.poll(() => view.getByTestId("chat-input").inputValue()).toBe("");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await row(tab, "text", "That is all.").waitFor();
  expect(vscode.workspace?.exists("alpha.txt")).toBe(true);
  await row(view, "text", "beta: first, ").waitFor();
  // Approved, the proposal is closed, which may move the focus.
  await vscode.tab("alpha.txt").waitFor({ state: "detached" });
});

it("the session of the side bar opens in a further tab, which stays in step with it and works on alone", async () => {
  await view.getByTestId("chat-input").click();
  await view.locator("[data-testid=chat-input]:focus").waitFor();
  await vscode.runCommand("Nekode: Open in Editor");
  await title(tab, "beta").waitFor();
  server.release("beta-1");
  for (const place of [view, tab]) await row(place, "text", "beta: first, second, ").waitFor();
  await begin("gamma");
  await view.getByTestId("approve").waitFor();
  await title(tab, "beta").waitFor();
  // A key acts on the side bar again.
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("x");
  await row(view, "text", "That is all.").waitFor();
  expect(vscode.workspace?.exists("gamma.txt")).toBe(false);
  await row(tab, "text", "beta: first, second, ").waitFor();
});

it("the history opens a task in the tab that has it", async () => {
  await vscode.titleAction("Show History");
  await view.getByRole("button", { name: "More actions for Task alpha" }).click();
  await view.getByTestId("history-in-tab").click();
  await title(tab, "alpha").waitFor();
  await vscode.screenshot("tabs-history");
  await expect.poll(() => vscode.tab("Task").count()).toBe(2);
  await view.getByRole("button", { name: /^Back/ }).click();
});

it("a reload restores each place with its own session and draft", async () => {
  await vscode.tab("Task beta").click();
  await title(tab, "beta").waitFor();
  await tab.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("for beta");
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for beta");
  const before = server.requests.length;
  const loaded = vscode.page.waitForEvent("load");
  await vscode.runCommand("Developer: Reload Window");
  await loaded;
  await title(tab, "beta").waitFor();
  await row(tab, "notice", "interrupted").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for beta");
  await title(view, "gamma").waitFor();
  await expect.poll(() => view.getByTestId("chat-input").inputValue()).toBe("");
  await vscode.tab("Task alpha").click();
  await title(tab, "alpha").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("for alpha");
  await vscode.screenshot("tabs-reloaded");
  expect(server.requests).toHaveLength(before);
});

it("a closed tab leaves its task working in the background; opened again, it has the draft", async () => {
  server.setScript({
    turns: [{ times: true, answer: [{ text: "More, " }, { hold: "more" }, { text: "and done." }] }],
  });
  await tab.getByTestId("chat-input").press("Enter");
  await server.waitForHold("more");
  await tab.getByTestId("chat-input").fill("later");
  await vscode.runCommand("View: Close Editor");
  await listed(view, "alpha", "Working").waitFor();
  server.release("more");
  const done = listed(view, "alpha", "Done");
  await done.hover();
  await vscode.screenshot("tabs-closed");
  await clickOn(done, done.getByTestId("session-in-tab"));
  await row(tab, "text", "More, and done.").waitFor();
  await expect.poll(() => tab.getByTestId("chat-input").inputValue()).toBe("later");
  await listed(view, "alpha", "").waitFor({ state: "detached" });
});

// The last one: a window that is reloaded while a page loads a part, such as the history, can stay blank in the browser.
it("a button in a tab's title means that tab, although the focus stays in the side bar", async () => {
  await view.getByTestId("chat-input").click();
  await view.locator("[data-testid=chat-input]:focus").waitFor();
  const titleBar = vscode.page.locator(".editor-group-container.active .editor-actions");
  await titleBar.getByRole("button", { name: /^Show History/ }).click();
  await tab.getByTestId("history-search").waitFor();
  await tab.getByRole("button", { name: /^Back/ }).click();
});
