/**
 * What the model is given, as a user decides on it: the todo list, rules, what is dragged in, selected code, and the message itself,
 * with keys that the editor knows too and in a window that is not ready yet. test/browser/{rules,todo,mentions,composer-keys},
 * test/browser/project/reload and test/vscode/{dropped,surroundings,todo-documents} prove its parts for `npm test`.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
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
  "AGENTS.md": "Always answer in haiku.",
  ".cursorrules": "Never use tabs.",
  ".nekode/rules/python.md": "---\npaths: ['**/*.py']\n---\nUse Black.",
  "neko.txt": "neko\n",
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

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}

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

it("rules are seen, switched off and begun in the panel, and the next task goes by it", async () => {
  await start([[{ tool: "attempt_completion", params: { result: "Done." } }]]);
  await vscode.titleAction("Show Rules");
  const rule = (name: string): Locator => panel.getByTestId("rule").filter({ hasText: name });
  await rule(".cursorrules").getByText("Always applies").waitFor();
  await rule("python.md").getByText("no file matches **/*.py").waitFor();
  await vscode.screenshot("rules");
  await panel.getByRole("switch", { name: "AGENTS.md", exact: true }).click();
  await rule("AGENTS.md").getByText("Disabled").waitFor();
  const settings = path.join(vscode.workspace?.folder ?? "", ".vscode/settings.json");
  await expect
    .poll(async () => JSON.parse((await readFile(settings, "utf8").catch(() => "")) || "{}"))
    .toEqual({ "nekode.context.rulesOff": ["AGENTS.md"] });

  // What happens on the disk is followed by its event.
  await vscode.workspace?.write("CLAUDE.md", "Be brief.");
  await rule("CLAUDE.md").waitFor();
  await panel.getByTestId("new-rule").click();
  await vscode.page.locator(".quick-input-widget input:focus").waitFor();
  await vscode.page.keyboard.insertText("猫のルール");
  await vscode.page.keyboard.press("Enter");
  await vscode.editing("猫のルール.md");
  await rule("猫のルール.md").getByText("the file is empty").waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+End");
  await vscode.page.keyboard.insertText("Cats first.");
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await rule("猫のルール.md").getByText("Always applies").waitFor();
  await vscode.screenshot("rules-changed");
  await rule("AGENTS.md").getByRole("button").click();
  // An editor takes the focus some time after its tab is there.
  await vscode.editing("AGENTS.md");

  await panel.getByRole("button", { name: "Back to conversation" }).click();
  await send("Go");
  await row("result").waitFor();
  const system = JSON.stringify(server.chat(1).messages[0]);
  expect(system).toContain("Never use tabs.");
  expect(system).toContain("Be brief.");
  expect(system).toContain("Cats first.");
  expect(system).not.toContain("haiku");
  expect(system).not.toContain("Black");
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

it("what is typed and sent before a reloaded window is ready is sent once", async () => {
  await start([]);
  server.setScript({ turns: [{ times: true, answer: [{ text: "Heard." }] }] });
  await vscode.reload();
  // The panel's page is there before the agent is.
  await input().waitFor();
  await input().click();
  await vscode.page.keyboard.type("said early");
  await vscode.page.keyboard.press("Enter");
  await vscode.row("user", "said early").waitFor();
  await vscode.row("text", "Heard.").waitFor();
  await expect.poll(() => vscode.row("user", "said early").count()).toBe(1);
  // A draft that was cleared right before the reload may be back; what was sent is not.
  await expect.poll(() => input().inputValue()).not.toContain("said early");
});

// The last: what could not be saved stays in its editor.
it("a todo list is ticked in the panel and edited as a document, and the model is told once", async () => {
  const done = (result: string): ScriptPart[] => [{ tool: "attempt_completion", params: { result } }];
  const list = "- [x] Read\n- [ ] Write\n- [ ] Test";
  await start([
    [{ tool: "attempt_completion", params: { result: "First part.", task_progress: list } }],
    done("Second part."),
    done("Third part."),
  ]);
  await send("Begin");
  await row("result").getByText("First part.").waitFor();
  const todo = panel.getByTestId("todo-list");
  await todo.locator("summary").click();
  await panel.getByRole("checkbox", { name: "Write" }).click();
  await expect.poll(() => todo.locator("summary").textContent()).toContain("2/3");
  await vscode.screenshot("todo-ticked");

  await panel.getByTestId("edit-todo").click();
  await vscode.editing("Todo list.md");
  await expect.poll(() => vscode.editorText()).toEqual(["- [x] Read", "- [x] Write", "- [ ] Test", ""]);
  await vscode.page.keyboard.press("ControlOrMeta+End");
  await vscode.page.keyboard.insertText("- 猫をなでる");
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await panel.getByRole("checkbox", { name: "猫をなでる" }).waitFor();
  await vscode.screenshot("todo-edited");

  // The editor reads the list as it is kept. What is typed before that crosses it, and cannot be saved.
  await expect.poll(() => vscode.editorText()).toContain("- [ ] 猫をなでる");
  await vscode.page.keyboard.press("ControlOrMeta+a");
  await vscode.page.keyboard.insertText("no list at all");
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await vscode.notification("This is not a todo list").first().waitFor();
  await vscode.screenshot("todo-refused");
  await expect.poll(() => panel.getByTestId("todo-item").count()).toBe(4);

  await send("Go on");
  await row("result").getByText("Second part.").waitFor();
  const told = said(2);
  expect(told).toContain("TODO LIST CHANGED BY THE USER (2 of 4 done)");
  expect(told).toContain("- [ ] 猫をなでる");
  await send("And on");
  await row("result").getByText("Third part.").waitFor();
  expect(said(3).split("CHANGED BY THE USER")).toHaveLength(2);
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
