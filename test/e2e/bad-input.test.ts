/** What goes wrong before the model ever answers, and how the user sees it; nothing typed is lost. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { shareWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;

const WORKS = [{ text: "It works now." }];

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [] } });
});
beforeEach(() => {
  server.setScript({ turns: [{ answer: WORKS }] });
  server.forgetRequests();
});
afterAll(() => server.close());

async function send(text: string): Promise<void> {
  await panel.getByTestId("chat-input").click();
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
}
const row = (kind: string) => panel.locator(`[data-testid=row][data-kind=${kind}]`);

it("without a model: the empty state says what to do, and a message sent all the same is kept", async () => {
  vscode = await shareWorkbench({ files: { "a.txt": "a\n" }, fresh: true });
  // From the Explorer, before the panel was ever there: it opens with the mention, and nothing else opens.
  const file = vscode.page.locator(".explorer-folders-view .monaco-list-row").filter({ hasText: "a.txt" });
  await vscode.chooseFromMenuOf(file, "Mention in Nekode");
  panel = vscode.panel();
  await expect.poll(() => panel.getByTestId("chat-input").inputValue()).toContain("@/a.txt");
  expect(await vscode.page.locator(".part.panel").isVisible()).toBe(false);
  await panel.getByTestId("chat-input").fill("");
  await panel.getByTestId("find-local").waitFor();
  await vscode.screenshot("no-model");
  await send("Hello?");
  await row("error").filter({ hasText: "settings" }).waitFor();
  await row("user").filter({ hasText: "Hello?" }).waitFor();
  await vscode.screenshot("no-model-sent");
  await panel.getByTestId("retry").waitFor();
  await panel.getByTestId("choose-model").click();
  await panel.getByRole("heading", { name: "Connections to models" }).waitFor();
  await vscode.page.keyboard.press("Escape");
  // The settings have the endpoint among them, also where they are another machine's.
  await vscode.runCommand("Nekode: Open Settings");
  await vscode.page.locator(".settings-editor").getByText("Base Url", { exact: true }).first().waitFor();
  await vscode.closeModal();
});

describe("an endpoint that fails", () => {
  const cases: [string, Script, string][] = [
    [
      "a wrong key",
      { turns: [{ fault: { kind: "status", status: 401, times: 1 }, answer: WORKS }] },
      "API key",
    ],
    [
      "an unknown model",
      { turns: [{ fault: { kind: "status", status: 404, times: 1 }, answer: WORKS }] },
      "scripted",
    ],
  ];
  it.each(cases)("%s: a row says so, and retry goes on", async (name, script, words) => {
    server.setScript(script);
    vscode = await shareWorkbench({ files: { "a.txt": "a\n" }, modelServer: { baseUrl: server.url } });
    panel = await vscode.openPanel();
    await send("Hello");
    await row("error").filter({ hasText: words }).waitFor();
    await vscode.screenshot(`error-${name.replaceAll(" ", "-")}`);
    await panel.getByTestId("retry").click();
    await row("text").filter({ hasText: "It works now." }).waitFor();
    expect(server.requests).toHaveLength(2);
  });

  it("one that is down: the address is named", async () => {
    vscode = await shareWorkbench({
      files: { "a.txt": "a\n" },
      modelServer: { baseUrl: "http://127.0.0.1:9/v1" },
    });
    panel = await vscode.openPanel();
    await send("Hello");
    await row("error").filter({ hasText: "127.0.0.1:9" }).waitFor();
    await vscode.screenshot("error-down");
  });
});

it("without a folder: said in the panel, and the agent still talks", async () => {
  vscode = await shareWorkbench({ empty: true, modelServer: { baseUrl: server.url } });
  // The panel was never open.
  await vscode.runCommand("Nekode: Health");
  await vscode.editing("nekode-health.md");
  panel = await vscode.openPanel();
  await vscode.screenshot("no-folder");
  await send("Hello");
  await row("text").filter({ hasText: "It works now." }).waitFor();
  await row("notice").filter({ hasText: "folder" }).waitFor();
});
