/**
 * The side bar shows something else while a task works: an approval that comes meanwhile, another theme, and no notifications.
 * hidden.test.ts proves for `npm test` what tells of a task, and that the page that comes back is the same.
 */
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import { away, badge, hide, seen, state, TEST, toast, watch } from "./support/hidden-page.ts";
import { inUsualWindow, panel, server, vscode } from "./support/usual-window.ts";

inUsualWindow();
beforeEach(() =>
  server.setScript({
    turns: [
      {
        match: { firstUser: "Run it", request: 1 },
        answer: [
          { text: "I ask first. " },
          { hold: "before the question" },
          {
            tool: "execute_command",
            params: { command: "echo made > made.txt", requires_approval: true },
          },
        ],
      },
      { match: { firstUser: "Run it" }, answer: [{ text: "It was run." }] },
      { match: { firstUser: "Test again", request: 1 }, answer: [TEST] },
      { match: { firstUser: "Test again" }, answer: [{ text: "That was all." }] },
    ],
  }),
);
// The theme and the settings are others by then.
afterAll(() => vscode.close());

it("an approval that came while it was hidden is shown, and its button works", async () => {
  await vscode.send("Run it");
  await server.waitForHold("before the question");
  const frame = await hide();
  await watch(frame);
  server.release("before the question");
  await state("waiting for your approval").waitFor();
  expect(await seen(frame)).toEqual({ messages: [], changes: [] });
  await vscode.editing("a.txt");

  await vscode.openPanel();
  await panel.getByTestId("approve").waitFor();
  await vscode.screenshot("hidden-approval");
  expect(vscode.workspace?.exists("made.txt")).toBe(false);
  await panel.getByTestId("approve").click();
  await vscode.row("text", "It was run.").waitFor();
  expect(await vscode.workspace?.read("made.txt")).toBe("made\n");
  expect((await seen(frame)).messages).toContain("chat/snapshot");
});

it("has the colors of a theme that was chosen meanwhile", async () => {
  const frame = await hide();
  const color = () => frame.evaluate(() => getComputedStyle(document.body).color);
  const before = await color();
  await vscode.runCommand("Preferences: Toggle between Light/Dark Themes");
  await vscode.page.locator(".monaco-workbench.vs").waitFor();
  await vscode.openPanel();
  await panel.locator("body.vscode-light").waitFor();
  expect(await color()).not.toBe(before);
  await vscode.screenshot("hidden-theme");
});

it("says nothing but by badge and status bar where notifications are off", async () => {
  const { page } = vscode;
  // By hand in the file, as a click in the editor of settings can be lost while it draws its results again.
  const file = path.join(vscode.userDataDir, "Machine/settings.json");
  const settings: object = JSON.parse(await readFile(file, "utf8"));
  await writeFile(file, JSON.stringify({ ...settings, "nekode.notifications.enabled": false }));
  await vscode.runCommand("Preferences: Open Settings (UI)");
  await page.locator(".settings-editor .search-container .monaco-editor.focused").waitFor();
  await page.keyboard.insertText("nekode.notifications.enabled");
  await page
    .locator(".settings-editor")
    .getByRole("tab", { name: /^Remote/ })
    .click();
  const item = page.locator(".settings-editor .setting-item-bool", { hasText: "Notifications: Enabled" });
  const setting = item.getByRole("checkbox");
  await expect.poll(() => setting.getAttribute("aria-checked")).toBe("false");
  // The mark of a setting that is stored.
  await page
    .locator(".settings-editor .setting-item-contents.is-configured", { hasText: "Notifications: Enabled" })
    .waitFor();
  await vscode.closeModal();
  // An earlier notification may still be on screen.
  await vscode.runCommand("Notifications: Clear All Notifications");
  await expect.poll(() => toast("Nekode").count()).toBe(0);
  await vscode.openPanel();
  await vscode.send("Test again");
  await vscode.row("approval").waitFor();
  await away();
  await badge().waitFor();
  await state("waiting for your approval").click();
  await vscode.panel().getByTestId("approve").click();
  await vscode.row("text", "That was all.").waitFor();
  expect(await toast("Nekode").count()).toBe(0);
  await vscode.screenshot("attention-quiet");
});
