/**
 * What is asked once and then no more, with the user's own settings of VS Code. test/unit/core/loop/allowances.test.ts
 * proves the rule, test/browser/approvals.test.ts the menu; approvals.test.ts has the answers from the editor.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { answerInTurn, lastAnswer } from "./support/answers-in-turn.ts";
import { inOwnWindow, panel, server, vscode } from "./support/own-window.ts";

inOwnWindow();
beforeEach(async () => {
  await vscode.newTask();
});

const run = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});

it("asks no more for what is always allowed, and stores it with the user's own settings", async () => {
  answerInTurn(server, [run("touch year.txt")], [run("touch year.txt")]);
  await vscode.send("A file for the year");
  const more = panel.getByTestId("approve-more");
  await more.focus();
  await vscode.page.keyboard.press("Enter");
  await panel.getByRole("menuitem", { name: "Always allow" }).waitFor();
  await vscode.screenshot("approvals-always");
  await panel.getByRole("menuitem", { name: "Always allow" }).click();
  await lastAnswer(vscode);
  await vscode.unfold();
  await expect.poll(() => vscode.row("command").count()).toBe(2);
  // It holds before it is stored.
  const machine = path.join(vscode.userDataDir, "Machine/settings.json");
  await expect.poll(() => readFileSync(machine, "utf8")).toContain("touch year.txt");
  const settings: unknown = JSON.parse(readFileSync(machine, "utf8"));
  expect(settings).toMatchObject({ "nekode.commands.allow": expect.arrayContaining(["touch year.txt"]) });
});
