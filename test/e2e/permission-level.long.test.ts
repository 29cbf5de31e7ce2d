/**
 * The command that chooses what runs without asking, by keyboard, and its choice over a reload. test/browser/project/permissions proves
 * for `npm test` what each level lets run, and e2e/approvals that the editor's keys answer.
 */
import { expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { answerInTurn, lastAnswer } from "./support/answers-in-turn.ts";
import { inOwnWindow, panel, server, vscode } from "./support/own-window.ts";

inOwnWindow();

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
  answerInTurn(server, [write("made.txt")]);
  await vscode.send("Make it");
  await panel.locator(".ask-subject").filter({ hasText: "made.txt" }).waitFor();
  // From the panel, by the keyboard of the editor.
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await lastAnswer(vscode);
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");

  await vscode.newTask();
  await choose("Everything", "Ev");
  await level.filter({ hasText: "Everything" }).and(panel.locator(":focus")).waitFor();
  answerInTurn(
    server,
    [write("more.txt")],
    [{ tool: "execute_command", params: { command: "rm made.txt", requires_approval: false } }],
  );
  await vscode.send("Make another, and remove the first");
  await lastAnswer(vscode);
  expect(await vscode.row("approval").count()).toBe(0);
  expect(await vscode.workspace?.read("more.txt")).toBe("made\n");
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await vscode.reload();
  await vscode.openPanel();
  await lastAnswer(vscode);
  await level.filter({ hasText: "Everything" }).waitFor();
  await vscode.screenshot("permission-everything");
});
