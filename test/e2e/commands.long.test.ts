/**
 * Commands as a user sees them: a flood of output, going on while one runs, and what is left running. test/vscode/terminals and
 * session-ends, and test/unit/shared/text prove for `npm test` what is run, ended, folded and told.
 */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { isAlive } from "../support/processes.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => server.forgetRequests());
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

/** The model runs these, one a turn, and is done. */
async function open(commands: string[]): Promise<void> {
  server.setScript({
    turns: [
      ...commands.map((command, at) => ({
        match: { request: at + 1 },
        answer: [{ tool: "execute_command", params: { command, requires_approval: false } }],
      })),
      {
        match: { request: commands.length + 1 },
        answer: [{ tool: "attempt_completion", params: { result: "All ran." } }],
      },
    ],
  });
  vscode = await shareWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.approval.commandAll": true },
  });
  panel = await vscode.openPanel();
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("Run them");
  await vscode.page.keyboard.press("Enter");
}

const row = (kind: string) => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const file = (name: string) => path.join(vscode.workspace?.folder ?? "", name);

/** Nothing tells of the end of a process that is not one's child. */
async function gone(pid: number): Promise<void> {
  await expect.poll(() => isAlive(pid)).toBe(false);
}

/** A thousand lines a second, in colors, until it is ended. */
const FLOOD =
  "echo $$ > pid; e=$(printf '\\033'); i=0; while :; do seq -f \"$e[32mline %.0f$e[0m\" $((i * 40)) $((i * 40 + 39)); sleep 0.02; i=$((i + 1)); done";

it("types on beside a thousand lines a second, goes on while it runs, and ends it by one click", async () => {
  await open([FLOOD]);
  const output = row("command").locator(".output");
  await output.filter({ hasText: "line" }).waitFor();
  await panel.getByTestId("chat-input").click();
  const text = "abcdefghijklmnopqrstuvwxyz";
  await vscode.page.keyboard.type(text);
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toBe(text);
  await vscode.screenshot("command-flood");

  await panel.getByTestId("move-to-background").click();
  await row("result").filter({ hasText: "All ran." }).waitFor();
  const told = JSON.stringify(server.chat(2).messages.at(-1));
  expect(JSON.stringify(server.chat(2).messages)).toMatch(/Still running after .* as terminal 1/);
  expect(told).toContain("# Actively Running Terminals");
  const pid = Number(readFileSync(file("pid"), "utf8"));
  expect(isAlive(pid)).toBe(true);

  await panel.getByTestId("chat-input").fill("");
  await vscode.runCommand("Nekode: New Task");
  const toast = await vscode.holdNotification("Still running in the background");
  await vscode.screenshot("command-still-running");
  await toast.getByRole("button", { name: "End", exact: true }).click();
  await gone(pid);
});

it("folds what is drawn over, strips colors, and says by which signal a command ended", async () => {
  await open([
    "printf '\\033[31mred\\033[0m\\n'; for p in 10 50 100; do printf '%s%% of it\\r' $p; done; echo; printf 'a 1%%\\nb 1%%\\n\\033[2A\\033[2Ka 9%%\\n\\033[2Kb 9%%\\n'",
    "kill -KILL $$",
  ]);
  await row("result").filter({ hasText: "All ran." }).waitFor();
  await vscode.unfold();
  const output = row("command").nth(0).locator(".output");
  const shown = async () => (await output.textContent())?.trim();
  await expect.poll(shown).toBe("red\n100% of it\na 9%\nb 9%");
  const messages = JSON.stringify(server.chat(3).messages);
  expect(messages).toContain("Output:\\\\nred\\\\n100% of it\\\\na 9%\\\\nb 9%".replaceAll("\\\\", "\\"));
  expect(messages).toMatch(/Exit code 137 after .*: ended by the signal SIGKILL/);
  await row("command").nth(1).getByText("ended by SIGKILL").waitFor();
  await vscode.screenshot("command-ends");
});

it("ends what runs in the background when the window closes", async () => {
  await open(["echo $$ > second; exec sleep 1000"]);
  await panel.getByTestId("move-to-background").click();
  await row("result").filter({ hasText: "All ran." }).waitFor();
  await expect
    .poll(() => existsSync(file("second")) && readFileSync(file("second"), "utf8"))
    .toMatch(/^\d+\n$/);
  const pid = Number(readFileSync(file("second"), "utf8"));
  expect(isAlive(pid)).toBe(true);
  await vscode.reload();
  await gone(pid);
});
