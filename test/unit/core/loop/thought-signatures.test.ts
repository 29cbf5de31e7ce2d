/**
 * Gemini signs the reasoning behind a call or a text, and refuses a conversation in which a signature is missing, was
 * moved or changed.
 */
import { afterEach, expect, it } from "vitest";
import type { Script, ScriptPart } from "../../../model-server/server.ts";
import { type Agent, type AgentOptions, startAgent } from "../../../support/agent.ts";
import { delta, sse } from "../../../support/raw-stream.ts";

let agent: Agent;
afterEach(() => agent.close());

const DONE: ScriptPart = { tool: "attempt_completion", params: { result: "Done." } };
const read = (path: string): ScriptPart => ({ tool: "read_file", params: { path } });
/** As Gemini sends a call: complete, and without an index. */
const call = (path: string): ScriptPart => ({
  nativeTool: { name: "read_file", params: { path }, wholeAtOnce: true, omitIndex: true },
});

async function start(script: Script, more: Partial<AgentOptions> = {}): Promise<void> {
  const files = { "a.txt": "one\n", "b.txt": "two\n" };
  agent = await startAgent({ script, protocol: "native", files, approval: { read: true }, ...more });
}
/** What each assistant message of a request has of signatures: of its calls, in order, and of its text. */
const signed = (n: number) =>
  agent.server.chat(n).messages.flatMap((message) => {
    if (message.role !== "assistant") return [];
    const calls = (message.tool_calls ?? []).map((one) => "extra_content" in one);
    return [{ calls, text: "extra_content" in message }];
  });

it.each([{ one: read }, { one: call }])(
  "goes back with the first call of each answer, and with a text",
  async ({ one }) => {
    await start({
      thoughtSignatures: true,
      turns: [
        { answer: [{ text: "I look." }, one("a.txt"), one("b.txt")] },
        { answer: [one("b.txt")] },
        { answer: [{ text: "Both seen." }] },
        { answer: [{ text: "Again both seen." }] },
        { wholeAnswer: true, answer: [one("a.txt"), one("b.txt")] },
        { wholeAnswer: true, answer: [{ text: "More?" }] },
        { answer: [DONE] },
      ],
    });
    for (const text of ["look", "again", "and again", "so"]) {
      await agent.view.send(text);
      await agent.view.active.idle;
      await agent.restart();
    }
    expect(agent.server.refusals).toEqual([]);
    expect(agent.server.requests).toHaveLength(7);
    expect(signed(7)).toEqual([
      { calls: [true, false], text: false },
      { calls: [true], text: false },
      { calls: [], text: true },
      { calls: [], text: true },
      { calls: [true, false], text: false },
      { calls: [], text: true },
    ]);
    expect(agent.rows().filter(({ kind }) => kind === "reasoning")).toEqual([]);
    const texts = agent.rows().flatMap((row) => (row.kind === "text" ? [row.text] : []));
    expect(texts).toEqual(["I look.", "Both seen.", "Again both seen.", "More?"]);
  },
);

it("after a text does not hide a call in it that could not be read", async () => {
  const unread = '[TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.txt"}}]';
  await start({ thoughtSignatures: true, turns: [{ answer: [{ text: unread }] }, { answer: [DONE] }] });
  await agent.view.send("look");
  expect((await agent.view.active.idle)?.type).toBe("completed");
  expect(agent.server.requests[1]?.text).toContain("It was not run.");
  expect(agent.server.refusals).toEqual([]);
});

it("goes to its model alone; a model that needs signatures on another's calls gets Google's word for them", async () => {
  await start({
    thoughtSignatures: true,
    turns: [
      { match: { model: "scripted" }, answer: [read("a.txt"), read("b.txt")] },
      { match: { model: "scripted" }, answer: [{ text: "Seen." }] },
      { match: { model: "other" }, answer: [read("a.txt")] },
      { match: { model: "other" }, answer: [{ text: "Seen, too." }] },
      { match: { model: "scripted" }, answer: [{ text: "And again." }] },
      { match: { model: "scripted" }, answer: [{ text: "And again." }] },
    ],
  });
  for (const model of ["scripted", "other", "scripted", "scripted"]) {
    agent.settings.provider.model = model;
    await agent.view.send(`say, ${model}`);
    await agent.view.active.idle;
  }
  // Each model refuses once, and is understood from then on.
  expect(agent.server.refusals).toHaveLength(2);
  expect(agent.server.refusals[0]).toContain("missing a thought_signature");
  expect(agent.rows().some(({ kind }) => kind === "error")).toBe(false);
  const last = JSON.stringify(agent.server.chat(agent.server.requests.length).messages);
  expect(last.split("skip_thought_signature_validator")).toHaveLength(2);
});

it("is not sent to an endpoint that has none", async () => {
  const extra_content = { google: { thought_signature: "AAAA" } };
  const raw = {
    index: 0,
    id: "1",
    function: { name: "read_file", arguments: '{"path":"a.txt"}' },
    extra_content,
  };
  await start({
    turns: [{ fault: sse(delta({ tool_calls: [raw] }, "tool_calls")), answer: [] }, { answer: [DONE] }],
    accepts: ["extra_content"],
  });
  await agent.view.send("look");
  await agent.view.active.idle;
  expect(signed(2)).toEqual([{ calls: [true], text: false }]);
  agent.settings.provider.model = "other";
  await agent.view.send("and now");
  await agent.view.active.idle;
  expect(signed(3).every(({ calls }) => calls.every((has) => !has))).toBe(true);
});

it("marks of summaries are no signatures", async () => {
  const thought = delta({ content: "Hello", extra_content: { google: { thought: true } } }, "stop");
  await start({ turns: [{ fault: sse(thought), answer: [] }, { answer: [DONE] }] });
  await agent.view.send("look");
  await agent.view.active.idle;
  await agent.view.send("go on");
  await agent.view.active.idle;
  expect(signed(2)).toEqual([{ calls: [], text: false }]);
  expect(agent.server.refusals).toEqual([]);
});
