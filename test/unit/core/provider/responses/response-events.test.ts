/** What endpoints with the Responses API stream, and what becomes of it. */
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
});

const ask = (more: Parameters<Endpoint["ask"]>[0] = {}) => endpoint.ask({ api: "responses", ...more });
const completed = (more: object = {}) => ({
  type: "response.completed",
  response: { status: "completed", ...more },
});
const textDelta = (delta: string, output_index = 0) => ({
  type: "response.output_text.delta",
  output_index,
  delta,
});
const added = (output_index: number, item: object) => ({
  type: "response.output_item.added",
  output_index,
  item,
});
const done = (output_index: number, item: object) => ({
  type: "response.output_item.done",
  output_index,
  item,
});
const args = (output_index: number, delta: string) => ({
  type: "response.function_call_arguments.delta",
  output_index,
  delta,
});
/** As llama.cpp sends them. */
const unnumbered = (events: readonly { type: string; item: object }[]) =>
  events.map(({ type, item }) => ({ type, item }));
const unnamed = ({ id: _, ...item }: ReturnType<typeof callItem>) => item;
const message = (text: string) => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const callItem = (call_id: string, text: string) => ({
  type: "function_call",
  id: `fc_${call_id}`,
  call_id,
  name: "read_file",
  arguments: text,
});
const secret = {
  id: "rs_1",
  type: "reasoning",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "gAAA",
};

/** The parts with adjacent deltas joined. */
function joined(parts: readonly StreamPart[]): unknown[] {
  const found: { [kind: string]: unknown }[] = [];
  const calls = new Map<number, { id?: string | undefined; name?: string | undefined; arguments: string }>();
  for (const part of parts) {
    const last = found.at(-1);
    if (part.type === "text" || part.type === "reasoning") {
      if (last && typeof last[part.type] === "string") last[part.type] = `${last[part.type]}${part.delta}`;
      else found.push({ [part.type]: part.delta });
    } else if (part.type === "signed-reasoning") found.push({ signed: part.signed });
    else if (part.type === "tool-calls") {
      for (const delta of part.deltas) {
        const index = delta.index ?? -1;
        let call = calls.get(index);
        if (!call) {
          call = { id: delta.id, name: delta.name, arguments: "" };
          calls.set(index, call);
          found.push({ call });
        }
        call.arguments += delta.arguments ?? "";
      }
    } else if (part.type === "finish") found.push({ finish: part.reason });
    else if (part.type === "usage") found.push({ usage: part.usage });
  }
  return found;
}

describe("an answer is understood", () => {
  const CALLS = [
    { call: { id: "a", name: "read_file", arguments: '{"path":"1"}' } },
    { call: { id: "b", name: "read_file", arguments: '{"path":"2"}' } },
    { finish: "tool_calls" },
  ];
  it.each<[string, unknown[], unknown[]]>([
    [
      "in deltas",
      [
        { type: "response.created", response: { status: "in_progress", output: [] } },
        added(0, { type: "message", content: [] }),
        textDelta("Hel"),
        textDelta("lo"),
        done(0, message("Hello")),
        completed(),
      ],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
    [
      "only at the end of its item",
      [done(0, message("Hello")), completed()],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
    [
      "only at the end of the stream",
      [completed({ output: [secret, message("Hello"), callItem("a", "{}")] })],
      [
        { reasoning: "Hm." },
        { signed: secret },
        { text: "Hello" },
        { call: { id: "a", name: "read_file", arguments: "{}" } },
        { finish: "tool_calls" },
      ],
    ],
    [
      "not streamed at all",
      [JSON.stringify({ object: "response", status: "completed", output: [message("Hello")] })],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
    [
      "not streamed at all, with a type beside it",
      [JSON.stringify({ type: "message", object: "response", output: [message("Hello")] })],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
    [
      "not streamed, and cut off",
      [
        JSON.stringify({
          object: "response",
          status: "incomplete",
          incomplete_details: { reason: "max_output_tokens" },
          output: [message("Hel")],
        }),
      ],
      [{ text: "Hel" }, { finish: "length" }],
    ],
    [
      "with calls in deltas, which alternate",
      [
        added(0, callItem("a", "")),
        added(1, callItem("b", "")),
        args(0, '{"path"'),
        args(1, '{"path":"2"}'),
        args(0, ':"1"}'),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"path":"1"}' },
        done(0, callItem("a", '{"path":"1"}')),
        done(1, callItem("b", '{"path":"2"}')),
        completed(),
      ],
      CALLS,
    ],
    [
      "without indexes, with names of items",
      [
        ...unnumbered([added(0, callItem("a", "")), added(1, callItem("b", ""))]),
        { type: "response.function_call_arguments.delta", item_id: "fc_a", delta: '{"path"' },
        { type: "response.function_call_arguments.delta", item_id: "fc_b", delta: '{"path":"2"}' },
        { type: "response.function_call_arguments.delta", item_id: "fc_a", delta: ':"1"}' },
        ...unnumbered([done(0, callItem("a", '{"path":"1"}')), done(1, callItem("b", '{"path":"2"}'))]),
        completed(),
      ],
      CALLS,
    ],
    [
      "without indexes, with names of calls in place of items",
      [
        ...unnumbered([added(0, unnamed(callItem("a", "")))]),
        { type: "response.function_call_arguments.delta", item_id: "a", delta: '{"path":"1"}' },
        ...unnumbered([added(1, unnamed(callItem("b", "")))]),
        { type: "response.function_call_arguments.delta", item_id: "b", delta: '{"path":"2"}' },
        ...unnumbered([done(0, unnamed(callItem("a", '{"path":"1"}')))]),
        ...unnumbered([done(1, unnamed(callItem("b", '{"path":"2"}')))]),
        completed(),
      ],
      CALLS,
    ],
    [
      "without indexes, with calls that come only when they are done",
      [
        ...unnumbered([done(0, callItem("a", '{"path":"1"}')), done(1, callItem("b", '{"path":"2"}'))]),
        completed(),
      ],
      CALLS,
    ],
    [
      "without indexes and names",
      [
        ...unnumbered([added(0, unnamed(callItem("a", "")))]),
        { type: "response.function_call_arguments.delta", delta: '{"path":"1"}' },
        ...unnumbered([added(1, unnamed(callItem("b", "")))]),
        { type: "response.function_call_arguments.delta", delta: '{"path":"2"}' },
        completed(),
      ],
      CALLS,
    ],
    [
      "with calls whose arguments come whole",
      [
        added(0, callItem("a", "")),
        { type: "response.function_call_arguments.done", output_index: 0, arguments: '{"path":"1"}' },
        done(0, callItem("a", '{"path":"1"}')),
        added(1, callItem("b", '{"path":"2"}')),
        done(1, callItem("b", '{"path":"2"}')),
        completed(),
      ],
      CALLS,
    ],
    [
      "with calls that come only when they are done, and arguments that are an object",
      [
        done(0, callItem("a", '{"path":"1"}')),
        done(1, { ...callItem("b", ""), arguments: { path: "2" } }),
        completed(),
      ],
      CALLS,
    ],
    [
      "with reasoning, whose summary has two parts",
      [
        added(0, { type: "reasoning", id: "rs_1", summary: [] }),
        { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 0 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 0, delta: "One." },
        { type: "response.reasoning_summary_part.added", output_index: 0, summary_index: 1 },
        { type: "response.reasoning_summary_text.delta", output_index: 0, summary_index: 1, delta: "Two." },
        done(0, secret),
        textDelta("Hello", 1),
        completed(),
      ],
      [{ reasoning: "One.\n\nTwo." }, { signed: secret }, { text: "Hello" }, { finish: "stop" }],
    ],
    [
      "with reasoning that cannot be sent back",
      [done(0, { ...secret, encrypted_content: null }), textDelta("Hello", 1), completed()],
      [{ reasoning: "Hm." }, { text: "Hello" }, { finish: "stop" }],
    ],
    [
      "with phases",
      [
        textDelta("I look."),
        done(0, { ...message("I look."), phase: "commentary" }),
        done(1, { ...message("Seen."), phase: "final_answer" }),
        completed(),
      ],
      [
        { text: "I look." },
        { signed: { type: "message", phase: "commentary" } },
        { text: "Seen." },
        { signed: { type: "message", phase: "final_answer" } },
        { finish: "stop" },
      ],
    ],
    [
      "as a refusal of the model",
      [{ type: "response.refusal.delta", output_index: 0, delta: "I cannot." }, completed()],
      [{ text: "I cannot." }, { finish: "stop" }],
    ],
    [
      "with its usage",
      [
        textDelta("Hello"),
        completed({
          usage: {
            input_tokens: 12,
            output_tokens: 3,
            input_tokens_details: { cached_tokens: 8 },
            total_tokens: 15,
          },
        }),
      ],
      [
        { text: "Hello" },
        { finish: "stop" },
        { usage: { inputTokens: 12, outputTokens: 3, cachedTokens: 8 } },
      ],
    ],
    [
      "filtered",
      [
        textDelta("Hel"),
        {
          type: "response.incomplete",
          response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
        },
      ],
      [{ text: "Hel" }, { finish: "content_filter" }],
    ],
    [
      "with events that are not known",
      [
        { type: "response.web_search_call.searching", output_index: 0 },
        done(0, { type: "web_search_call", action: { type: "search" }, content: "odd" }),
        textDelta("Hello", 1),
        { type: "keepalive" },
        completed(),
      ],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
    [
      "without indexes",
      [{ type: "response.output_text.delta", delta: "Hello" }, completed()],
      [{ text: "Hello" }, { finish: "stop" }],
    ],
  ])("%s", async (_name, events, parts) => {
    const [first] = events;
    const body = typeof first === "string" ? first : stream(...events);
    endpoint.say({ body });
    const answer = await ask();
    expect(answer.error).toBeUndefined();
    expect(joined(answer.parts)).toEqual(parts);
  });
});

describe("an answer that fails", () => {
  it.each<[string, unknown[], string, RegExp?]>([
    ["without its end", [textDelta("Hel")], "connection-lost"],
    [
      "with an error event",
      [textDelta("Hel"), { type: "error", code: "server_error", message: "Oh no" }],
      "server-error",
      /Oh no/,
    ],
    [
      "with a nested error",
      [{ type: "error", error: { type: "x", message: "Oh no" } }],
      "server-error",
      /Oh no/,
    ],
    ["with an error alone", [{ error: { message: "Oh no" } }], "server-error", /Oh no/],
    [
      "that the endpoint calls failed",
      [
        {
          type: "response.failed",
          response: { status: "failed", error: { code: "server_error", message: "Oh no" } },
        },
      ],
      "server-error",
      /Oh no/,
    ],
    [
      "because it is too long",
      [
        {
          type: "response.failed",
          response: {
            error: {
              code: "context_length_exceeded",
              message: "Your input exceeds the context window of this model.",
            },
          },
        },
      ],
      "context-length",
    ],
    ["that is canceled", [{ type: "response.cancelled", response: {} }], "server-error"],
    ["that is a chat completion", [{ choices: [{ delta: { content: "Hello" } }] }], "bad-response", /Hello/],
    ["that is no JSON", ["{oh"], "bad-response"],
    ["with nothing in it", [], "empty-response"],
  ])("%s", async (_name, events, code, words = /^/) => {
    endpoint.say({ body: stream(...events) });
    const { error } = await ask();
    expect(error?.view.code).toBe(code);
    expect(error?.view.detail ?? "").toMatch(words);
  });
});

describe("a request", () => {
  const fine = { body: stream(textDelta("Fine."), completed()) };
  const refused = (status: number, message: string, more: object = {}) => ({
    status,
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ error: { message, type: "invalid_request_error", ...more } }),
  });

  it("stores nothing, and asks for the reasoning", async () => {
    endpoint.say(fine);
    const tools = [{ name: "f", description: "d", parameters: { type: "object", properties: {} } }];
    await ask({
      provider: { reasoningEffort: "high", maxOutputTokens: 5, temperature: 0.5 },
      request: { tools },
      baseUrl: `${endpoint.url}/responses`,
    });
    expect(endpoint.heard[0]?.url).toBe("/v1/responses");
    expect(endpoint.heard[0]?.headers.authorization).toBe("Bearer key");
    expect(endpoint.heard[0]?.body).toMatchObject({
      model: "m",
      instructions: "s",
      stream: true,
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      max_output_tokens: 16,
      temperature: 0.5,
      tools: [{ type: "function", ...tools[0], strict: false }],
    });
  });

  it("has neither effort nor tools unless they are wanted", async () => {
    endpoint.say(fine);
    await ask({ request: { protocol: "xml" } });
    expect(endpoint.heard[0]?.body).toMatchObject({ reasoning: { summary: "auto" } });
    expect(endpoint.heard[0]?.body).not.toHaveProperty("tools");
    expect(endpoint.heard[0]?.body).not.toHaveProperty("max_output_tokens");
    expect(endpoint.heard[0]?.body).not.toHaveProperty("temperature");
  });

  it.each<[string, number, string, (body: Record<string, unknown>) => void]>([
    [
      "the summary",
      400,
      "Your organization must be verified to generate reasoning summaries. Please go to: https://example.com",
      (body) => expect(body.reasoning).toEqual({ effort: "low" }),
    ],
    [
      "the effort",
      400,
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      (body) => expect(body.reasoning).toEqual({ summary: "auto" }),
    ],
    [
      "a value of the effort",
      400,
      "Unsupported value: 'low' is not supported with the 'm' model. Supported values are: 'medium'.",
      (body) => expect(body.reasoning).toEqual({ summary: "auto" }),
    ],
    [
      "reasoning",
      400,
      "Unknown parameter: 'reasoning'.",
      (body) => expect(body).not.toHaveProperty("reasoning"),
    ],
    [
      "encrypted reasoning",
      400,
      "Encrypted content is not supported with this model.",
      (body) => expect(body).not.toHaveProperty("include"),
    ],
    [
      "reasoning of another organization",
      400,
      "The encrypted content gAAA...aQ== could not be verified. Reason: Encrypted content organization_id did not match the target organization.",
      (body) => expect(JSON.stringify(body.input)).not.toContain("rs_1"),
    ],
    [
      "an item that is not found",
      404,
      "Item with id 'rs_1' not found. Items are not persisted when `store` is set to false.",
      (body) => expect(JSON.stringify(body.input)).not.toContain("rs_1"),
    ],
    [
      "a list as output",
      400,
      "Invalid type for 'input[3].output': expected a string, but got an array instead.",
      (body) => expect(JSON.stringify(body.input)).toContain('"output":"(no output)"'),
    ],
  ])(
    "is sent again without %s, where that is refused, and from then on",
    async (_name, status, words, check) => {
      const model = `m ${words}`;
      const createdAt = "2026-01-01T00:00:00Z";
      const messages = [
        { id: "1", role: "user" as const, blocks: [{ type: "text" as const, text: "Go" }], createdAt },
        {
          id: "2",
          role: "assistant" as const,
          blocks: [
            { type: "reasoning" as const, text: "", signed: secret },
            { type: "tool-call" as const, id: "a", name: "f", params: {} },
          ],
          createdAt,
          model,
          connection: "default",
        },
        {
          id: "3",
          role: "tool" as const,
          blocks: [
            {
              ...{
                type: "tool-result" as const,
                callId: "a",
                name: "f",
                label: "f",
                outcome: "done" as const,
              },
              parts: [{ type: "image" as const, mimeType: "image/png", data: "AAAA" }],
            },
          ],
          createdAt,
        },
      ];
      endpoint.say(refused(status, words), fine);
      const options = { model, request: { messages }, provider: { reasoningEffort: "low" } };
      const { text, error } = await ask(options);
      expect(error).toBeUndefined();
      expect(text).toBe("Fine.");
      expect(endpoint.heard).toHaveLength(2);
      check(endpoint.heard[1]?.body ?? {});
      await ask(options);
      expect(endpoint.heard).toHaveLength(3);
      check(endpoint.heard[2]?.body ?? {});
    },
  );

  it.each([
    [404, "404 page not found"],
    [404, '{"detail":"Not Found"}'],
    [405, "Method Not Allowed"],
    [200, '{"error":"Unexpected endpoint or method. (POST /v1/responses)"}'],
  ])("that no such API answers says so: %i %s", async (status, body) => {
    endpoint.say({ status, body });
    const { error } = await ask();
    expect(error?.view).toMatchObject({ code: "no-such-api", subject: endpoint.url });
  });

  it("for a model that is not there still says that", async () => {
    endpoint.say(
      refused(404, "The model `m` does not exist or you do not have access to it.", {
        code: "model_not_found",
      }),
    );
    expect((await ask()).error?.view.code).toBe("unknown-model");
  });
});
