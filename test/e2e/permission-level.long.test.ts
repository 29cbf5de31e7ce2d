/**
 * The command that chooses what runs without asking, by keyboard, and its choice over a reload. test/browser/project/permissions proves
 * for `npm test` what each level lets run, and e2e/approvals that the editor's keys answer.
 */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
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

/** Each answer follows the one before; the last one ends it. */
function script(...answers: ScriptPart[][]): void {
  const all: ScriptPart[][] = [...answers, [{ text: "That is all." }]];
  server.setScript({ turns: all.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer })) });
}
const done = () => vscode.row("text", "That is all.").waitFor();

/** The command's menu, by letters of the level's name. */
async function choose(title: string, letters: string): Promise<void> {
  const chosen = panel.getByRole("menuitemradio", { name: title }).and(panel.locator(":focus"));
  await vscode.runCommand("Nekode: Select What Runs Without Asking");
  await panel.getByRole("menuitemradio", { name: "Ask each time" }).and(panel.locator(":focus")).waitFor();
  await vscode.screenshot("permission-menu");
  await vscode.page.keyboard.type(letters);
  await chosen.waitFor();
  await vscode.page.keyboard.press("Enter");
}

it("runs without asking what was chosen by the command, over a reload", async () => {
  const write = (file: string): ScriptPart => ({
    tool: "write_to_file",
    params: { path: file, content: "made\n" },
  });
  const level = panel.getByTestId("permission-picker");
  await level.filter({ hasText: "Ask" }).waitFor();
  script([write("made.txt")]);
  await vscode.send("Make it");
  await panel.locator(".ask-subject").filter({ hasText: "made.txt" }).waitFor();
  // From the panel, by the keyboard of the editor.
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await done();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");

  await vscode.newTask();
  await choose("Everything", "Ev");
  await level.filter({ hasText: "Everything" }).and(panel.locator(":focus")).waitFor();
  script(
    [write("more.txt")],
    [{ tool: "execute_command", params: { command: "rm made.txt", requires_approval: false } }],
  );
  await vscode.send("Make another, and remove the first");
  await done();
  expect(await vscode.row("approval").count()).toBe(0);
  expect(await vscode.workspace?.read("more.txt")).toBe("made\n");
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await vscode.reload();
  await vscode.openPanel();
  await done();
  await level.filter({ hasText: "Everything" }).waitFor();
  await vscode.screenshot("permission-everything");
});
