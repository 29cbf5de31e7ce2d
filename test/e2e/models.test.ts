/** From the first opening to the first answer, counted in clicks, and another model in the middle of a task. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator, Locator } from "playwright-core";
import { afterEach, describe, expect, it } from "vitest";
import { type ModelServer, type Script, startModelServer } from "../model-server/server.ts";
import { openWorkbench, type Workbench } from "./support/index.ts";

let server: ModelServer;
let vscode: Workbench;
let panel: FrameLocator;
/** Presses of the mouse or of Enter since the panel opened. */
let steps: number;

afterEach(async () => {
  // The address without its version is asked once.
  expect(server.refusals.filter((refusal) => !refusal.includes("GET /models."))).toEqual([]);
  await vscode.close();
  await server.close();
});

async function start(script: Script, settings: Record<string, unknown> = {}): Promise<void> {
  server = await startModelServer({ script });
  const { port } = new URL(server.url);
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    // Not the ports of this machine, where something may run.
    env: { NEKODE_LOCAL_PORTS: `ollama=${port},vllm=9` },
    settings,
    fresh: true,
  });
  panel = await vscode.openPanel();
  steps = 0;
}

async function click(target: Locator): Promise<void> {
  await target.click();
  steps++;
}
async function send(text: string): Promise<void> {
  await vscode.page.keyboard.insertText(text);
  await vscode.page.keyboard.press("Enter");
  steps++;
}
const row = (kind: string) => panel.locator(`[data-testid=row][data-kind=${kind}]`);
const models = () => server.requests.map(({ body }) => (body as { model?: string }).model);

describe("from the first opening to the first answer", () => {
  it("a local server with one model: Find, then the message", async () => {
    await start({ models: ["qwen3:8b"], turns: [{ answer: [{ text: "Hello from here." }] }] });
    await panel.getByTestId("find-local").waitFor();
    await vscode.screenshot("setup");
    // Without a connection and a session there is something to measure, too.
    await vscode.runCommand("Nekode: Health");
    await vscode.editing("nekode-health.md");
    const shown = async () => (await vscode.editorText()).join("\n");
    await expect.poll(shown).toContain("Bytes sent a turn");
    const health = await shown();
    expect(health).toMatch(/Event loop delay, mean \| \d+\.\d ms/);
    expect(health).toMatch(/prompt cache \| – \| 96%.*Requests \| 0 \|.*Bytes sent a turn \| – \|/s);
    await click(panel.getByTestId("find-local"));
    // The focus is in the message's field once it is ready.
    await panel.locator("[data-testid=chat-input]:focus").waitFor();
    await send("Hello");
    await row("text").filter({ hasText: "Hello from here." }).waitFor();
    await panel.getByTestId("answered-by").filter({ hasText: "ollama/qwen3:8b" }).waitFor();
    expect(steps).toBe(2);
    expect(models()).toEqual(["qwen3:8b"]);
    await vscode.screenshot("setup-local-answered");
  });

  it("an endpoint with a key: choose, paste, pick, send; and the key is in no setting", async () => {
    await start({
      models: ["big", "small"],
      apiKey: "secret-of-the-test",
      turns: [{ answer: [{ text: "The key works." }] }],
    });
    await click(panel.getByTestId("maker-other"));
    await panel.locator("[data-testid=set-up-address]:focus").waitFor();
    // As copied from an example: a button corrects it, which a person who types it well need not press.
    await vscode.page.keyboard.insertText(server.url.replace(/\/v1$/, ""));
    await vscode.page.keyboard.press("Tab");
    await vscode.page.keyboard.press("Tab");
    await vscode.page.keyboard.insertText("secret-of-the-test");
    await vscode.page.keyboard.press("Enter");
    steps++;
    await panel.getByTestId("connection-fix").filter({ hasText: server.url }).click();
    await panel.getByTestId("model-option").filter({ hasText: "small" }).waitFor();
    await vscode.screenshot("setup-pick");
    await click(panel.getByTestId("model-option").filter({ hasText: "small" }));
    await panel.locator("[data-testid=chat-input]:focus").waitFor();
    await send("Hello");
    await row("text").filter({ hasText: "The key works." }).waitFor();
    expect(steps).toBe(4);
    expect(models()).toEqual(["small"]);
    const files = ["User", "Machine"].map((scope) => path.join(vscode.userDataDir, scope, "settings.json"));
    const text = (await Promise.all(files.map((file) => readFile(file, "utf8")))).join("\n");
    expect(text).toContain('"nekode.connections"');
    expect(text).toContain("endpoint/small");
    expect(text).not.toContain("secret-of-the-test");
  });
});

it("another model in the middle of a task, with a call open: it answers from the next request on", async () => {
  server = await startModelServer({
    script: {
      models: ["first", "second"],
      turns: [
        {
          answer: [
            { text: "I write it." },
            { tool: "write_to_file", params: { path: "b.txt", content: "b\n" } },
          ],
        },
        { answer: [{ text: "It is written." }] },
      ],
    },
  });
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url, model: "first" },
    fresh: true,
  });
  panel = await vscode.openPanel();
  await panel.getByTestId("chat-input").click();
  await send("Write b.txt");
  await panel.getByTestId("approve").waitFor();
  // By the command, with the keyboard alone.
  await vscode.runCommand("Nekode: Select Model");
  await panel.locator("[data-testid=model-search]:focus").waitFor();
  await panel.getByTestId("model-option").filter({ hasText: "second" }).first().waitFor();
  await vscode.screenshot("picker-mid-task");
  await vscode.page.keyboard.type("second");
  await vscode.page.keyboard.press("Enter");
  await row("notice").filter({ hasText: "default/second answers from the next request on." }).waitFor();
  await panel.getByTestId("approve").click();
  await row("text").filter({ hasText: "It is written." }).waitFor();
  await panel.getByTestId("answered-by").filter({ hasText: "default/second" }).waitFor();
  expect(models()).toEqual(["first", "second"]);
  await vscode.screenshot("model-switched");
  // It is the default from now on, also after a reload.
  await vscode.reload();
  panel = await vscode.openPanel();
  await panel.getByTestId("model-picker").filter({ hasText: "second" }).waitFor();
});

it("two models side by side, and the conversation continues with one of them, also after a reload", async () => {
  server = await startModelServer({
    script: {
      models: ["left", "right"],
      turns: [
        {
          match: { model: "left", request: 1 },
          answer: [{ text: "I look. " }, { tool: "read_file", params: { path: "a.txt" } }],
        },
        { match: { model: "left", request: 2 }, answer: [{ text: "The left answer." }] },
        { match: { model: "right", request: 1 }, answer: [{ text: "The right answer." }] },
        { match: { said: "And then?" }, answer: [{ text: "The end." }] },
      ],
    },
  });
  const connections = ["one", "two"].map((name) => ({ name, baseUrl: server.url }));
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url, model: "left" },
    settings: { "nekode.connections": connections },
    fresh: true,
  });
  panel = await vscode.openPanel();
  await panel.getByTestId("chat-input").click();
  await send("@one/left @two/right What is in a.txt?");
  const answers = panel.getByTestId("compare-answer");
  await answers.nth(0).getByText("The left answer.").waitFor();
  await answers.nth(1).getByText("The right answer.").waitFor();
  await vscode.screenshot("comparison");
  await panel.getByRole("button", { name: "Continue with this answer: one/left" }).click();
  await panel.getByText("2 answers; continued with one/left").waitFor();
  await vscode.reload();
  panel = await vscode.openPanel();
  await panel.getByText("2 answers; continued with one/left").waitFor();
  await panel.getByTestId("chat-input").click();
  await send("And then?");
  await row("text").filter({ hasText: "The end." }).waitFor();
  const last = JSON.stringify(server.requests.at(-1)?.body);
  expect([last.includes("The left answer."), last.includes("The right answer.")]).toEqual([true, false]);
  await vscode.screenshot("comparison-chosen");
});

it("one task over three APIs, changed in every direction while a call is open", async () => {
  const answers = Array.from({ length: 6 }, (_, n) => ({
    match: { request: n + 1 },
    answer: [
      { reasoning: `Step ${n + 1} is next.` },
      { text: `Step ${n + 1}. ` },
      { tool: "write_to_file", params: { path: `${n + 1}.txt`, content: `${n + 1}\n` } },
    ],
  }));
  const models = ["gpt-4.1", "gpt-5", "claude-sonnet-4-5"];
  server = await startModelServer({
    script: { models, turns: [...answers, { answer: [{ text: "All steps are done." }] }] },
  });
  const connections = ["chat", "responses", "anthropic"].map((api) => ({
    ...{ name: api, api, baseUrl: server.url, keyEnv: "NEKODE_API_KEY" },
  }));
  vscode = await openWorkbench({
    files: { "a.txt": "a\n" },
    modelServer: { baseUrl: server.url, model: "chat/gpt-4.1" },
    settings: { "nekode.connections": connections, "nekode.provider.reasoningEffort": "low" },
    fresh: true,
  });
  panel = await vscode.openPanel();
  await panel.getByTestId("chat-input").click();
  await send("Take six steps");
  const [chat, responses, anthropic] = [
    "chat/gpt-4.1",
    "responses/gpt-5",
    "anthropic/claude-sonnet-4-5",
  ] as const;
  // Each API follows each other one.
  const order = [responses, anthropic, chat, anthropic, responses, chat];
  for (const [n, name] of order.entries()) {
    await row("text")
      .filter({ hasText: `Step ${n + 1}.` })
      .waitFor();
    await panel.getByTestId("approve").waitFor();
    await vscode.runCommand("Nekode: Select Model");
    await panel.locator("[data-testid=model-search]:focus").waitFor();
    await vscode.page.keyboard.type(name);
    await vscode.page.keyboard.press("Enter");
    const before = order.slice(0, n).filter((each) => each === name).length;
    await row("notice")
      .filter({ hasText: `${name} answers from the next request on.` })
      .nth(before)
      .waitFor();
    await panel.getByTestId("approve").click();
  }
  await row("text").filter({ hasText: "All steps are done." }).waitFor();
  await vscode.screenshot("three-apis");
  const asked = server.requests.map(({ path: at }) => at.replace(/^\/v1\//, ""));
  expect(asked).toEqual([
    "chat/completions",
    "responses",
    "messages",
    "chat/completions",
    "messages",
    "responses",
    "chat/completions",
  ]);
});
