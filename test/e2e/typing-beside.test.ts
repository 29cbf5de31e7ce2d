/** The user types in another editor while the agent works: no key and no focus is lost. */
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { editScript, lines } from "./support/edit-script.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => server.forgetRequests());
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

/**
 * From now on every frame and element of the workbench that takes the focus is told by `moved`; an editor may move it
 * within itself, as newer ones do between the keys of a chord, to switch the input method off and on.
 */
function watchFocus(): Promise<void> {
  return vscode.page.evaluate(() => {
    const moved: string[] = [];
    const editor = document.activeElement?.closest(".monaco-editor");
    if (!editor) throw new Error("the focus is in no editor");
    Object.assign(window, { moved });
    addEventListener("blur", () => moved.push(`the window, to ${document.activeElement?.tagName}`));
    addEventListener("focusin", ({ target }) => {
      if (target instanceof Element && editor.contains(target)) return;
      moved.push(target instanceof Element ? `${target.tagName}.${target.className}` : "something");
    });
  });
}
const moved = () => vscode.page.evaluate(() => Reflect.get(window, "moved"));

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}
const result = () => panel.locator("[data-testid=row][data-kind=result]");

async function open(
  files: Record<string, string>,
  settings: Record<string, unknown> = {},
  apiKey = "test-key",
): Promise<void> {
  vscode = await shareWorkbench({
    files,
    modelServer: { baseUrl: server.url, apiKey },
    settings: {
      "nekode.approval.edit": true,
      "nekode.approval.maxRequests": 1_000,
      "nekode.provider.protocol": "native",
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      ...settings,
    },
  });
  panel = await vscode.openPanel();
}

it("lets the user type on in another editor while 20 edits are written", async () => {
  await open({ "notes.txt": "", "work.txt": lines(20, "old") });
  await vscode.openFile("work.txt");
  await vscode.openFile("notes.txt");
  server.setScript(editScript("work.txt", 20, 150));
  await send("Edit all lines");
  await vscode.page.locator(".editor-instance .view-lines").first().click();
  await watchFocus();
  const words = Array.from({ length: 100 }, (_, at) => `w${String(at).padStart(3, "0")}`).join(" ");
  const typed = `${words}.`;
  expect(typed).toHaveLength(500);
  await vscode.page.keyboard.type(typed, { delay: 8 });
  await server.waitForRequest(21);
  await result().waitFor();
  expect(await moved()).toEqual([]);
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await vscode.tab("notes.txt").and(vscode.page.locator(".dirty")).waitFor({ state: "hidden" });
  await expect.poll(() => vscode.workspace?.read("notes.txt")).toBe(typed);
  expect(await vscode.workspace?.read("work.txt")).toBe(lines(20, "new"));
  await vscode.screenshot("many-edits-typed");
});

it("leaves the keyboard to the user, whatever happens by itself, and the key out of the panel and every log", async () => {
  const apiKey = "sk-told-to-nobody-7d1f";
  const refusal = { error: { message: `Incorrect API key provided: ${apiKey}`, code: "invalid_api_key" } };
  const body = JSON.stringify(refusal);
  const steps = (one: string, two: string) => `- [${one}] look\n- [${two}] write`;
  server.setScript({
    turns: [
      {
        match: { request: 1 },
        answer: [
          {
            tool: "read_file",
            params: { path: "work.txt", task_progress: steps(" ", " ") },
          },
        ],
      },
      {
        match: { request: 2 },
        answer: [
          { text: "Now " },
          { hold: "command" },
          {
            tool: "execute_command",
            params: { command: "echo ran", requires_approval: false, task_progress: steps("x", " ") },
          },
        ],
      },
      {
        match: { request: 3 },
        answer: [
          { hold: "edit" },
          { tool: "write_to_file", params: { path: "work.txt", content: "MELON-CONTENT\n" } },
        ],
      },
      {
        match: { request: 4 },
        fault: { kind: "body", status: 401, contentType: "application/json", body },
        answer: [],
      },
    ],
  });
  await open(
    { "notes.txt": "", "work.txt": "MELON-BEFORE\n" },
    { "nekode.approval.edit": false, "nekode.approval.commandSafe": true },
    apiKey,
  );
  await send("Look, then write");
  await panel.getByTestId("todo-list").getByText("0/2").waitFor();
  await panel.getByRole("button", { name: "Edit todo list" }).click();
  await vscode.editing("Todo list.md");
  await vscode.runCommand("View: Split Editor Right");
  await vscode.openFile("notes.txt");
  await vscode.page.locator(".editor-group-container.active .view-lines").click();
  await watchFocus();
  const type = (text: string) => vscode.page.keyboard.type(text);
  await type("streams, ");

  server.release("command");
  await vscode.row("command", "echo ran").waitFor();
  await server.waitForHold("edit");
  await vscode.page.locator(".view-line", { hasText: /\[x\].look/ }).waitFor();
  await type("ran, todo, ");

  // A setting that does not fit is told of by a notification.
  await vscode.workspace?.write(".vscode/settings.json", '{ "nekode.context.maxFiles": "many" }');
  await vscode.notification("Must be a number.").waitFor();
  await type("told, ");

  server.release("edit");
  await vscode.tab("work.txt (proposed change)").waitFor();
  await vscode.row("approval").waitFor();
  await type("asked, ");
  await vscode.screenshot("focus-asked");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await vscode.row("error").waitFor();
  await expect.poll(() => vscode.row("error").textContent()).toContain("Incorrect API key provided: ***");
  await vscode.tab("work.txt (proposed change)").waitFor({ state: "detached" });
  await type("failed.");
  expect(await moved()).toEqual([]);
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await expect
    .poll(() => vscode.workspace?.read("notes.txt"))
    .toBe("streams, ran, todo, told, asked, failed.");
  expect(await vscode.workspace?.read("work.txt")).toBe("MELON-CONTENT\n");
  await vscode.screenshot("focus-failed");

  const logs = await logFiles();
  expect(logs.some(({ name }) => name.endsWith("Nekode.log"))).toBe(true);
  for (const { name, text } of logs) expect(/sk-told|MELON/.exec(text)?.[0], name).toBeUndefined();
});

/** What the window's server, its extension hosts and the extensions logged. */
async function logFiles(): Promise<{ name: string; text: string }[]> {
  const folder = path.join(vscode.userDataDir, "logs");
  const names = await readdir(folder, { recursive: true });
  const files = names.filter((name) => name.endsWith(".log"));
  return Promise.all(
    files.map(async (name) => ({ name, text: await readFile(path.join(folder, name), "utf8") })),
  );
}
