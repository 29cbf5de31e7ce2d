/** What waits while another view shows: a badge, a status bar item that brings the panel back, a notification, a sound. */
import { readdirSync, readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { soundPlayer } from "../../src/node/system-sound.ts";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;

beforeAll(async () => {
  const test: ScriptPart = {
    tool: "execute_command",
    params: { command: "npm --version", requires_approval: true },
  };
  server = await startModelServer({
    script: {
      turns: [
        { match: { request: 1 }, answer: [test] },
        { match: { request: 2 }, answer: [{ hold: "end" }, { text: "That is all." }] },
        { match: { request: 3 }, answer: [test] },
        { answer: [{ text: "That was all." }] },
      ],
    },
  });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native", "nekode.notifications.sound": true },
  });
  await vscode.openPanel();
  await vscode.newTask();
});
afterAll(async () => {
  await vscode.close();
  await server.close();
});

const badge = () => vscode.page.locator(".activitybar .badge-content", { hasText: "1" });
const state = (says: string) => vscode.page.locator(`.statusbar-item[aria-label*="${says}"]`);
const toast = (says: string) => vscode.page.locator(".notification-toast", { hasText: says });
const away = () => vscode.runCommand("View: Show Explorer");

/** The lines of Nekode's own log. */
function log(): string {
  const logs = path.join(vscode.userDataDir, "logs");
  const files = readdirSync(logs, { recursive: true, encoding: "utf8" }).filter((file) =>
    /nekode\.nekode\/.*\.log$/.test(file),
  );
  return files.map((file) => readFileSync(path.join(logs, file), "utf8")).join("");
}

it("an approval that waits behind another view is seen and answered from there, and so is the end", async () => {
  await vscode.send("Test it");
  await vscode.row("approval").waitFor();
  await away();
  await vscode.holdNotification("Nekode is waiting for your approval");
  await state("waiting for your approval").waitFor();
  await badge().waitFor();
  // Whether it is heard cannot be seen; where nothing can play it, the log has the reason.
  if (soundPlayer() === undefined) await expect.poll(log).toContain("no sound was played");
  await vscode.screenshot("attention-hidden");
  await state("waiting for your approval").click();
  await vscode.row("approval").waitFor();
  await badge().waitFor({ state: "detached" });

  await away();
  await badge().waitFor();
  await vscode.page.keyboard.press("ControlOrMeta+k");
  await vscode.page.keyboard.press("y");
  await server.waitForHold("end");
  await state("Nekode is working").waitFor();
  await badge().waitFor({ state: "detached" });
  await vscode.screenshot("attention-answered");
  server.release("end");
  const done = await vscode.holdNotification("Nekode is done");
  await badge().waitFor();
  await done.getByRole("button", { name: "Show", exact: true }).click();
  await vscode.row("text", "That is all.").waitFor();
  await badge().waitFor({ state: "detached" });
  await state("Nekode is").waitFor({ state: "detached" });
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
  await vscode.send("Test it again");
  await vscode.row("approval").waitFor();
  await away();
  await badge().waitFor();
  await state("waiting for your approval").click();
  await vscode.panel().getByTestId("approve").click();
  await vscode.row("text", "That was all.").waitFor();
  expect(await toast("Nekode").count()).toBe(0);
  await vscode.screenshot("attention-quiet");
});
