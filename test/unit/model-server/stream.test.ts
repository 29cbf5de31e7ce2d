import type OpenAI from "openai";
import { describe, expect, it } from "vitest";
import type { ScriptTurn } from "../../model-server/server.ts";
import { ask, client, post, serveEachTest, server, stream, tool } from "./client.ts";

serveEachTest();

function play(turn: ScriptTurn): void {
  server.setScript({ turns: [turn] });
}

const tools = [tool("read_file"), tool("write_to_file")];
const contents = (deltas: OpenAI.ChatCompletionChunk.Choice.Delta[]): string[] =>
  deltas.flatMap((delta) => delta.content || []);

describe("text", () => {
  it("comes in chunks of code points", async () => {
    play({ answer: [{ text: "猫🐈と犬🐕" }], chunkSize: 2 });
    expect(contents((await stream(client, ask("hi"))).deltas)).toEqual(["猫🐈", "と犬", "🐕"]);
  });

  it("can be split anywhere in its bytes", async () => {
    play({ answer: [{ text: "吾輩は猫である🐈" }], writeSize: 1 });
    const raw = await post(server, { stream: true });
    expect(raw.chunks.every((chunk) => chunk.length === 1)).toBe(true);
    server.setScript({ writeSize: 5, turns: [{ answer: [{ text: "吾輩は猫である🐈" }] }] });
    expect((await stream(client, ask("hi"))).content).toBe("吾輩は猫である🐈");
  });

  it("ends with stop, and with [DONE]", async () => {
    play({ answer: [{ text: "a" }] });
    const raw = await post(server, { stream: true });
    expect(raw.headers["content-type"]).toMatch(/^text\/event-stream/);
    expect(raw.text).toMatch(/"finish_reason":"stop".*\n\ndata: \[DONE\]\n\n$/s);
  });

  it("may be interspersed with comments", async () => {
    play({ answer: [{ text: "abcd" }], chunkSize: 2, keepAlive: "PROCESSING" });
    expect((await post(server, { stream: true })).text.match(/: PROCESSING\n\n/g)).toHaveLength(2);
    play({ answer: [{ text: "abcd" }], keepAlive: "PROCESSING" });
    expect((await stream(client, ask("hi"))).content).toBe("abcd");
  });
});

describe("reasoning", () => {
  it.each(["reasoning_content", "reasoning"] as const)("in the field %s", async (field) => {
    play({ answer: [{ reasoning: "hm", field }, { text: "ok" }] });
    const answer = await stream(client, ask("hi"));
    expect(answer.deltas.filter((delta) => field in delta)).toHaveLength(1);
    expect(answer).toMatchObject({ content: "ok", reasoning: "hm" });
    expect(answer.usage?.completion_tokens_details?.reasoning_tokens).toBe(1);
  });

  it("in tags", async () => {
    play({ answer: [{ thinking: "hm" }, { text: "ok" }] });
    expect((await stream(client, ask("hi"))).content).toBe("<thinking>\nhm\n</thinking>\n\nok");
    play({ answer: [{ thinking: "hm", tag: "think" }] });
    expect((await stream(client, ask("hi"))).content).toBe("<think>\nhm\n</think>");
  });
});

describe("a tool", () => {
  const answer: ScriptTurn["answer"] = [
    { text: "I look." },
    { tool: "read_file", params: { path: "a.txt", start_line: 3 } },
    { tool: "write_to_file", params: { path: "b.txt", content: "\n  one\ntwo\n" } },
  ];

  it("is XML where the request has no tools, values byte for byte", async () => {
    play({ answer });
    const { content, finishReason } = await stream(client, ask("hi"));
    expect(content).toBe(
      "I look.\n\n<read_file>\n<path>a.txt</path>\n<start_line>3</start_line>\n</read_file>\n\n" +
        "<write_to_file>\n<path>b.txt</path>\n<content>\n\n  one\ntwo\n\n</content>\n</write_to_file>",
    );
    expect(finishReason).toBe("stop");
  });

  it("is a native call where it has", async () => {
    play({ answer });
    const { content, calls, finishReason } = await stream(client, { ...ask("hi"), tools });
    expect(content).toBe("I look.");
    expect(calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
      ["read_file", { path: "a.txt", start_line: 3 }],
      ["write_to_file", { path: "b.txt", content: "\n  one\ntwo\n" }],
    ]);
    expect(new Set(calls.map((call) => call.id)).size).toBe(2);
    expect(finishReason).toBe("tool_calls");
  });

  it("has the same content when it is not streamed", async () => {
    play({ answer: [{ reasoning: "hm" }, ...answer] });
    const whole = await client.chat.completions.create({ model: "m", ...ask("hi"), tools });
    const message = whole.choices[0]?.message;
    expect(message).toMatchObject({ role: "assistant", content: "I look.", reasoning_content: "hm" });
    expect(message?.tool_calls?.map((call) => call.type === "function" && call.function)).toEqual([
      { name: "read_file", arguments: '{"path":"a.txt","start_line":3}' },
      { name: "write_to_file", arguments: '{"path":"b.txt","content":"\\n  one\\ntwo\\n"}' },
    ]);
    expect(whole.choices[0]?.finish_reason).toBe("tool_calls");
    expect(whole.usage?.total_tokens).toBeGreaterThan(0);
  });

  it("can be raw XML, in any protocol", async () => {
    play({ answer: [{ xml: "<read_file><path>a" }] });
    expect((await stream(client, { ...ask("hi"), tools })).content).toBe("<read_file><path>a");
  });
});

describe("the oddities of native calls", () => {
  const indexes = (deltas: OpenAI.ChatCompletionChunk.Choice.Delta[]): (number | undefined)[] =>
    deltas.flatMap((delta) => delta.tool_calls ?? []).map((call) => call.index);
  const parts = (deltas: OpenAI.ChatCompletionChunk.Choice.Delta[]): unknown[] =>
    deltas.flatMap((delta) => delta.tool_calls ?? []).map((call) => call.function?.arguments);

  it("several calls interleave by index", async () => {
    play({
      interleave: true,
      chunkSize: 6,
      answer: [
        { tool: "read_file", params: { path: "a" } },
        { tool: "read_file", params: { path: "bbbbbbbbbbbb" } },
      ],
    });
    const { deltas, calls } = await stream(client, { ...ask("hi"), tools });
    expect(indexes(deltas)).toEqual([0, 1, 0, 1, 0, 1, 1, 1]);
    expect(calls.map((call) => call.arguments)).toEqual(['{"path":"a"}', '{"path":"bbbbbbbbbbbb"}']);
  });

  it("arguments are split by given sizes", async () => {
    play({ answer: [{ nativeTool: { name: "f", arguments: '{"a":"猫🐈"}', splitArguments: [1, 6, 2] } }] });
    const { deltas } = await stream(client, ask("hi"));
    expect(parts(deltas)).toEqual(["", "{", '"a":"猫', '🐈"', "}"]);
  });

  it("the name and id are repeated", async () => {
    play({
      answer: [{ nativeTool: { name: "f", id: "x", params: { a: "b" }, repeatName: true } }],
      chunkSize: 4,
    });
    const { deltas } = await stream(client, ask("hi"));
    const heads = deltas
      .flatMap((delta) => delta.tool_calls ?? [])
      .map((call) => [call.id, call.function?.name]);
    expect(heads).toEqual([
      ["x", "f"],
      ["x", "f"],
      ["x", "f"],
      ["x", "f"],
    ]);
  });

  it("arguments come as an object, without an index", async () => {
    play({
      answer: [{ nativeTool: { name: "f", params: { a: 1 }, argumentsAsObject: true, omitIndex: true } }],
    });
    const raw = await post(server, { stream: true });
    expect(raw.text).toContain('"function":{"name":"f","arguments":{"a":1}}');
    expect(raw.text).not.toContain('[{"index":0,"id":"call');
  });

  it("a whole answer in place of the stream that was asked for", async () => {
    play({ answer: [{ text: "ok" }], wholeAnswer: true });
    const raw = await post(server, { stream: true });
    expect(raw.headers["content-type"]).toBe("application/json");
    expect(JSON.parse(raw.text)).toMatchObject({ object: "chat.completion" });
  });
});

describe("usage", () => {
  it("comes last, only where it was asked for", async () => {
    play({ answer: [{ text: "abcdefgh" }], times: 2 });
    const asked = await post(server, { stream: true, stream_options: { include_usage: true } });
    expect(asked.text).toMatch(
      /"choices":\[\],"usage":\{"prompt_tokens":\d+,"completion_tokens":2,.*\n\ndata: \[DONE\]/,
    );
    expect((await post(server, { stream: true })).text).not.toContain("usage");
  });

  it("says what the script says", async () => {
    play({ answer: [{ text: "a" }], usage: { promptTokens: 1000, completionTokens: 50, cachedTokens: 900 } });
    expect((await stream(client, ask("hi"))).usage).toMatchObject({
      prompt_tokens: 1000,
      completion_tokens: 50,
      total_tokens: 1050,
      prompt_tokens_details: { cached_tokens: 900 },
    });
  });

  it("counts as cached what an earlier request of the conversation began with", async () => {
    server.setScript({ turns: [{ times: true, answer: [{ text: "ok" }] }] });
    const system = { role: "system", content: "rule ".repeat(2000) } as const;
    const first = { role: "user", content: "hi" } as const;
    const more = [
      { role: "assistant", content: "ok" },
      { role: "user", content: "more" },
    ] as const;
    const cachedOf = async (messages: OpenAI.ChatCompletionMessageParam[]): Promise<number> =>
      (await stream(client, { messages })).usage?.prompt_tokens_details?.cached_tokens ?? -1;
    expect(await cachedOf([system, first])).toBe(0);
    expect(await cachedOf([system, first, ...more])).toBeGreaterThan(2000);
    expect(await cachedOf([{ ...system, content: `now ${system.content}` }, first, ...more])).toBe(0);
  });
});
