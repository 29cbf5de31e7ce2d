/**
 * What is asked before it is done, as far as VS Code has a part in it: answers from the editor and by its keybindings. The rest is in
 * test/browser/project, and in approvals.long.test.ts.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { answerInTurn, lastAnswer } from "./support/answers-in-turn.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

let outside: string;

beforeAll(() => {
  outside = mkdtempSync(path.join(tmpdir(), "nekode-outside-"));
  writeFileSync(path.join(outside, "one.txt"), "one\n");
  writeFileSync(path.join(outside, "two.txt"), "two\n");
});
inUsualWindow();
afterAll(() => rmSync(outside, { recursive: true, force: true }));

const read = (file: string): ScriptPart => ({ tool: "read_file", params: { path: file } });

const asked = () => panel.locator(".ask-subject");

it("tells several that wait apart, and answers them by keyboard from wherever the user is", async () => {
  answerInTurn(server, [read(path.join(outside, "one.txt")), read(path.join(outside, "two.txt"))]);
  await vscode.send("Read both");
  await vscode.row("approval").nth(0).filter({ hasText: "one.txt" }).waitFor();
  await vscode.row("approval").nth(1).filter({ hasText: "two.txt" }).waitFor();
  await vscode.screenshot("approvals-several");
  // From the editor, by the keyboard.
  await vscode.openFile("a.txt");
  await asked().filter({ hasText: "one.txt" }).waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  // Until the answer has arrived, both cards are there, and a second key would be for the first one.
  await asked().filter({ hasText: "one.txt" }).waitFor({ state: "detached" });
  await asked().filter({ hasText: "two.txt" }).waitFor();
  await vscode.screenshot("approvals-second");
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("x");
  await lastAnswer(vscode);
  // It was never the panel's: the user stays where they were.
  await vscode.page.locator(".editor-instance .monaco-editor.focused").waitFor();
  const results = server.chat(2).messages.filter(({ role }) => role === "tool");
  expect(JSON.stringify(results[0])).toContain("one");
  expect(JSON.stringify(results[1])).toContain("rejected");
  await expect.poll(() => vscode.editorText()).toEqual(["a", ""]);
});

it("answers from a diff's title the change that the diff shows, and none that is not whole", async () => {
  const write = (file: string): ScriptPart => ({
    tool: "write_to_file",
    params: { path: file, content: `${file}\n` },
  });
  answerInTurn(server, [write("made-one.txt"), write("made-two.txt")]);
  await vscode.send("Make both");
  await asked().filter({ hasText: "made-one.txt" }).waitFor();
  await vscode.showTab(vscode.tab("made-two.txt"));
  const title = vscode.page.locator(".editor-group-container.active .editor-actions");
  await title.getByRole("button", { name: "Approve" }).click();
  await vscode.notification("This change is not waiting for approval.").waitFor();
  await vscode.screenshot("approvals-other-title");
  expect(vscode.workspace?.exists("made-one.txt")).toBe(false);
  await vscode.showTab(vscode.tab("made-one.txt"));
  await title.getByRole("button", { name: "Approve" }).click();
  await asked().filter({ hasText: "made-two.txt" }).waitFor();
  expect(await vscode.workspace?.read("made-one.txt")).toBe("made-one.txt\n");
  // The product does not wait long for the window to close the tab: until then the title is that of the first change.
  await vscode.tab("made-one.txt").waitFor({ state: "detached" });
  await title.getByRole("button", { name: "Reject" }).click();
  await lastAnswer(vscode);
  expect(vscode.workspace?.exists("made-two.txt")).toBe(false);
});
