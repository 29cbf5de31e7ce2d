/** A call that could not be read is asked for once more, alone, where the endpoint constrains answers to a schema. */
import { afterEach, expect, it } from "vitest";
import type { Script, ScriptTurn } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";

let agent: Agent;
afterEach(async () => {
  expect(agent.server.refusals).toEqual([]);
  await agent.close();
});

const UNREAD = 'I read it.\n\n[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.txt"}}';
const QUESTION = "/Write that call alone/";
const REPLY = "It was not run.";
const DONE: ScriptTurn = {
  times: true,
  answer: [{ tool: "attempt_completion", params: { result: "Done." } }],
};
const call = (name: string, args: object) => JSON.stringify({ name, arguments: args });
const alone = (text: string, more: Partial<ScriptTurn> = {}): ScriptTurn => ({
  ...{ match: { lastUser: QUESTION }, usage: { promptTokens: 1_000, completionTokens: 10 } },
  answer: [{ text }],
  ...more,
});

async function start(
  turns: ScriptTurn[],
  script: Partial<Script> = {},
  approval = {},
  protocol: "native" | "xml" = "native",
): Promise<void> {
  const models = [{ id: "scripted", owned_by: "vllm" }];
  agent = await startAgent({
    script: { models, turns, ...script },
    protocol,
    files: { "a.txt": "meow\n" },
    approval: { read: true, ...approval },
  });
}

async function finish(): Promise<void> {
  await agent.view.send("do it");
  expect((await agent.view.active.idle)?.type).toBe("completed");
}

async function run(...options: Parameters<typeof start>): Promise<void> {
  await start(...options);
  await finish();
}
const body = (n: number) => agent.server.requests[n - 1]?.body;
const text = (n: number) => agent.server.requests[n - 1]?.text ?? "";

it("runs, and what was asked for it is not part of the conversation", async () => {
  await run([
    { match: { request: 1 }, answer: [{ text: UNREAD }] },
    alone(call("read_file", { path: "a.txt" })),
    DONE,
  ]);
  expect(agent.server.requests).toHaveLength(3);
  expect(agent.calls()[0]).toMatchObject({ tool: "read_file", subject: "a.txt", state: "done" });
  expect(text(3)).toContain("meow");
  expect(text(3)).not.toContain(REPLY);
  expect(text(3)).not.toContain("Write that call alone");
  expect(body(2)).not.toHaveProperty("tools");
  expect(body(2)).toMatchObject({
    response_format: {
      type: "json_schema",
      json_schema: {
        name: "call",
        strict: true,
        schema: {
          anyOf: [
            { properties: { name: { enum: ["read_file"] }, arguments: { required: ["path"] } } },
            { properties: { name: { enum: ["none"] } } },
          ],
        },
      },
    },
  });
  expect(agent.view.active.chatView.totals.outputTokens).toBeGreaterThanOrEqual(10);
  // The request before is the beginning of it, as a prompt cache wants it.
  const [before, asked] = [1, 2].map((n) => JSON.stringify(agent.server.chat(n).messages).slice(0, -1));
  expect(asked?.startsWith(before ?? "-")).toBe(true);
});

it.each<[string, ScriptTurn]>([
  [
    "whose arguments are no JSON",
    { answer: [{ nativeTool: { name: "read_file", arguments: '{"path": "a.txt' } }] },
  ],
  ["that ends with another tag", { answer: [{ text: "<read_file>\n<path>a.txt</path>\n</read>" }] }],
  ["without an end", { answer: [{ text: "I read.\n<read_file>\n<path>a.txt" }] }],
])("runs in place of one %s", async (_name, turn) => {
  await run([{ ...turn, match: { request: 1 } }, alone(call("read_file", { path: "a.txt" })), DONE]);
  expect(agent.server.requests).toHaveLength(3);
  expect(agent.calls().filter(({ tool }) => tool === "read_file")).toMatchObject([
    { subject: "a.txt", state: "done" },
  ]);
  expect(text(3)).toContain("meow");
  expect(text(3)).not.toMatch(/was not run|not valid JSON/);
});

it("under the XML protocol, becomes part of the answer as the others", async () => {
  await run(
    [
      { match: { request: 1 }, answer: [{ text: UNREAD }] },
      alone(call("read_file", { path: "a.txt" })),
      DONE,
    ],
    {},
    {},
    "xml",
  );
  expect(agent.server.requests).toHaveLength(3);
  expect(text(3)).toContain("<read_file>\\n<path>a.txt</path>\\n</read_file>");
  expect(text(3)).toContain("[read_file for 'a.txt'] Result:");
});

it("is asked for where the user set the window, so that the endpoint's list was not needed before", async () => {
  await start([
    { match: { request: 1 }, answer: [{ text: UNREAD }] },
    alone(call("read_file", { path: "a.txt" })),
    DONE,
  ]);
  agent.settings.provider.contextWindow = 100_000;
  await finish();
  expect(agent.server.requests).toHaveLength(3);
});

it("an edit that was previewed shows the edit that runs", async () => {
  const args = { path: "a.txt", content: "purr\n" };
  const broken = { nativeTool: { name: "write_to_file", arguments: '{"path": "a.txt", "content": "pur' } };
  await run(
    [{ match: { request: 1 }, answer: [broken] }, alone(call("write_to_file", args)), DONE],
    {},
    { edit: true },
  );
  expect(agent.calls()[0]).toMatchObject({ tool: "write_to_file", subject: "a.txt", state: "done" });
  expect(agent.files.get("/project/a.txt")).toBe("purr\n");
});

it("of the same answer is not told again, also after a restart", async () => {
  await run(
    [
      { match: { request: 1 }, answer: [{ text: UNREAD }] },
      alone(call("read_file", { path: "a.txt" })),
      { match: { request: 2 }, answer: [{ tool: "ask_followup_question", params: { question: "So?" } }] },
      DONE,
    ].filter((_, index) => index !== 2),
  );
  await agent.restart();
  await agent.view.send("and more");
  await agent.view.active.idle;
  expect(text(agent.server.requests.length)).not.toContain(REPLY);
});

it.each<[string, ScriptTurn]>([
  ["that was not meant", alone(call("none", {}))],
  ["whose arguments do not fit", alone(call("read_file", { where: "a.txt" }))],
  ["of another tool", alone(call("list_files", { path: "." }))],
  ["that the limit cuts off", alone('{"name": "read_', { finishReason: "length" })],
])("%s is answered as without it", async (_name, turn) => {
  await run([{ match: { request: 1 }, answer: [{ text: UNREAD }] }, turn, DONE]);
  expect(agent.server.requests).toHaveLength(3);
  expect(text(3)).toContain(REPLY);
});

it.each<[string, ScriptTurn]>([
  ["ignores the schema", alone("Sure! Here it is.")],
  [
    "refuses the schema",
    alone("", { fault: { kind: "status", status: 400, message: "response_format is not supported" } }),
  ],
])("an endpoint that %s is not asked again", async (_name, turn) => {
  const twice = { match: { request: 2 }, answer: [{ text: UNREAD }] };
  await run([{ match: { request: 1 }, answer: [{ text: UNREAD }] }, turn, twice, DONE]);
  const questions = agent.server.requests.filter(({ text: sent }) => sent.includes("Write that call alone"));
  expect(questions).toHaveLength(1);
  expect(text(3)).toContain(REPLY);
  expect(agent.server.requests).toHaveLength(4);
});

it("an endpoint that may be any is not asked", async () => {
  await run([{ match: { request: 1 }, answer: [{ text: UNREAD }] }, DONE], { models: ["scripted"] });
  expect(agent.server.requests).toHaveLength(2);
  expect(text(2)).toContain(REPLY);
});
