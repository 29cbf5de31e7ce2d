/** Requests to the Messages API, and how its answers are read. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StreamPart } from "../../../../../src/core/provider/provider.ts";
import { stream } from "../../../../support/raw-stream.ts";
import { type Endpoint, startEndpoint } from "../endpoint.ts";
import { answer, delta, END, finish, START, start, stop, text } from "./message-stream.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.heard.length = 0;
  endpoint.say({ body: answer() });
});

const JSON_TYPE = { "content-type": "application/json" };
type AskOptions = NonNullable<Parameters<Endpoint["ask"]>[0]>;
const ask = (options: AskOptions = {}) =>
  endpoint.ask({ api: "anthropic", model: "claude-sonnet-4-5", ...options });
const origin = () => new URL(endpoint.url).origin;

describe("the address", () => {
  it.each(["", "/", "/v1", "/v1/", "/v1/messages", "/v1/messages/", "/messages"])(
    "may end in '%s'",
    async (path) => {
      expect(await ask({ baseUrl: `${origin()}${path}` })).toMatchObject({ text: "Fine." });
      expect(endpoint.heard[0]?.url).toBe("/v1/messages");
    },
  );

  it("keeps a path before it, and parameters", async () => {
    await ask({ baseUrl: `${origin()}/api/anthropic?team=a&x=1` });
    await ask({ baseUrl: `${origin()}/v2/chat/completions` });
    expect(endpoint.heard.map(({ url }) => url)).toEqual([
      "/api/anthropic/v1/messages?team=a&x=1",
      "/v2/messages",
    ]);
  });
});

describe("the headers", () => {
  it("have the key and the version, and what the connection adds", async () => {
    await ask({ apiKey: " secret-1 ", provider: { headers: { "X-Team": "cats" } } });
    const { headers } = endpoint.heard[0] ?? {};
    expect(headers).toMatchObject({
      "x-api-key": "secret-1",
      "anthropic-version": "2023-06-01",
      "x-team": "cats",
      "content-type": "application/json",
    });
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("anthropic-beta");
  });

  it("can be the connection's own", async () => {
    await ask({
      apiKey: undefined,
      provider: { headers: { Authorization: "Bearer x", "Anthropic-Version": "2" } },
    });
    expect(endpoint.heard[0]?.headers).toMatchObject({ authorization: "Bearer x", "anthropic-version": "2" });
  });

  it("ask Claude 4 to think between calls", async () => {
    const provider = { reasoningEffort: "low" };
    await ask({ provider });
    await ask({ provider, model: "claude-3-7-sonnet-latest" });
    await ask({ provider, model: "glm-4.7" });
    expect(endpoint.heard.map(({ headers }) => headers["anthropic-beta"])).toEqual([
      "interleaved-thinking-2025-05-14",
      undefined,
      undefined,
    ]);
  });
});

/** The parts with each piece of a call alone: pieces that arrive together are one part. */
const piecesOf = (parts: readonly StreamPart[]): StreamPart[] =>
  parts.flatMap((part): StreamPart[] =>
    part.type === "tool-calls" ? part.deltas.map((piece) => ({ ...part, deltas: [piece] })) : [part],
  );

describe("an answer", () => {
  const signed: StreamPart[] = [
    { type: "reasoning", delta: "Hm, " },
    { type: "reasoning", delta: "猫." },
    { type: "signed-reasoning", signed: { type: "thinking", thinking: "Hm, 猫.", signature: "abc=" } },
    { type: "signed-reasoning", signed: { type: "redacted_thinking", data: "xyz" } },
    { type: "text", delta: "Reading." },
    { type: "tool-calls", deltas: [{ index: 0, id: "toolu_1", name: "read_file", arguments: "" }] },
    { type: "tool-calls", deltas: [{ index: 0, arguments: '{"path":' }] },
    { type: "tool-calls", deltas: [{ index: 0, arguments: '"a"}' }] },
    { type: "tool-calls", deltas: [{ index: 1, id: "toolu_2", name: "list", arguments: "" }] },
    { type: "tool-calls", deltas: [{ index: 1, arguments: "{}" }] },
  ];

  it("is read block by block", async () => {
    endpoint.say({
      body: answer(
        start(0, { type: "thinking", thinking: "", signature: "" }),
        delta(0, { type: "thinking_delta", thinking: "Hm, " }),
        delta(0, { type: "thinking_delta", thinking: "猫." }),
        delta(0, { type: "signature_delta", signature: "ab" }),
        delta(0, { type: "signature_delta", signature: "c=" }),
        stop(0),
        start(1, { type: "redacted_thinking", data: "xyz" }),
        stop(1),
        ...text(2, "Reading."),
        start(3, { type: "tool_use", id: "toolu_1", name: "read_file", input: {} }),
        delta(3, { type: "input_json_delta", partial_json: "" }),
        delta(3, { type: "input_json_delta", partial_json: '{"path":' }),
        delta(3, { type: "input_json_delta", partial_json: '"a"}' }),
        stop(3),
        start(4, { type: "tool_use", id: "toolu_2", name: "list", input: {} }),
        stop(4),
      ),
    });
    const { parts, error } = await ask();
    expect(error).toBeUndefined();
    expect(piecesOf(parts).filter(({ type }) => type !== "usage" && type !== "finish")).toEqual(signed);
  });

  it("is the same as a whole", async () => {
    endpoint.say({
      headers: JSON_TYPE,
      body: JSON.stringify({
        type: "message",
        content: [
          { type: "thinking", thinking: "Hm, 猫.", signature: "abc=" },
          { type: "redacted_thinking", data: "xyz" },
          { type: "text", text: "Reading." },
          { type: "tool_use", id: "toolu_1", name: "read_file", input: { path: "a" } },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 10, output_tokens: 5 },
      }),
    });
    const { parts } = await ask();
    expect(piecesOf(parts)).toEqual([
      { type: "reasoning", delta: "Hm, 猫." },
      ...signed.slice(2, 6),
      { type: "tool-calls", deltas: [{ index: 0, arguments: '{"path":"a"}' }] },
      { type: "usage", usage: { inputTokens: 10, outputTokens: 5 } },
      { type: "finish", reason: "tool_calls" },
    ]);
  });

  it("has no signed form of thinking that is not signed", async () => {
    endpoint.say({
      body: answer(
        start(0, { type: "thinking", thinking: "" }),
        delta(0, { type: "thinking_delta", thinking: "Hm." }),
        stop(0),
        ...text(1, "Fine."),
      ),
    });
    const { parts } = await ask();
    expect(parts.slice(0, 2)).toEqual([
      { type: "reasoning", delta: "Hm." },
      { type: "text", delta: "Fine." },
    ]);
  });

  it("may contain what is not known", async () => {
    endpoint.say({
      body: answer(
        start(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
        delta(0, { type: "input_json_delta", partial_json: "" }),
        delta(0, { type: "surprise_delta", surprise: 1 }),
        stop(0),
        { type: "surprise", index: "x" },
        ...text(1, "Fine."),
      ).replace('"index":"x"', '"index":7'),
    });
    expect(await ask()).toMatchObject({ text: "Fine." });
  });

  it.each(["server_tool_use", "mcp_tool_use", "something_new"])(
    "has no call for arguments of a block of the type %s",
    async (type) => {
      const foreign = (index: number) => [
        start(index, { type, id: "s", name: "web_search", input: {} }),
        delta(index, { type: "input_json_delta", partial_json: '{"query":' }),
        delta(index, { type: "input_json_delta", partial_json: '"cats"}' }),
        stop(index),
      ];
      endpoint.say({
        body: answer(
          ...foreign(0),
          start(1, { type: "tool_use", id: "toolu_1", name: "list", input: {} }),
          delta(1, { type: "input_json_delta", partial_json: '{"path":"a"}' }),
          stop(1),
          ...foreign(2),
        ),
      });
      const { parts } = await ask();
      expect(piecesOf(parts).filter(({ type }) => type === "tool-calls")).toEqual([
        { type: "tool-calls", deltas: [{ index: 0, id: "toolu_1", name: "list", arguments: "" }] },
        { type: "tool-calls", deltas: [{ index: 0, arguments: '{"path":"a"}' }] },
      ]);
    },
  );

  it.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["tool_use", "tool_calls"],
    ["max_tokens", "length"],
    ["model_context_window_exceeded", "length"],
    ["refusal", "content_filter"],
    ["something_new", "something_new"],
  ])("that ended by %s", async (reason, expected) => {
    endpoint.say({ body: stream(START, ...text(0, "Fine."), finish(reason), END) });
    const { parts } = await ask();
    expect(parts.at(-1)).toEqual({ type: "finish", reason: expected });
  });

  it.each<[string, object, object, object]>([
    [
      "all of the prompt",
      {
        input_tokens: 10,
        cache_read_input_tokens: 3_000,
        cache_creation_input_tokens: 200,
        output_tokens: 1,
      },
      { output_tokens: 50 },
      { inputTokens: 3_210, outputTokens: 50, cachedTokens: 3_000, cacheWriteTokens: 200 },
    ],
    [
      "the last figures",
      { input_tokens: 0, output_tokens: 0 },
      { input_tokens: 20, output_tokens: 50, cache_read_input_tokens: 5 },
      { inputTokens: 25, outputTokens: 50, cachedTokens: 5 },
    ],
    [
      "no null",
      { input_tokens: 7, cache_read_input_tokens: null },
      { output_tokens: 2 },
      { inputTokens: 7, outputTokens: 2 },
    ],
  ])("counts %s", async (_, first, last, usage) => {
    const begin = { type: "message_start", message: { usage: first } };
    endpoint.say({ body: stream(begin, ...text(0, "Fine."), finish("end_turn", last), END) });
    const { parts } = await ask();
    expect(parts.filter(({ type }) => type === "usage")).toEqual([{ type: "usage", usage }]);
  });

  it("that breaks off is lost, and one that is empty is none", async () => {
    endpoint.say({ body: stream(START, ...text(0, "Fin").slice(0, 2)) });
    expect((await ask()).error?.view.code).toBe("connection-lost");
    endpoint.say({ body: stream(START, ...text(0, "Fine."), finish("end_turn")) });
    expect((await ask()).error).toBeUndefined();
    endpoint.say({ body: stream(START, END) });
    expect((await ask()).error?.view.code).toBe("empty-response");
    endpoint.say({ body: "" });
    expect((await ask()).error?.view.code).toBe("empty-response");
    endpoint.say({ body: stream(START, '{"type":"content_bl') });
    expect((await ask()).error?.view.code).toBe("bad-response");
    endpoint.say({ headers: { "content-type": "text/html" }, body: "<html><title>Portal</title></html>" });
    expect((await ask()).error?.view).toMatchObject({ code: "web-page", detail: "Portal" });
  });
});
