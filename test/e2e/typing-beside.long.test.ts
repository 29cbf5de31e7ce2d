/**
 * The user types in another editor while many edits are written: no key and no focus is lost. typing-beside.test.ts proves for
 * `npm test` that nothing takes the focus.
 */
import { afterAll, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { editScript, lines } from "./support/edit-script.ts";
import { watchFocus } from "./support/focus.ts";
import { openWorkbench } from "./support/index.ts";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer({ script: editScript("work.txt", 20, 150) });
});
afterAll(async () => {
  expect(server.refusals).toEqual([]);
  await server.close();
});

it("lets the user type on in another editor while 20 edits are written", async () => {
  const vscode = await openWorkbench({
    files: { "notes.txt": "", "work.txt": lines(20, "old") },
    modelServer: { baseUrl: server.url },
    settings: {
      "nekode.approval.edit": true,
      "nekode.approval.maxRequests": 1_000,
      "nekode.provider.protocol": "native",
      "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
    },
  });
  await vscode.openPanel();
  await vscode.openFile("work.txt");
  await vscode.openFile("notes.txt");
  await vscode.send("Edit all lines");
  await vscode.page.locator(".editor-instance .view-lines").first().click();
  const moved = await watchFocus(vscode);
  const words = Array.from({ length: 100 }, (_, at) => `w${String(at).padStart(3, "0")}`).join(" ");
  const typed = `${words}.`;
  expect(typed).toHaveLength(500);
  await vscode.page.keyboard.type(typed, { delay: 8 });
  await server.waitForRequest(21);
  await vscode.row("result").waitFor();
  expect(await moved()).toEqual([]);
  await vscode.page.keyboard.press("ControlOrMeta+s");
  await vscode.tab("notes.txt").and(vscode.page.locator(".dirty")).waitFor({ state: "hidden" });
  await expect.poll(() => vscode.workspace?.read("notes.txt")).toBe(typed);
  expect(await vscode.workspace?.read("work.txt")).toBe(lines(20, "new"));
  await vscode.screenshot("many-edits-typed");
});
