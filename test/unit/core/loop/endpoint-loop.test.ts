/** What odd endpoints do to a task: it goes on, says what it waits for, and sends back what they want back. */
import { afterEach, expect, it } from "vitest";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { delta, sse } from "../../../support/raw-stream.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const FILES = { "a.txt": "one\n", "b.txt": "two\n" };
const read = (path: string, more: object) => ({
  type: "function",
  function: { name: "read_file", arguments: JSON.stringify({ path }) },
  ...more,
});

async function run(script: Script, more: Partial<AgentOptions> = {}): Promise<string | undefined> {
  agent = await startAgent({ script, protocol: "native", files: FILES, ...more });
  await agent.view.send("do it");
  return (await agent.view.active.idle)?.type;
}
const results = () => JSON.stringify(agent.server.chat(2).messages.filter(({ role }) => role === "tool"));

it("says which try comes next, of how many, and why", async () => {
  const fault = { kind: "status", status: 503, retryAfterMs: 1, times: 2 } as const;
  await run({ turns: [{ fault, answer: [{ text: "Fine." }] }] });
  const retries = agent.events.flatMap((event) =>
    event.type === "status" && event.retry ? [event.retry] : [],
  );
  expect(retries).toMatchObject([
    { try: 2, of: 5, error: { code: "server-error" } },
    { try: 3, of: 5, error: { code: "server-error" } },
  ]);
});

it("a key that the endpoint repeats is nowhere: not in what is told, logged or kept", async () => {
  const apiKey = "sk-told-to-nobody";
  const fault = { kind: "status", status: 401, message: `Incorrect API key provided: ${apiKey}` } as const;
  expect(await run({ turns: [{ fault, answer: [] }] }, { apiKey })).toBe("failed");
  expect(agent.rows().at(-1)).toMatchObject({ error: { detail: "Incorrect API key provided: ***" } });
  const kept = [...agent.storage.files.values()].map((bytes) => Buffer.from(bytes).toString("latin1"));
  expect(kept.join()).toContain("do it");
  expect(JSON.stringify([agent.events, agent.view.active.chatView, agent.logged, kept])).not.toContain(
    "sk-told",
  );
});

it("an answer that was lost half way is not the end of the task, nor asked for again by itself", async () => {
  const end = await run({
    turns: [
      { fault: sse(delta({ content: "I will now" })), answer: [] },
      { match: { request: 2 }, answer: [DONE] },
    ],
  });
  expect(end).toBe("failed");
  expect(agent.server.requests).toHaveLength(1);
  expect(agent.rows().at(-1)).toMatchObject({ kind: "error", error: { code: "connection-lost" } });
  await agent.view.active.retry();
  expect((await agent.view.active.idle)?.type).toBe("completed");
});

it.each([
  "m does not support tools",
  "This endpoint's maximum context length is 4096 tokens",
  "stream_options: extra inputs are not permitted",
])("an answer that was shown in part is not asked for again, whatever ended it: %s", async (message) => {
  const lost = sse(delta({ content: "I will now" }), { error: { code: 400, message } });
  const end = await run({ turns: [{ fault: lost, answer: [] }] }, { protocol: "auto" });
  expect(end).toBe("failed");
  expect(agent.server.requests).toHaveLength(1);
  const said = agent.rows().filter((row) => row.kind === "text");
  expect(said).toMatchObject([{ text: "I will now" }]);
});

it("the key is read once for a request, and not for a summary that is not needed", async () => {
  let reads = 0;
  let before = 0;
  const between: number[] = [];
  agent = await startAgent({
    script: { turns: [{ answer: [{ tool: "read_file", params: { path: "a.txt" } }] }, { answer: [DONE] }] },
    files: FILES,
    keyRead: () => void reads++,
  });
  // The endpoint's list of models is not asked for.
  agent.settings.provider.contextWindow = 100_000;
  agent.project.onEvent((event) => {
    // What is appended is looked through for the key.
    if (event.type === "message") before = reads;
    else if (event.type === "status" && event.status === "streaming") between.push(reads - before);
  });
  await agent.view.send("do it");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(between).toEqual([1, 1]);
});

it.each<[string, unknown[]]>([
  ["without an index", [[read("a.txt", { id: "1" })], [read("b.txt", { id: "2" })]]],
  ["all with the index 0", [[read("a.txt", { id: "1", index: 0 })], [read("b.txt", { id: "2", index: 0 })]]],
  ["with gaps between", [[read("a.txt", { id: "1", index: 1 })], [read("b.txt", { id: "2", index: 7 })]]],
  ["in one chunk without ids", [[read("a.txt", { index: 0 }), read("b.txt", { index: 1 })]]],
  ["with one id for both", [[read("a.txt", { id: "1", index: 0 }), read("b.txt", { id: "1", index: 1 })]]],
  ["with empty ids and no index", [[read("a.txt", { id: "" })], [read("b.txt", { id: "" })]]],
  [
    "with arguments that are an object",
    [
      [{ id: "1", function: { name: "read_file", arguments: { path: "a.txt" } } }],
      [read("b.txt", { id: "2" })],
    ],
  ],
  [
    "with name and id in every delta",
    [
      [{ index: 0, id: "1", function: { name: "read_file", arguments: '{"path":' } }],
      [{ index: 0, id: "1", function: { name: "read_file", arguments: '"a.txt"}' } }],
      [read("b.txt", { id: "2", index: 1 })],
    ],
  ],
])("two calls %s are two calls", async (_name, chunks) => {
  const fault = sse(
    ...chunks.map((tool_calls) => delta({ content: null, tool_calls })),
    delta({}, "tool_calls"),
  );
  expect(
    await run({
      turns: [
        { fault, answer: [] },
        { match: { request: 2 }, answer: [DONE] },
      ],
    }),
  ).toBe("completed");
  expect(results()).toMatch(/one.*two/s);
  expect(agent.server.refusals).toEqual([]);
});

it("signatures of thought come back with the calls, also after a restart", async () => {
  const first = read("a.txt", { id: "1", index: 0, extra_content: { google: { thought_signature: "sig" } } });
  const piece = (fields: object) =>
    delta({ reasoning_details: [{ index: 0, type: "reasoning.text", ...fields }] });
  const fault = sse(
    piece({ text: "why " }),
    piece({ text: "not" }),
    piece({ signature: "s1" }),
    delta({ tool_calls: [first] }, "tool_calls"),
  );
  await run({
    accepts: ["reasoning_details", "extra_content"],
    turns: [
      { fault, answer: [] },
      { match: { request: 2 }, answer: [{ text: "Read." }] },
      { match: { request: 3 }, answer: [DONE] },
    ],
  });
  await agent.restart();
  await agent.view.send("go on");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  for (const number of [2, 3]) {
    const said = agent.server.chat(number).messages.find(({ role }) => role === "assistant");
    expect(said).toMatchObject({
      reasoning_details: [{ index: 0, type: "reasoning.text", text: "why not", signature: "s1" }],
      tool_calls: [{ extra_content: { google: { thought_signature: "sig" } } }],
    });
  }
});

it("a name that no API accepts goes back in a form that it accepts", async () => {
  const name = "look everywhere, please";
  const call = { index: 0, id: "1", type: "function", function: { name, arguments: "{}" } };
  await run({
    turns: [
      { fault: sse(delta({ tool_calls: [call] }, "tool_calls")), answer: [] },
      { times: true, answer: [DONE] },
    ],
  });
  expect(results()).toContain(name);
});
