/** Several models answer one message side by side; the user may continue with one of the answers. */
import { afterEach, describe, expect, it } from "vitest";
import { askedModels } from "../../../../src/core/agent/session.ts";
import { settingsSchema } from "../../../../src/shared/settings.ts";
import type { ComparisonRow } from "../../../../src/shared/view/reducer.ts";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";

let agent: Agent;

const files = { "src/a.ts": "export const cat = 1;\n", ".env": "SECRET=1\n" };

const script: Script = {
  turns: [
    {
      match: { model: "reader", request: 1 },
      times: true,
      answer: [{ text: "Reading." }, { nativeTool: { name: "read_file", params: { path: "src/a.ts" } } }],
    },
    {
      match: { model: "reader" },
      times: true,
      answer: [{ text: "It exports a cat." }],
      usage: { promptTokens: 100, completionTokens: 20, cost: 0.5 },
    },
    { match: { model: "failing" }, times: true, fault: { kind: "status", status: 401 } },
    {
      match: { model: "writer", request: 1 },
      times: true,
      answer: [
        { nativeTool: { name: "write_to_file", params: { path: "src/a.ts", content: "stolen" } } },
        { nativeTool: { name: "read_file", params: { path: ".env" } } },
      ],
    },
    { match: { model: "writer" }, times: true, answer: [{ text: "I may only read." }] },
    {
      match: { model: "slow" },
      times: true,
      answer: [{ text: "One moment " }, { hold: "slow" }, { text: "more" }],
    },
    {
      match: { model: "finisher" },
      times: true,
      answer: [{ nativeTool: { name: "attempt_completion", params: { result: "It is a cat." } } }],
    },
    {
      times: true,
      answer: [{ text: "猫です。" }],
      usage: { promptTokens: 50, completionTokens: 10, cost: 0.25 },
    },
  ],
};

async function start(options: Partial<AgentOptions> = {}): Promise<void> {
  agent = await startAgent({ script, protocol: "native", files, ...options });
  agent.settings.connections = ["one", "two"].map((name) => ({
    name,
    api: "chat",
    baseUrl: agent.server.url,
    headers: {},
  }));
}

async function say(text: string): Promise<unknown> {
  await agent.view.send(text);
  return (await agent.view.active.idle)?.type;
}

function comparison(): ComparisonRow {
  const row = agent.rows().findLast((each) => each.kind === "comparison");
  if (row?.kind !== "comparison") throw new Error("there is no comparison");
  return row;
}

const modelsOf = (from: number) =>
  agent.server.requests.slice(from).map((_, n) => agent.server.chat(from + n + 1).model);
const lastChat = () => JSON.stringify(agent.server.chat(agent.server.requests.length).messages);

describe("the head of a message", () => {
  const settings = settingsSchema.parse({
    provider: { baseUrl: "http://x/v1" },
    connections: [{ name: "one", baseUrl: "http://one/v1" }],
  });
  it.each([
    ["hello", [], "hello"],
    ["@one/m hello", ["one/m"], "hello"],
    ["@one/a/b:8b @default/c\nhello @one/d", ["one/a/b:8b", "default/c"], "hello @one/d"],
    ["@one/m @one/m hello", ["one/m"], "hello"],
    ["@two/m hello", [], "@two/m hello"],
    ["@/one/m hello", [], "@/one/m hello"],
    ["@one:/path hello", [], "@one:/path hello"],
    ["/ask one/m hello", ["one/m"], "hello"],
    ["/ask m hello", ["default/m"], "hello"],
    ["say @one/m", [], "say @one/m"],
    ["@one/m @one/n", [], "@one/m @one/n"],
    ["/ask m", [], "/ask m"],
  ])("of %j", (message, names, text) => {
    expect(askedModels(message, settings)).toEqual({ names, text });
  });
});

describe("two models side by side", () => {
  afterEach(() => agent.close());

  it("answer the same message with tools that read, and their answers and costs are shown", async () => {
    await start();
    expect(await say("@one/reader @two/plain What is it?")).toBe("replied");
    const { answers } = comparison();
    expect(answers).toMatchObject([
      {
        name: "one/reader",
        text: "Reading.\n\nIt exports a cat.",
        outcome: "done",
        usage: { cost: 0.5 },
      },
      { name: "two/plain", text: "猫です。", outcome: "done", usage: { inputTokens: 50, cost: 0.25 } },
    ]);
    expect(agent.view.active.chatView.totals).toMatchObject({ requests: 3, cost: 0.75 });
    expect(lastChat()).toContain("What is it?");
    expect(lastChat()).not.toContain("@one");
    expect(agent.rows().find((row) => row.kind === "user")).toMatchObject({
      text: "@one/reader @two/plain What is it?",
    });
    const tools = agent.server.chat(1).tools?.map((tool) => tool.function.name) ?? [];
    expect(tools).toContain("read_file");
    expect(tools).not.toContain("write_to_file");
    expect(tools).not.toContain("execute_command");
  });

  it("may end their turn with a call, which is answered by the user's next message", async () => {
    await start();
    expect(await say("@one/finisher @two/plain What is it?")).toBe("replied");
    expect(comparison().answers[0]).toMatchObject({ text: "It is a cat.", outcome: "done" });
    expect(await agent.view.active.comparisons.choose(comparison().id, 0)).toBe(true);
    await say("Thanks.");
    expect(lastChat()).toContain("It is a cat.");
    expect(agent.server.refusals).toEqual([]);
  });

  it("cannot write, and get no answer to what would ask", async () => {
    await start();
    expect(await say("@one/writer @two/plain Write.")).toBe("replied");
    expect(comparison().answers[0]).toMatchObject({ text: "I may only read.", outcome: "done" });
    expect(agent.files.get("/project/src/a.ts")).toBe(files["src/a.ts"]);
    const sent = agent.server.requests.map(({ text }) => text).join();
    expect(sent).not.toContain("SECRET=1");
    expect(agent.view.active.approvals.first).toBeUndefined();
  });

  it("the conversation continues with the chosen answer alone, also after a restart", async () => {
    await start();
    await say("@one/reader @two/plain What is it?");
    const { id } = comparison();
    expect(await agent.view.active.comparisons.choose(id, 0)).toBe(true);
    expect(await agent.view.active.comparisons.choose(id, 1)).toBe(false);
    expect(comparison().chosen).toBe(0);
    await agent.restart();
    expect(comparison()).toMatchObject({ chosen: 0, answers: [{}, { text: "猫です。" }] });
    expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "It exports a cat." });
    await say("And now?");
    expect(lastChat()).toContain("It exports a cat.");
    expect(lastChat()).toContain("export const cat");
    expect(lastChat()).not.toContain("猫です");
    expect(agent.server.refusals).toEqual([]);
  });

  it("without a choice, no answer is sent", async () => {
    await start();
    await say("@one/reader @two/plain What is it?");
    const { id } = comparison();
    await say("Never mind.");
    expect(lastChat()).toContain("What is it?");
    expect(lastChat()).not.toContain("It exports a cat.");
    expect(await agent.view.active.comparisons.choose(id, 0)).toBe(false);
    expect(agent.server.refusals).toEqual([]);
  });

  it("one that fails leaves the other's answer", async () => {
    await start();
    await say("@one/failing @two/plain What is it?");
    expect(comparison().answers).toMatchObject([
      { outcome: "failed", error: { code: "bad-key" } },
      { outcome: "done", text: "猫です。" },
    ]);
    expect(await agent.view.active.comparisons.choose(comparison().id, 1)).toBe(true);
    expect(agent.rows().at(-1)).toMatchObject({ kind: "text", text: "猫です。" });
  });

  it("Stop ends both, and keeps what came", async () => {
    await start();
    await agent.view.send("@one/slow @two/plain What is it?");
    await agent.until((event) => event.type === "comparison-done");
    await agent.server.waitForHold("slow");
    while (comparison().answers[0]?.text === "")
      await agent.until((event) => event.type === "comparison-delta");
    await agent.view.stop();
    expect(comparison().answers).toMatchObject([
      { outcome: "stopped", text: "One moment" },
      { outcome: "done" },
    ]);
    expect(agent.view.active.chatView.status).toBe("idle");
    await agent.restart();
    expect(comparison().answers).toMatchObject([{ outcome: "stopped" }, { outcome: "done" }]);
  });

  it("what the panel shows after a reload is what it showed before", async () => {
    await start();
    await say("@one/reader @two/plain What is it?");
    const before = agent.rows().filter(({ kind }) => kind !== "notice");
    await agent.restart();
    expect(agent.rows().filter(({ kind }) => kind !== "notice")).toEqual(before);
  });
});

describe("one other model", () => {
  afterEach(() => agent.close());

  it("answers once with all tools, and the next message goes to the chosen model", async () => {
    await start({ approval: { edit: true } });
    const asked = agent.asked();
    await agent.view.send("/ask one/writer Write.");
    // Reading a file that may contain secrets asks as always.
    agent.view.active.reject(await asked);
    expect((await agent.view.active.idle)?.type).toBe("replied");
    expect(agent.files.get("/project/src/a.ts")).toBe("stolen");
    expect(modelsOf(0).every((model) => model === "writer")).toBe(true);
    const from = agent.server.requests.length;
    await say("And now?");
    expect(modelsOf(from)).toEqual(["scripted"]);
    expect(agent.rows().filter(({ kind }) => kind === "comparison")).toEqual([]);
  });
});
