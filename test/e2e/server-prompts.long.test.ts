/**
 * Prompts and resources of a project's MCP server, by keyboard: chosen, refused with the reason, sent, and after a reload.
 * test/browser/server-menus, test/unit/core/loop/from-servers and servers.test.ts prove its parts for `npm test`.
 */
import { existsSync } from "node:fs";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";
import { processesByHome } from "./support/processes.ts";

const SERVER = path.resolve("node_modules/@modelcontextprotocol/server-everything/dist/index.js");

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

beforeAll(async () => {
  server = await startModelServer({
    script: { turns: [{ times: true, answer: [{ text: "The end." }] }] },
  });
});
afterEach(() => expect(server.refusals).toEqual([]));
afterAll(() => server.close());

const item = (name: string): Locator =>
  panel.getByTestId("server-item").filter({ has: panel.locator(".server-name", { hasText: name }) });
const input = () => panel.getByTestId("chat-input");
const slash = () => panel.getByTestId("slash-option");
const mention = () => panel.getByTestId("mention-option");
const type = (text: string) => vscode.page.keyboard.type(text);
const press = (key: string) => vscode.page.keyboard.press(key);
const value = () => input().inputValue();
/** The text of the user's last message in the last request. */
function received(): string {
  const { messages } = server.chat(server.requests.length);
  return JSON.stringify(messages.findLast(({ role }) => role === "user"));
}

it("prompts and resources are chosen by keyboard and reach the model, and nothing unapproved starts", async () => {
  const everything = { command: process.execPath, args: [SERVER] };
  const never = {
    command: process.execPath,
    args: ["-e", 'require("node:fs").writeFileSync("never-started", "")'],
  };
  vscode = await openWorkbench({
    files: { ".mcp.json": JSON.stringify({ mcpServers: { everything, never } }, null, 2) },
    modelServer: { baseUrl: server.url },
    settings: { "nekode.provider.protocol": "xml" },
    fresh: true,
  });
  panel = await vscode.openPanel();
  const root = vscode.workspace?.folder ?? "";

  // A server that is not approved: its prompt is not sent, and nothing starts.
  await input().click();
  await type("/never:prompt x");
  await press("Enter");
  await panel.getByRole("alert").getByText("approve the MCP server never").waitFor();
  await expect.poll(async () => (await value()).trim()).toBe("/never:prompt x");
  expect(existsSync(path.join(root, "never-started"))).toBe(false);
  expect(server.requests).toEqual([]);
  await vscode.screenshot("prompt-not-approved");
  await input().fill("");

  await vscode.runCommand("Nekode: Show MCP Servers");
  await item("everything").getByTestId("approve-server").press("Enter");
  await item("everything").getByTestId("server-tool").first().waitFor();
  await press("Escape");

  // A prompt whose argument is missing stays in the composer.
  await input().click();
  await type("/args");
  await slash().filter({ hasText: "/everything:args-prompt city [state]" }).waitFor();
  await vscode.screenshot("prompt-menu");
  await press("Enter");
  await expect.poll(value).toBe("/everything:args-prompt ");
  await press("Enter");
  await panel.getByRole("alert").getByText("arguments that are missing: city").waitFor();
  await expect.poll(async () => (await value()).trim()).toBe("/everything:args-prompt");
  await vscode.screenshot("prompt-missing-argument");
  expect(server.requests).toEqual([]);

  // With its argument, and a resource of a template.
  await press("End");
  await type("Tokyo @dynamic text");
  for (let i = 0; i < " text".length; i++) await press("Backspace");
  await mention().filter({ hasText: "{resourceId}" }).first().waitFor();
  await vscode.screenshot("resource-menu");
  const text = mention().filter({ hasText: "dynamic/text/{resourceId}" });
  while ((await text.getAttribute("aria-selected")) !== "true") await press("ArrowDown");
  await press("Enter");
  await expect.poll(value).toBe("/everything:args-prompt Tokyo @everything:demo://resource/dynamic/text/");
  await type("7");
  await vscode.screenshot("resource-template");
  await press("Enter");
  await vscode.row("text", "The end.").waitFor();
  expect(received()).toContain(
    '<server_prompt server=\\"everything\\" prompt=\\"args-prompt\\">\\nWhat\'s weather in Tokyo',
  );
  expect(received()).toContain(
    '<resource server=\\"everything\\" uri=\\"demo://resource/dynamic/text/7\\">\\nResource 7: This is a plaintext resource',
  );
  await vscode.screenshot("prompt-sent");

  // After a reload the prompts are listed from what is remembered: nothing starts before one is sent.
  await vscode.reload();
  panel = await vscode.openPanel();
  // No event tells of the end of the processes that the window had before.
  await expect.poll(() => processesByHome("server-everything", vscode.home)).toEqual([]);
  await input().click();
  await type("/simple");
  await slash().filter({ hasText: "/everything:simple-prompt" }).waitFor();
  expect(processesByHome("server-everything", vscode.home)).toEqual([]);
  await press("Enter");
  await expect.poll(value).toBe("/everything:simple-prompt ");
  const before = server.requests.length;
  await press("Enter");
  await expect.poll(() => server.requests.length).toBe(before + 1);
  expect(received()).toContain("This is a simple prompt without arguments.\\n</server_prompt>");
  expect(existsSync(path.join(root, "never-started"))).toBe(false);
});
