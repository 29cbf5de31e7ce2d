/**
 * Getting about in a conversation in the side bar by keyboard, beside the keys of the editor, and what was measured.
 * test/browser/find, transcript and turns prove its parts for `npm test`.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

/** More results than a reloaded panel shows of a session. */
const LINES = 210;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({
    files: { "birds.txt": Array.from({ length: LINES }, (_, i) => `bird ${i}\n`).join("") },
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

const input = () => panel.getByTestId("chat-input");
const press = async (...keys: string[]) => {
  for (const key of keys) await vscode.page.keyboard.press(key);
};
const inOrder = (...answers: ScriptPart[][]) =>
  server.setScript({ turns: answers.map((answer, i) => ({ match: { request: i + 1 }, answer })) });

it("finds by Ctrl+F what the reloaded panel does not show, and goes from message to message by key", async () => {
  const count = panel.getByTestId("find-count");
  const field = panel.locator("[data-testid=find-input]:focus");
  const read = (line: number): ScriptPart => ({
    tool: "read_file",
    params: { path: "birds.txt", start_line: line, end_line: line },
  });
  inOrder(
    [{ text: "A **heron** nests in the reeds." }],
    // An endpoint may send 128 calls at once.
    Array.from({ length: LINES / 2 }, (_, i) => read(i + 1)),
    Array.from({ length: LINES / 2 }, (_, i) => read(LINES / 2 + i + 1)),
    [{ text: `All lines are read.\n\n- No \`heron\` in them.\n\n${"One more paragraph.\n\n".repeat(60)}` }],
  );
  await vscode.openFile("birds.txt");
  await vscode.send("Where does it nest?");
  await vscode.row("text", "in the reeds").waitFor();
  await vscode.send("Read the file line by line");
  await vscode.row("text", "All lines are read.").waitFor();
  await vscode.reload();
  await vscode.openPanel();
  await vscode.row("text", "All lines are read.").waitFor();
  expect(await vscode.row("text", "in the reeds").count()).toBe(0);

  await input().click();
  await vscode.page.keyboard.type("a draft");
  await press("ControlOrMeta+f");
  await field.waitFor();
  await vscode.page.keyboard.type("heron");
  await expect.poll(() => count.textContent()).toBe("2 of 2");
  await press("Enter");
  await expect.poll(() => count.textContent()).toBe("1 of 2");
  await vscode.row("text", "in the reeds").waitFor();
  await vscode.screenshot("find-earlier");
  await press("Shift+Enter");
  await expect.poll(() => count.textContent()).toBe("2 of 2");
  // The editor beside it has a search of its own, which must not open.
  expect(await vscode.page.locator(".find-widget.visible, .simple-find-part.visible").count()).toBe(0);
  await press("Escape");
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  expect(await panel.getByTestId("find-input").count()).toBe(0);
  await vscode.page.keyboard.type("!");
  await expect.poll(() => input().inputValue()).toBe("a draft!");

  const focused = (kind: string, text: string) => vscode.row(kind, text).and(panel.locator(":focus"));
  await press("Alt+ArrowUp");
  await focused("text", "All lines are read.").waitFor();
  await press("Alt+ArrowUp");
  await focused("user", "Read the file line by line").waitFor();
  await press("Alt+ArrowUp");
  await focused("text", "in the reeds").waitFor();
  await press("Alt+F2");
  await vscode.editing("A heron nests in the reeds");
  await expect.poll(() => vscode.editorText()).toEqual(["A heron nests in the reeds."]);
  expect(await vscode.page.locator(".accessible-view").count()).toBe(0);
  await vscode.runCommand("Nekode: Open Last Answer as Plain Text");
  await vscode.editing("All lines are read");
  await expect.poll(async () => (await vscode.editorText()).join("\n")).toContain("No heron in them.");
  await input().click();
  await press("Alt+ArrowUp", "Alt+ArrowDown");
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  await input().fill("");
});

it("measures the conversation that the window shows", async () => {
  server.setScript({ turns: [{ answer: [{ text: "It nests there, too." }] }] });
  await vscode.send("And the wren?");
  await vscode.row("text", "It nests there, too.").waitFor();
  await vscode.runCommand("Nekode: Performance and Checks");
  await panel.getByTestId("measurement").last().waitFor();
  await vscode.screenshot("health");
  const page = (await panel.getByTestId("measurement").allInnerTexts()).join("\n");
  expect(page).toMatch(/Event loop delay, mean\s+\d+\.\d ms/);
  expect(page).toMatch(/Event loop delay, 99th percentile\s+\d+\.\d ms\s+< 50 ms/);
  expect(page).toMatch(/Heap in use\s+\d+\.\d MB/);
  expect(page).toMatch(/Input tokens from the prompt cache\s+\d+%\s+96%/);
  expect(page).toMatch(/Requests\s+5/);
  expect(page).toMatch(/Bytes sent per turn\s+[\d,]+\s+127,000 over 25 turns/);
});
