/**
 * Real windows on a computer whose administrator limits Nekode. For `npm test`, test/unit/core/policy and test/unit/node/policy prove
 * each limit, test/cli/managed the file at its real place, and test/browser/foot what the panel's menu shows of it.
 */
import { access, rm } from "node:fs/promises";
import type { FrameLocator } from "playwright-core";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type ScriptPart, startModelServer } from "../model-server/server.ts";
import { hasNamespaces } from "../support/managed-machine.ts";
import { hasSandbox } from "../support/sandbox.ts";
import { answerInTurn } from "./support/answers-in-turn.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

const BY = "Example IT (it@example.com)";
/** Not the project's, where commands see it. */
const OUTSIDE = "/var/tmp/nekode-managed-outside";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeEach(async () => {
  server = await startModelServer({ script: { turns: [] } });
});

afterEach(async () => {
  await vscode.close();
  await server.close();
  await rm(OUTSIDE, { force: true });
});

const policyOf = (more: object) => JSON.stringify({ version: 1, managedBy: BY, ...more });

const everything = () =>
  policyOf({
    endpoints: [server.url],
    models: ["script*"],
    permissions: { highest: "safe", ask: ["web"] },
    sandbox: "required",
    servers: "off",
    hooks: "off",
    export: "off",
    limits: { costPerTask: 1, costPerDay: 20 },
  });

/** A user, and a project, that allow everything. */
const LAX = {
  "nekode.approval.edit": true,
  "nekode.approval.commandSafe": true,
  "nekode.approval.commandAll": true,
  "nekode.approval.web": true,
  "nekode.approval.maxCost": 0,
  "nekode.sandbox": "off",
};

async function open(policy: string, more: Parameters<typeof openWorkbench>[0] = {}): Promise<void> {
  vscode = await openWorkbench({
    files: { "a.txt": "a\n", ".vscode/settings.json": JSON.stringify(LAX) },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "native", ...LAX },
    policy,
    ...more,
  });
  panel = await vscode.openPanel();
}

const write: ScriptPart = { tool: "write_to_file", params: { path: "cat.txt", content: "meow\n" } };
const look: ScriptPart = { tool: "web_fetch", params: { url: "https://example.com/cats" } };
const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const run = (command: string): ScriptPart => ({
  tool: "execute_command",
  params: { command, requires_approval: false },
});
const asked = () => server.requests.filter(({ path: at }) => at.includes("completions")).length;

describe.runIf(hasNamespaces)("a window on a computer that is managed", () => {
  it("shows what is managed and by whom, and nothing that the user or the project sets lifts it", async () => {
    await open(everything());
    const picker = panel.getByTestId("permission-picker");
    await picker.filter({ hasText: "Safe commands" }).waitFor();
    await picker.click();
    const lines = panel.getByTestId("managed-line");
    await lines.first().waitFor();
    await panel
      .getByTestId("managed")
      .filter({ hasText: `Managed by ${BY}` })
      .waitFor();
    await expect
      .poll(() => lines.allTextContents())
      .toEqual([
        "Permissions: at most “Edits and safe commands”",
        "Always asks: Access the web",
        "Commands that run without asking run in the sandbox only",
      ]);
    const all = panel.getByRole("menuitemradio", { name: "Everything" });
    await expect.poll(() => all.getAttribute("aria-disabled")).toBe("true");
    await vscode.screenshot("managed-menu");
    await all.click({ force: true });
    await vscode.page.keyboard.press("Escape");

    answerInTurn(server, [write], [run("echo in > in.txt")], [run(`echo out > ${OUTSIDE}`)], [look]);
    await vscode.send("Work");
    await vscode
      .row("approval")
      .filter({ hasText: hasSandbox ? "example.com" : "echo in" })
      .waitFor();
    await panel.getByText(`${BY} requires approval for this`).waitFor();
    await vscode.screenshot("managed-asks");
    expect(await vscode.workspace?.read("cat.txt")).toBe("meow\n");
    expect(vscode.workspace?.exists("in.txt")).toBe(hasSandbox);
    await expect(access(OUTSIDE)).rejects.toThrow("ENOENT");

    await vscode.newTask();
    await vscode.send("/help");
    await panel.getByText("Managed on this computer").scrollIntoViewIfNeeded();
    await expect
      .poll(() => lines.allTextContents())
      .toEqual([
        `Endpoints: only ${server.url}`,
        "Models: only script*",
        "Permissions: at most “Edits and safe commands”",
        "Always asks: Access the web",
        "Commands that run without asking run in the sandbox only",
        "MCP servers: none is allowed",
        "Hooks: none is allowed",
        "Sessions cannot be exported",
        "A task may cost at most 1.00 USD",
        "Requests of a day may cost at most 20.00 USD",
      ]);
    await lines.last().scrollIntoViewIfNeeded();
    await vscode.screenshot("managed-help");

    await vscode.titleAction("Show MCP Servers");
    await lines.filter({ hasText: "MCP servers: none is allowed" }).waitFor();
    await vscode.screenshot("managed-servers");

    await vscode.titleAction("Show History");
    await panel.getByTestId("history-more").first().click();
    await panel.getByTestId("history-export").click();
    await panel.getByTestId("history-export-md").click();
    await panel
      .getByRole("alert")
      .filter({ hasText: `${BY} does not allow sessions to be exported.` })
      .first()
      .waitFor();
    await vscode.screenshot("managed-export");
  });

  it("ends a task at the cost that is allowed, whatever the user presses", async () => {
    server.setScript({ scope: "server", turns: [{ times: true, answer: [DONE], usage: { cost: 2 } }] });
    await open(everything());
    await vscode.send("One");
    await vscode.row("result").first().waitFor();
    await vscode.send("Two");
    const notice = vscode.row(
      "notice",
      `This task has cost 2.00 USD. ${BY} does not allow a task to cost more.`,
    );
    await notice.first().waitFor();
    await vscode.screenshot("managed-cost");
    const sent = asked();
    await vscode.send("Three");
    await expect.poll(() => notice.count()).toBe(2);
    expect(asked()).toBe(sent);
  });

  it("asks no other endpoint and no other model, and says in Japanese who does not allow it", async () => {
    await open(
      policyOf({
        endpoints: ["https://models.example.com/v1"],
        permissions: { highest: "ask", ask: ["web"] },
      }),
      { language: "ja" },
    );
    await vscode.send("こんにちは");
    const row = vscode.row("error");
    await row.waitFor();
    const text = row.locator(".error-text");
    await expect
      .poll(() => text.textContent())
      .toBe(`${BY} は ${new URL(server.url).origin} への要求を許可していません。`);
    await expect.poll(async () => (await row.textContent())?.split(BY).length).toBe(2);
    await vscode.screenshot("managed-endpoint-ja");
    await panel.getByTestId("permission-picker").click();
    await panel.getByText(`${BY} が管理しています`).waitFor();
    await vscode.screenshot("managed-menu-ja");
    await vscode.page.keyboard.press("Escape");
    await vscode.send("/help");
    await panel.getByText("このコンピューターで管理されている項目").scrollIntoViewIfNeeded();
    await panel.getByTestId("managed-line").last().scrollIntoViewIfNeeded();
    await vscode.screenshot("managed-help-ja");
    expect(server.requests).toEqual([]);
  });

  it("does not start with a policy that cannot be used, and says why", async () => {
    vscode = await openWorkbench({
      modelServer: { baseUrl: server.url },
      policy: policyOf({ sandbx: "required" }),
    });
    await vscode.panelTab().click();
    panel = vscode.panel();
    await panel.getByText(/Nekode is managed on this computer and does not start, .*sandbx/).waitFor();
    await vscode.screenshot("managed-unusable");
    expect(server.requests).toEqual([]);
  });
});
