/** The way back, as a user goes it: look at what changed, restore, undo the restore, undo one edit. */
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import type { Locator } from "playwright-core";
import { beforeEach, expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

const ANSWERS: ScriptPart[][] = [
  [{ tool: "write_to_file", params: { path: "new/made.txt", content: "made\n" } }],
  [
    {
      tool: "execute_command",
      params: { command: "echo changed > a.txt && rm -rf b.txt cache", requires_approval: false },
    },
  ],
  [{ tool: "attempt_completion", params: { result: "Done." } }],
];

inUsualWindow();
beforeEach(async () => {
  server.setScript({ turns: ANSWERS.map((answer, i) => ({ match: { request: i + 1 }, answer })) });
  await vscode.workspace?.write(".gitignore", "ignored.txt\ncache/\n");
  await git("add", "-A");
  await git("commit", "-q", "--allow-empty", "-m", "Files");
  // The user's own work, which nothing here may touch: staged, changed after that, new, ignored, stashed.
  const own = vscode.workspace;
  await own?.write("own.txt", "stashed\n");
  await git("stash");
  await own?.write("own.txt", "staged\n");
  await git("add", "own.txt");
  await own?.write("own.txt", "changed\n");
  await own?.write("untracked.txt", "untracked\n");
  await own?.write("ignored.txt", "ignored\n");
  await own?.write("cache/old.txt", "cached\n");
});

const row = (kind: string): Locator => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const onDisk = async (): Promise<(string | undefined)[]> => {
  const folder = vscode.workspace?.folder ?? "";
  const names = ["a.txt", "b.txt", "new/made.txt", "cache/old.txt"];
  return Promise.all(names.map((name) => readFile(path.join(folder, name), "utf8").catch(() => undefined)));
};
const git = async (...args: string[]): Promise<string> => {
  const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.com"];
  const cwd = vscode.workspace?.folder ?? "";
  // No refresh of the index: what `git status` itself writes is not what is looked for.
  const { stdout } = await promisify(execFile)("git", ["--no-optional-locks", ...identity, ...args], { cwd });
  return stdout;
};
/** What the user's repository says of itself. */
const repository = async () => ({
  status: await git("status", "--porcelain=v2", "--branch", "--ignored", "--untracked-files=all"),
  staged: await git("ls-files", "--stage"),
  refs: await git("for-each-ref"),
  stash: await git("stash", "list"),
  head: await git("reflog"),
  objects: await git("count-objects"),
  config: createHash("sha256")
    .update(await readFile(path.join(vscode.workspace?.folder ?? "", ".git/config")))
    .digest("hex"),
  own: await Promise.all(
    ["own.txt", "untracked.txt", "ignored.txt"].map((name) => vscode.workspace?.read(name)),
  ),
});
const press = (name: string): Promise<void> =>
  vscode.page.locator(".monaco-dialog-box").getByRole("button", { name, exact: true }).click();

/** Offered once the task rests. */
async function restoreTurn(): Promise<void> {
  await panel.getByTestId("turn-more").click();
  await panel.locator("[role=menuitem]:not([aria-disabled=true])", { hasText: "Restore to before" }).click();
}

it("shows what changed, puts it back, and forth again, and the user's repository is as it was", async () => {
  const before = await repository();
  expect(before.status).toContain("MM ");
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("Change some files");
  await vscode.page.keyboard.press("Enter");
  await row("approval").filter({ hasText: "made.txt" }).waitFor();
  await panel.getByTestId("approve").click();
  await row("approval").filter({ hasText: "rm -rf" }).waitFor();
  await panel.getByTestId("approve").click();
  await row("checkpoint").getByText("4 files changed").waitFor();
  await vscode.unfold();
  await row("command").getByText("3 files changed").waitFor();
  expect(await onDisk()).toEqual(["changed\n", undefined, "made\n", undefined]);

  await panel.getByTestId("review").click();
  await vscode.page.getByRole("tab", { name: /Changes in this turn/ }).waitFor();
  await vscode.page
    .locator(".monaco-editor .view-line")
    .getByText("changed", { exact: true })
    .first()
    .waitFor();
  // A file that is gone is shown as well.
  await vscode.page.locator(".multiDiffEntry").getByText("b.txt").first().waitFor();
  await vscode.screenshot("checkpoint-changes");

  await restoreTurn();
  await vscode.page.locator(".monaco-dialog-box").getByText("Restore to this checkpoint?").waitFor();
  await vscode.screenshot("checkpoint-question");
  await press("Files only");
  await row("checkpoint").getByText("Restored files: 4").waitFor();
  expect(await onDisk()).toEqual(["a\n", "b\n", undefined, "cached\n"]);
  expect(await repository()).toEqual(before);
  await vscode.screenshot("checkpoint-restored");

  await row("checkpoint").getByRole("button", { name: "Undo restore" }).click();
  await press("Files only");
  await row("checkpoint").getByText("Restored files: 4").nth(1).waitFor();
  expect(await onDisk()).toEqual(["changed\n", undefined, "made\n", undefined]);

  await row("tool").getByTestId("undo").click();
  await row("tool").getByText("Undone").waitFor();
  expect(await onDisk()).toEqual(["changed\n", undefined, undefined, undefined]);

  // What git ignores was kept before the command ran.
  await row("command").getByText("b.txt, cache/old.txt, a.txt").waitFor();
  await vscode.screenshot("checkpoint-destroyed");
  await row("command").getByTestId("undo").focus();
  await vscode.page.keyboard.press("Enter");
  await row("command").getByText("Undone").waitFor();
  expect(await onDisk()).toEqual(["a\n", "b\n", undefined, "cached\n"]);

  // The turn has nothing left to keep or undo, so that this alone is offered.
  await row("checkpoint").getByRole("button", { name: "Restore…", exact: true }).click();
  await press("Conversation only");
  await row("user").waitFor({ state: "detached" });
  expect(await onDisk()).toEqual(["a\n", "b\n", undefined, "cached\n"]);
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toContain("Change some files");
  expect(await repository()).toEqual(before);
});

it("marks what the turn changed in the file's own editor, and undoes one hunk there", async () => {
  await vscode.openFile("a.txt");
  await vscode.send("Change some files");
  for (const name of ["made.txt", "rm -rf"]) {
    await row("approval").filter({ hasText: name }).waitFor();
    await panel.getByTestId("approve").click();
  }
  const buttons = vscode.page.locator(".codelens-decoration");
  await buttons.getByText("+1 −1").waitFor();
  await vscode.screenshot("turn-hunks");
  await buttons.getByText("Undo", { exact: true }).click();
  await row("checkpoint").getByText("3 files changed").waitFor();
  await buttons.waitFor({ state: "detached" });
  expect(await onDisk()).toEqual(["a\n", undefined, "made\n", undefined]);
  expect(await vscode.editorText()).toEqual(["a", ""]);
});
