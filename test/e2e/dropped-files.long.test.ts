/**
 * What the model is given, as a user decides on it with VS Code's own means: what is dragged in, selected code, and the message itself,
 * with keys that the editor knows too. test/vscode/{dropped,surroundings} and test/browser/{mentions,composer-keys} prove its parts for
 * `npm test`.
 */
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => server.forgetRequests());
afterAll(() => server.close());

/** VS Code may not see what is written into folders that came after the window: the files of every test that shares it. */
const FILES = {
  "my notes/neko (1).txt": "A cat.\n",
  "inu.txt": "A dog.\n",
  "cats.js": ["first", "second", "third", "fourth", "fifth"].map((word) => `// ${word} cat\n`).join(""),
};

async function start(answers: ScriptPart[][]): Promise<void> {
  server.setScript({ turns: answers.map((answer, i) => ({ match: { request: i + 1 }, answer })) });
  vscode = await shareWorkbench({ files: FILES, modelServer: { baseUrl: server.url } });
  panel = await vscode.openPanel();
}

const input = () => panel.getByTestId("chat-input");
const row = (kind: string): Locator => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const said = (request: number): string => JSON.stringify(server.chat(request).messages.slice(1));

it("a file is dragged into the message with Shift held, and taken out again by its chip", async () => {
  await start([[{ tool: "attempt_completion", params: { result: "Done." } }]]);
  await vscode.openFile("my notes/neko (1).txt");
  await vscode.openFile("inu.txt");
  await input().click();
  await vscode.page.keyboard.insertText("Compare ");
  for (const name of ["neko (1).txt", "inu.txt"]) await dragToPanel(vscode.tab(name));
  await expect.poll(() => input().inputValue()).toBe('Compare @"/my notes/neko (1).txt" @/inu.txt ');
  const chips = () => panel.getByTestId("mention-chip").allTextContents();
  await expect.poll(chips).toEqual(["neko (1).txt", "inu.txt"]);
  await vscode.screenshot("dropped");
  await panel.getByRole("button", { name: "Remove inu.txt" }).click();
  await expect.poll(() => input().inputValue()).toBe('Compare @"/my notes/neko (1).txt" ');
  await vscode.page.keyboard.press("Enter");
  await row("result").waitFor();
  expect(said(1)).toContain('<file_content path=\\"my notes/neko (1).txt\\">\\nA cat.');
  expect(said(1)).not.toContain("A dog.");
});

it("selected code becomes one chip, and what is typed next goes to the chat", async () => {
  await start([[{ tool: "attempt_completion", params: { result: "Cats." } }]]);
  await vscode.openFile("cats.js");
  await vscode.page.keyboard.press("ControlOrMeta+Home");
  for (let line = 0; line < 4; line++) await vscode.page.keyboard.press("Shift+ArrowDown");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("a");
  await expect.poll(() => input().inputValue()).toBe("@/cats.js:1-4 ");
  await panel.locator("textarea:focus").waitFor();
  await vscode.page.keyboard.type("why?");
  await expect.poll(() => input().inputValue()).toBe("@/cats.js:1-4 why?");
  await expect.poll(() => panel.getByTestId("mention-chip").allTextContents()).toEqual(["cats.js:1-4"]);
  await vscode.screenshot("add-selection");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("result", "Cats.").waitFor();
  const said = JSON.stringify(server.chat(1).messages);
  expect(said).toContain("// fourth cat");
  expect(said).not.toContain("// fifth cat");
  expect(await vscode.workspace?.read("cats.js")).toBe(FILES["cats.js"]);
});

it("a chord runs its command and leaves nothing in the text", async () => {
  await start([]);
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("n");
  await input().click();
  await vscode.page.keyboard.type("a");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("j");
  await panel
    .locator("[data-testid=mode-plan][aria-checked=true], [data-testid=mode-plan][aria-pressed=true]")
    .waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("j");
  await panel
    .locator("[data-testid=mode-act][aria-checked=true], [data-testid=mode-act][aria-pressed=true]")
    .waitFor();
  await vscode.page.keyboard.type("b");
  await expect.poll(() => input().inputValue()).toBe("ab");
  await input().fill("");
});

/** As a user does it, with the mouse: VS Code lets a webview have what is dropped with Shift alone. */
async function dragToPanel(from: Locator): Promise<void> {
  const [start, end] = [
    await from.boundingBox(),
    await vscode.page.locator("iframe.webview").first().boundingBox(),
  ];
  if (!start || !end) throw new Error("nothing to drag, or nowhere to drop it");
  const { mouse, keyboard } = vscode.page;
  await mouse.move(start.x + 30, start.y + 10);
  await mouse.down();
  await mouse.move(start.x + 20, start.y + 60, { steps: 4 });
  await keyboard.down("Shift");
  await mouse.move(end.x + 100, end.y + 300, { steps: 6 });
  await mouse.move(end.x + 105, end.y + 320, { steps: 6 });
  await panel.getByTestId("drop-zone").waitFor();
  await vscode.screenshot("dragging");
  await mouse.up();
  await keyboard.up("Shift");
  await panel.getByTestId("drop-zone").waitFor({ state: "detached" });
}
