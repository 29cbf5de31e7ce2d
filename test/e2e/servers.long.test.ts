/**
 * A project's MCP server, from a package: approved by keyboard, listed, called with approval, and killed, alone and with its host.
 * test/browser/servers, test/unit/node/servers and test/cli/servers prove its steps for `npm test`.
 */
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { serversScript } from "../model-server/scripts/servers.ts";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";
import { killByHome, processesByHome } from "./support/processes.ts";

const SERVER = path.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({
    script: serversScript("everything", [
      ["echo", { message: "ネコ" }],
      ["get-tiny-image", {}],
      ["trigger-elicitation-request", {}],
      ["trigger-long-running-operation", { duration: 300, steps: 3000 }],
    ]),
  });
});
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

const row = (kind: string): Locator => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const item = () => panel.getByTestId("server-item");

/** Approves the pending call of this tool. */
async function approve(tool: string): Promise<void> {
  await panel.locator(".ask").getByTestId("server-call").filter({ hasText: tool }).waitFor();
  await panel.getByTestId("approve").click();
}

it("is approved by keyboard, shows its tools, an image and a form, and its death in the row", async () => {
  const entry = { command: process.execPath, args: [SERVER] };
  vscode = await openWorkbench({
    files: { ".mcp.json": JSON.stringify({ mcpServers: { everything: entry } }, null, 2) },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "xml" },
    fresh: true,
  });
  panel = await vscode.openPanel();
  await vscode.runCommand("Nekode: Show MCP Servers");
  await item().locator(".server-line", { hasText: SERVER }).waitFor();
  await expect.poll(() => item().getAttribute("data-state")).toBe("untrusted");
  await vscode.screenshot("servers-untrusted");
  await item().getByTestId("approve-server").press("Enter");
  await item().getByTestId("server-tool").filter({ hasText: "get-tiny-image" }).waitFor();
  await expect.poll(() => item().getAttribute("data-state")).toBe("running");
  await vscode.screenshot("servers-tools");
  await vscode.page.keyboard.press("Escape");

  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText("Try the tools");
  await vscode.page.keyboard.press("Enter");
  await panel.locator(".ask").getByText('"ネコ"').waitFor();
  await vscode.screenshot("servers-approval");
  await approve("echo");
  await approve("get-tiny-image");
  await row("tool").getByTestId("picture").locator("img").waitFor();

  await approve("trigger-elicitation-request");
  const form = panel.getByTestId("server-question");
  await form.waitFor();
  await vscode.screenshot("servers-form");
  await form.getByLabel("String", { exact: false }).first().fill("Ada");
  await form.getByTestId("form-submit").press("Enter");
  await form.waitFor({ state: "detached" });

  await approve("trigger-long-running-operation");
  await row("tool").getByText("%", { exact: false }).waitFor();
  expect(killByHome("server-everything", vscode.home)).toBeGreaterThan(0);
  await row("result").filter({ hasText: "All tools were tried." }).waitFor();
  await vscode.unfold();
  await row("tool")
    .filter({ hasText: "trigger-long-running-operation" })
    .getByText("ended")
    .first()
    .waitFor();
  await vscode.screenshot("servers-killed");

  const results = JSON.stringify(server.chat(5).messages);
  expect(results).toContain("Echo: ネコ");
  expect(results).toContain("data:image/png;base64,");
  expect(results).toContain("Name: Ada");
});

it("leaves no process behind when the extension host is killed in mid-call", async () => {
  server.setScript(
    serversScript("everything", [["trigger-long-running-operation", { duration: 300, steps: 3000 }]]),
  );
  await vscode.newTask();
  await vscode.send("Once more");
  await approve("trigger-long-running-operation");
  await row("tool").last().getByText("%", { exact: false }).waitFor();
  const left = () => processesByHome("server-everything", vscode.home);
  expect(left()).toHaveLength(1);
  expect(vscode.killExtensionHosts()).toBeGreaterThan(0);
  // No event tells of the end of another program's process.
  await expect.poll(left).toEqual([]);
  await expect.poll(() => processesByHome("guard.js", vscode.home)).toEqual([]);
});
