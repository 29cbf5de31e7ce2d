/** Requests to the Messages API, byte for byte, and what becomes of what endpoints answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { StreamPart } from "../../../../../src/core/provider/provider.ts";
import { stream } from "../../../../support/raw-stream.ts";
import { type Endpoint, startEndpoint } from "../endpoint.ts";

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
const START = { type: "message_start", message: { usage: { input_tokens: 10, output_tokens: 1 } } };
const start = (index: number, block: object) => ({
  type: "content_block_start",
  index,
  content_block: block,
});
const delta = (index: number, fields: object) => ({ type: "content_block_delta", index, delta: fields });
const stop = (index: number) => ({ type: "content_block_stop", index });
const finish = (reason: string, usage: object = { output_tokens: 5 }) => ({
  ...{ type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
});
const END = { type: "message_stop" };
const text = (index: number, ...words: string[]) => [
  start(index, { type: "text", text: "" }),
  ...words.map((word) => delta(index, { type: "text_delta", text: word })),
  stop(index),
];

function answer(...content: object[]): string {
  const blocks = content.length > 0 ? content : text(0, "Fine.");
  return stream(START, { type: "ping" }, ...blocks, finish("end_turn"), END);
}

type AskOptions = NonNullable<Parameters<Endpoint["ask"]>[0]>;
const ask = (options: AskOptions = {}) =>
  endpoint.ask({ api: "anthropic", model: "claude-sonnet-4-5", ...options });
const refuse = (status: number, type: string, message: string, headers = {}) => ({
  ...{ status, headers: { ...JSON_TYPE, ...headers } },
  body: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }),
});
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
    expect(parts.filter(({ type }) => type !== "usage" && type !== "finish")).toEqual(signed);
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
    expect(parts).toEqual([
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

/** Sends pieces for ever, and counts their bytes. */
function* endless(sent: { bytes: number }, first: string, piece: string): Generator<string> {
  yield first;
  for (;;) {
    sent.bytes += piece.length;
    yield piece;
  }
}

describe("what never ends is ended", () => {
  const long = "x".repeat(64 * 1024);
  const thinking = start(0, { type: "thinking", thinking: "" });
  const call = start(0, { type: "tool_use", id: "a", name: "read_file", input: {} });
  it.each<[string, string, string]>([
    ["text", stream(START, start(0, { type: "text" })), stream(delta(0, { type: "text_delta", text: long }))],
    ["thinking", stream(START, thinking), stream(delta(0, { type: "thinking_delta", thinking: long }))],
    ["a signature", stream(START, thinking), stream(delta(0, { type: "signature_delta", signature: long }))],
    ["hidden thinking", "", stream(start(0, { type: "redacted_thinking", data: long }), stop(0))],
    ["arguments", stream(START, call), stream(delta(0, { type: "input_json_delta", partial_json: long }))],
    ["a line", stream(START), `data: "${long}`],
    ["an answer that does not stream", '{"type": "message", "content": "', long],
  ])("%s", async (_, first, piece) => {
    const sent = { bytes: 0 };
    endpoint.say({ body: endless(sent, first, piece) });
    const { error } = await ask({ provider: { firstTokenTimeout: 0, idleTimeout: 0 } });
    expect(error?.view.code).toBe("response-too-large");
    expect(sent.bytes).toBeLessThan(80 * 1024 * 1024);
  });

  it("a wait for the first token", async () => {
    endpoint.say({ body: endless({ bytes: 0 }, stream(START), stream({ type: "ping" })) });
    const { error } = await ask({ provider: { firstTokenTimeout: 0.2 } });
    expect(error?.view.code).toBe("first-token-timeout");
  });
});

describe("a refusal", () => {
  it.each<[number, string, string, string, boolean]>([
    [400, "invalid_request_error", "messages: at least one message is required", "bad-request", false],
    [
      400,
      "invalid_request_error",
      "Your credit balance is too low to access the Anthropic API.",
      "bad-request",
      false,
    ],
    [401, "authentication_error", "invalid x-api-key", "bad-key", false],
    [
      403,
      "permission_error",
      "Your API key does not have permission to use the specified resource.",
      "bad-key",
      false,
    ],
    [404, "not_found_error", "model: claude-sonnet-4-5", "unknown-model", false],
    [404, "not_found_error", "Not found", "no-such-api", false],
    [413, "request_too_large", "Request exceeds the maximum size", "context-length", false],
    [
      429,
      "rate_limit_error",
      "This request would exceed your organization's rate limit",
      "rate-limited",
      true,
    ],
    [500, "api_error", "Internal server error", "server-error", true],
    [529, "overloaded_error", "Overloaded", "server-error", true],
  ])("%i %s: %s", async (status, type, message, code, transient) => {
    endpoint.say(refuse(status, type, message));
    const { error } = await ask();
    expect(error?.view).toMatchObject({ code, detail: message });
    expect(error?.transient).toBe(transient);
    // Within an answer the type alone says which it is.
    if (status === 404) return;
    endpoint.say({ body: stream(START, { type: "error", error: { type, message } }) });
    const late = (await ask()).error;
    expect(late?.view).toMatchObject({ code, detail: message });
    expect(late?.transient).toBe(transient);
  });

  it("says when to try again, and how long a prompt may be", async () => {
    endpoint.say(refuse(429, "rate_limit_error", "Slow down", { "retry-after": "7" }));
    expect((await ask()).error?.retryAfterMs).toBe(7_000);
    endpoint.say(
      refuse(400, "invalid_request_error", "prompt is too long: 210,000 tokens > 200,000 maximum"),
    );
    const { error } = await ask();
    expect(error?.view.code).toBe("context-length");
    const { apis } = await import("../../../../../src/core/provider/apis.ts");
    expect(error && apis.anthropic.statedLengths(error)).toEqual({ limit: 200_000, used: 210_000 });
  });

  it("without a key asks for one; a redirect is not followed; nothing answers", async () => {
    endpoint.say(refuse(401, "authentication_error", "x-api-key header is required"));
    expect((await ask({ apiKey: "" })).error?.view.code).toBe("no-key");
    endpoint.say({ status: 307, headers: { location: "http://127.0.0.1:1/v1/messages" }, body: "" });
    expect((await ask()).error?.view.code).toBe("redirected");
    expect((await ask({ baseUrl: "http://127.0.0.1:1" })).error?.view.code).toBe("unreachable");
    expect((await ask({ baseUrl: "" })).error?.view.code).toBe("no-endpoint");
    expect((await ask({ model: " " })).error?.view.code).toBe("no-model");
  });

  it("does not show the key, and the conversation does not contain it", async () => {
    const apiKey = "sk-ant-0123456789";
    endpoint.say(refuse(400, "invalid_request_error", `bad key ${apiKey}`));
    const { error } = await ask({ apiKey, request: { system: `The key is ${apiKey}.` } });
    expect(error?.view.detail).not.toContain(apiKey);
    expect(JSON.stringify(endpoint.heard[0]?.body)).not.toContain(apiKey);
  });
});

describe("what an endpoint refuses is sent in another form, and so from then on", () => {
  const high = { reasoningEffort: "high" };
  const BUDGET = { thinking: { type: "enabled", budget_tokens: 24_576 } };
  it.each<[string, AskOptions, string, object, object]>([
    [
      "thinking with a budget",
      { model: "claude-next", provider: high },
      "adaptive thinking is not supported on this model",
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      { ...BUDGET, output_config: undefined },
    ],
    [
      "thinking without a budget",
      { model: "claude-sonnet-4-5", provider: high },
      '"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      BUDGET,
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
    ],
    [
      "without thinking",
      { model: "kimi", provider: high },
      "thinking: Extra inputs are not permitted",
      { thinking: { type: "enabled", budget_tokens: 7_168 } },
      { thinking: undefined },
    ],
    [
      "thinking as little as possible",
      { model: "claude-opus-5", provider: { reasoningEffort: "none" } },
      '"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and "output_config.effort" to control thinking behavior.',
      { thinking: { type: "disabled" } },
      { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "low" } },
    ],
    [
      "without a display",
      { model: "claude-opus-4-8", provider: high },
      "thinking.adaptive.display: Extra inputs are not permitted",
      { thinking: { type: "adaptive", display: "summarized" } },
      { thinking: { type: "adaptive" } },
    ],
    [
      "without temperature",
      { model: "claude-sonnet-4", provider: { temperature: 0.5 } },
      "`temperature` is deprecated for this model.",
      { temperature: 0.5 },
      { temperature: undefined },
    ],
    [
      "a short answer",
      { model: "claude-sonnet-4-1" },
      "max_tokens: 64000 > 8192, which is the maximum allowed number of output tokens for claude-sonnet-4-1",
      { max_tokens: 64_000 },
      { max_tokens: 4_096 },
    ],
    [
      "a short answer to a long prompt",
      { model: "claude-sonnet-4-2" },
      "input length and `max_tokens` exceed context limit: 178959 + 64000 > 200000, decrease input length or `max_tokens` and try again",
      { max_tokens: 64_000 },
      { max_tokens: 4_096 },
    ],
  ])("%s", async (_, options, words, first, then) => {
    endpoint.say(refuse(400, "invalid_request_error", words), { body: answer() });
    expect(await ask(options)).toMatchObject({ text: "Fine." });
    expect(endpoint.heard).toHaveLength(2);
    expect(endpoint.heard[0]?.body).toMatchObject(first);
    const { thinking, output_config, temperature, max_tokens } = endpoint.heard[1]?.body ?? {};
    expect({ thinking, output_config, temperature, max_tokens }).toMatchObject(then);
    await ask(options);
    expect(endpoint.heard[2]?.body).toEqual(endpoint.heard[1]?.body);
  });

  it("without marks of the cache", async () => {
    endpoint.say(
      refuse(400, "invalid_request_error", "system.0.cache_control: Extra inputs are not permitted"),
      {
        body: answer(),
      },
    );
    expect(await ask({ model: "other" })).toMatchObject({ text: "Fine." });
    expect(JSON.stringify(endpoint.heard[0]?.body)).toContain("cache_control");
    expect(JSON.stringify(endpoint.heard[1]?.body)).not.toContain("cache_control");
  });

  it.each([
    "messages.1.content.0: Invalid `signature` in `thinking` block",
    "messages.1.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.",
  ])("without earlier thinking: %s", async (words) => {
    const model = `claude-opus-5 ${words.length}`;
    const signed = { type: "thinking", thinking: "Hm.", signature: "abc" };
    const messages = [
      { id: "1", role: "user" as const, createdAt: "", blocks: [{ type: "text" as const, text: "hi" }] },
      {
        ...{ id: "2", role: "assistant" as const, createdAt: "", model, connection: "default" },
        blocks: [
          { type: "reasoning" as const, text: "Hm.", signed },
          { type: "text" as const, text: "Hello" },
        ],
      },
      { id: "3", role: "user" as const, createdAt: "", blocks: [{ type: "text" as const, text: "go on" }] },
    ];
    endpoint.say(refuse(400, "invalid_request_error", words), { body: answer() });
    expect(await ask({ model, request: { messages } })).toMatchObject({ text: "Fine." });
    expect(endpoint.heard[0]?.body).toMatchObject({
      messages: [{}, { content: [signed, { text: "Hello" }] }, {}],
    });
    expect(endpoint.heard[1]?.body).toMatchObject({ messages: [{}, { content: [{ text: "Hello" }] }, {}] });
  });
});
