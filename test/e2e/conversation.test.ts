/** Getting about in a conversation in the side bar by keyboard, the queue beside a running command, and what was measured. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
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
    settings: { "nekode.provider.protocol": "native", "nekode.approval.commandAll": true },
  });
  panel = await vscode.openPanel();
});
beforeEach(() => server.forgetRequests());
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

it("edits, reorders and sends queued messages while a command runs, and keeps them over a reload; Health has its measures", async () => {
  const items = panel.getByTestId("queue-item");
  const queued = () => items.locator(".queue-text").allTextContents();
  await vscode.newTask();
  inOrder(
    [
      {
        tool: "execute_command",
        params: { command: "echo begun $((40 + 2)); sleep 300", requires_approval: false },
      },
    ],
    [{ text: "I read it" }, { hold: "middle" }, { text: " to the end." }],
  );
  await vscode.send("Start it");
  await vscode.row("command", "begun 42").waitFor();
  for (const said of ["sparrow", "wren", "robin"]) await vscode.send(said);
  await expect.poll(queued).toEqual(["sparrow", "wren", "robin"]);
  await items.nth(1).hover();
  await panel.getByRole("button", { name: "Edit queued message: wren" }).click();
  await panel.locator("[data-testid=queue-text]:focus").waitFor();
  await press("ControlOrMeta+a");
  await vscode.page.keyboard.insertText("wren, changed");
  await press("Enter");
  await panel.locator("[data-testid=chat-input]:focus").waitFor();
  await expect.poll(queued).toEqual(["sparrow", "wren, changed", "robin"]);
  // The focus stays on the message that moves.
  const remove = panel.getByRole("button", { name: "Remove from queue: robin" });
  for (let i = 0; i < 5 && (await remove.and(panel.locator(":focus")).count()) === 0; i++)
    await press("Shift+Tab");
  await press("Alt+ArrowUp");
  await expect.poll(queued).toEqual(["sparrow", "robin", "wren, changed"]);
  await press("Alt+ArrowUp");
  await expect.poll(queued).toEqual(["robin", "sparrow", "wren, changed"]);
  await press("Alt+ArrowDown");
  await expect.poll(queued).toEqual(["sparrow", "robin", "wren, changed"]);
  await vscode.screenshot("queue-three");
  expect(server.requests).toHaveLength(1);

  await items.nth(2).hover();
  await items.nth(2).getByTestId("queue-send").click();
  await server.waitForHold("middle");
  await vscode.row("text", "I read it").waitFor();
  await expect.poll(queued).toEqual([]);
  const read = JSON.stringify(server.chat(2).messages);
  expect(read).toMatch(/Still running after .* as terminal \d/);
  expect(read).toMatch(/wren, changed.*sparrow.*robin/);

  for (const said of ["finch", "tit"]) await vscode.send(said);
  await items.nth(1).hover();
  await items.nth(1).getByTestId("queue-up").click();
  await expect.poll(queued).toEqual(["tit", "finch"]);
  await vscode.reload();
  await vscode.openPanel();
  await vscode.row("notice", "interrupted").waitFor();
  await expect.poll(() => input().inputValue()).toBe("tit\n\nfinch");
  server.setScript({ turns: [{ times: true, answer: [{ text: "Both are read." }] }] });
  await input().press("Enter");
  await vscode.row("text", "Both are read.").waitFor();
  expect(JSON.stringify(server.chat(3).messages.at(-1))).toContain("tit\\n\\nfinch");

  await vscode.runCommand("Nekode: Health");
  await vscode.editing("nekode-health.md");
  const health = async () => (await vscode.editorText()).join("\n");
  await expect.poll(health).toContain("Bytes sent a turn");
  await vscode.screenshot("health");
  const page = await health();
  expect(page).toMatch(/Event loop delay, mean \| \d+\.\d ms/);
  expect(page).toMatch(/Event loop delay, 99th percentile \| \d+\.\d ms \| < 50 ms/);
  expect(page).toMatch(/Heap in use \| \d+\.\d MB/);
  expect(page).toMatch(/Input tokens from the prompt cache \| \d+% \| 96%/);
  expect(page).toMatch(/Requests \| 3 \|/);
  expect(page).toMatch(/Bytes sent a turn \| [\d,]+ \| 127,000 over 25 turns/);
});
