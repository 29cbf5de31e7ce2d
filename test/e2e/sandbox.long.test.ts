/**
 * A task in a real window whose commands run in the sandbox. For `npm test`, test/cli/sandbox proves the same in a terminal, and
 * test/unit/node/sandbox what the sandbox stops.
 */
import { readFile, rm } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import type { ScriptPart } from "../model-server/server.ts";
import { hasSandbox } from "../support/sandbox.ts";
import { inOwnWindow, panel, server, vscode } from "./support/own-window.ts";

/** Not the project's, where commands see it. */
const OUTSIDE = "/var/tmp/nekode-outside";

afterEach(() => rm(OUTSIDE, { force: true }));

const run = (command: string, more: Record<string, unknown> = {}): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: true, ...more },
});

inOwnWindow(
  { "nekode.approval.commandSafe": true, "nekode.approval.edit": true },
  {
    "package.json": JSON.stringify({ scripts: { build: "node build.js", test: "node test.js" } }),
    "build.js": 'require("node:fs").writeFileSync("built.js", "module.exports = 2;\\n");\n',
    "test.js": 'require("node:assert").equal(require("./built.js"), 2); console.log("1 passed");\n',
  },
);

it.runIf(hasSandbox)(
  "builds and tests without a question, says what was blocked, and asks for what runs outside",
  async () => {
    const calls: ScriptPart[] = [
      run("npm run --silent build && npm test --silent"),
      run("npx --yes cowsay hello"),
      run(`echo x > ${OUTSIDE}`),
      run("echo outside; id -un", { outside_sandbox: true }),
      { tool: "attempt_completion", params: { result: "All ran." } },
    ];
    server.setScript({
      turns: calls.map((call, index) => ({ match: { request: index + 1 }, answer: [call] })),
    });
    await vscode.send("Build it");
    await vscode.row("approval").filter({ hasText: "id -un" }).waitFor();
    await panel.getByText("Ran 3 commands, 2 failed").click();
    await panel.getByRole("button", { name: "npx --yes cowsay hello" }).click();
    await panel.getByText("Blocked by the sandbox: network access").waitFor();
    // The command that ended last may still be open.
    const last = panel.getByRole("button", { name: `echo x > ${OUTSIDE}` });
    if (await last.isVisible()) await last.click();
    await panel.getByText(`Blocked by the sandbox: writing to ${OUTSIDE}`).scrollIntoViewIfNeeded();
    await vscode.screenshot("sandbox-asks");
    expect(JSON.stringify(server.chat(2).messages)).toContain("1 passed");
    expect(JSON.stringify(server.chat(3).messages)).toContain("probably blocked access to the network");
    expect(JSON.stringify(server.chat(4).messages)).toContain(`probably blocked writing to ${OUTSIDE}`);
    await panel.getByText("Runs outside the sandbox", { exact: true }).waitFor();
    await panel.getByText("the model asks to run the command outside the sandbox").waitFor();
    await panel.getByTestId("approve").click();
    await vscode.row("result").filter({ hasText: "All ran." }).waitFor();
    expect(vscode.workspace?.exists("built.js")).toBe(true);
    await vscode.screenshot("sandbox-done");
  },
);

it.runIf(hasSandbox)(
  "runs what was blocked outside once its button is pressed, and the agent goes on",
  async () => {
    const blocked = `echo outside > ${OUTSIDE}`;
    const answers: ScriptPart[] = [
      run(blocked),
      { text: "The file cannot be written." },
      run(blocked, { outside_sandbox: true }),
      { tool: "attempt_completion", params: { result: "It is written." } },
    ];
    server.setScript({ scope: "server", turns: answers.map((answer) => ({ times: 1, answer: [answer] })) });
    await vscode.newTask();
    await vscode.send("Write it");
    await vscode.row("text").filter({ hasText: "The file cannot be written." }).waitFor();
    const button = panel.getByRole("button", { name: `Run outside the sandbox: ${blocked}` });
    await button.waitFor();
    await vscode.screenshot("sandbox-blocked");
    await button.press("Enter");
    await vscode.row("result").filter({ hasText: "It is written." }).waitFor();
    expect(await readFile(OUTSIDE, "utf8")).toBe("outside\n");
    await vscode
      .row("user")
      .filter({ hasText: `Run outside the sandbox: \`${blocked}\`` })
      .waitFor();
    await vscode.page.getByText("Nekode (sandbox):").first().waitFor();
    await vscode.screenshot("sandbox-ran-outside");
  },
);
