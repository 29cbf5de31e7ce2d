/**
 * Edit Here, by keyboard: one change accepted, one rejected, without a task. Its parts are proven by test/vscode/edit-here.test.ts and
 * test/unit/core/agent/edit-at-cursor.test.ts.
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { inUsualWindow, server, vscode } from "./support/usual-window.ts";

inUsualWindow();

const block = (search: string, replace: string) =>
  `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE\n`;
const onDisk = () => readFile(path.join(vscode.workspace?.folder ?? "", "neko.txt"), "utf8");

async function wish(text: string): Promise<void> {
  const { page } = vscode;
  await page.keyboard.press("Control+i");
  const input = page.locator(".quick-input-widget input[type=text]");
  await input.and(page.locator(":focus")).waitFor();
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await input.waitFor({ state: "hidden" });
}

it("accepts a change at the cursor with Enter and rejects another with Esc", async () => {
  const { page } = vscode;
  await vscode.openFile("neko.txt");
  const before = await onDisk();
  const [line = ""] = before.split("\n");
  server.setScript({
    turns: [
      { match: { lastUser: "a dog" }, answer: [{ text: block(line, "犬") }] },
      { match: { lastUser: "a bird" }, answer: [{ text: block("犬", "鳥") }] },
    ],
  });
  await page.keyboard.press("Control+Home");
  await wish("a dog");
  await vscode.modifiedLine("犬").waitFor();
  // Until then the proposal may still stream, and Enter does nothing.
  await page.getByText("Enter accepts the change").waitFor();
  await vscode.screenshot("edit-here-1-diff");
  expect(await onDisk()).toBe(before);
  await page.keyboard.press("Enter");
  await page.locator(".monaco-diff-editor").waitFor({ state: "hidden" });
  await expect.poll(onDisk).toBe(before.replace(line, "犬"));
  await vscode.screenshot("edit-here-2-accepted");

  // The focus is where it was before, without a click.
  await vscode.editing("neko.txt");
  await wish("a bird");
  await vscode.modifiedLine("鳥").waitFor();
  await page.getByText("Enter accepts the change").waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".monaco-diff-editor").waitFor({ state: "hidden" });
  expect(await onDisk()).toBe(before.replace(line, "犬"));
  await vscode.screenshot("edit-here-3-rejected");
});
