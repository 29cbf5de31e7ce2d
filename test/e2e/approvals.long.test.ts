/**
 * What is asked once and then no more, with the user's own settings of VS Code. test/unit/core/loop/allowances.test.ts
 * proves the rule, test/browser/approvals.test.ts the menu; approvals.test.ts has the answers from the editor.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
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
beforeEach(async () => {
  await vscode.newTask();
});
afterAll(async () => {
  await vscode.close();
  expect(server.refusals).toEqual([]);
  await server.close();
});

const run = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});

/** Each answer follows the one before; the last one ends it. */
function script(...answers: ScriptPart[][]): void {
  const all: ScriptPart[][] = [...answers, [{ text: "That is all." }]];
  server.setScript({ turns: all.map((answer, i) => ({ match: { request: i + 1 }, times: true, answer })) });
}
const done = () => vscode.row("text", "That is all.").waitFor();

it("asks no more for what is always allowed, and stores it with the user's own settings", async () => {
  script([run("date -u +%Y")], [run("date -u +%Y")]);
  await vscode.send("The year");
  const more = panel.getByTestId("approve-more");
  await more.focus();
  await vscode.page.keyboard.press("Enter");
  await panel.getByRole("menuitem", { name: "Always allow" }).waitFor();
  await vscode.screenshot("approvals-always");
  await panel.getByRole("menuitem", { name: "Always allow" }).click();
  await done();
  await vscode.unfold();
  await expect.poll(() => vscode.row("command").count()).toBe(2);
  // It holds before it is stored.
  const machine = path.join(vscode.userDataDir, "Machine/settings.json");
  await expect.poll(() => readFileSync(machine, "utf8")).toContain("date -u +%Y");
  const settings: unknown = JSON.parse(readFileSync(machine, "utf8"));
  expect(settings).toMatchObject({ "nekode.commands.allow": expect.arrayContaining(["date -u +%Y"]) });
});
