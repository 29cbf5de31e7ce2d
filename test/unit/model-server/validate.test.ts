import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { type Body, body, post, send } from "./client.ts";

let server: ModelServer;

beforeAll(async () => {
  server = await startModelServer({ script: { turns: [{ times: true, answer: [{ text: "ok" }] }] } });
});

afterAll(() => server.close());

const errorSchema = z.strictObject({
  error: z.strictObject({
    message: z.string().min(1),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string().nullable(),
  }),
});

const user = (content: unknown): Body => ({ role: "user", content });
const system = (content: unknown): Body => ({ role: "system", content });
const assistant = (content: unknown, more: Body = {}): Body => ({ role: "assistant", content, ...more });
const text = (words: string): Body => ({ type: "text", text: words });
const imageAt = (url: string): Body => ({ type: "image_url", image_url: { url } });
const USER = user("hi");
const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const IMAGE = imageAt(PIXEL);

function callOf(id: unknown, args: unknown = "{}", name: unknown = "f"): Body {
  return { id, type: "function", function: { name, arguments: args } };
}
function calling(...calls: Body[]): Body {
  return assistant(null, { tool_calls: calls });
}
function result(id: unknown, content: unknown = "done"): Body {
  return { role: "tool", tool_call_id: id, content };
}
/** One call, answered. */
function answered(call: Body): Body {
  return messages(USER, calling(call), result("a"));
}
function messages(...list: unknown[]): Body {
  return { messages: list };
}
function toolWith(parameters: unknown, name: unknown = "f", more: Body = {}): Body {
  return { tools: [{ type: "function", function: { name, parameters, ...more } }] };
}
function properties(map: Body, more: Body = {}): Body {
  return toolWith({ type: "object", properties: map, ...more });
}
const anyTool = toolWith({ type: "object", properties: {} }).tools;

describe("a request that is fine", () => {
  it.each<[string, Body]>([
    ["plain", {}],
    ["parts", messages(user([text("look"), IMAGE]))],
    ["system first, several of them", messages(system("s"), { role: "developer", content: "d" }, USER)],
    [
      "tool calls answered in any order",
      messages(USER, calling(callOf("a"), callOf("b")), result("b"), result("a"), USER),
    ],
    ["text beside tool calls", messages(USER, { ...calling(callOf("a")), content: "I look." }, result("a"))],
    ["a remote image", messages(user([imageAt("https://example.com/a.png")]))],
    [
      "a rich schema",
      properties(
        {
          path: { type: "string", description: "where" },
          tags: { type: "array", items: { type: ["string", "null"] } },
          node: { $ref: "#/$defs/node" },
          either: { anyOf: [{ type: "string" }, { type: "integer" }] },
        },
        {
          required: ["path"],
          additionalProperties: false,
          $defs: { node: { type: "object", properties: { next: { $ref: "#/$defs/node" } } } },
        },
      ),
    ],
    [
      "a tool choice",
      {
        tools: anyTool,
        tool_choice: { type: "function", function: { name: "f" } },
        parallel_tool_calls: false,
      },
    ],
    ["numbers at their bounds", { temperature: 2, top_p: 0, max_tokens: 1 }],
    [
      "nulls for what is optional",
      { temperature: null, max_tokens: null, stream: null, stream_options: null },
    ],
  ])("%s", async (_name, changes) => {
    const answer = await post(server, changes);
    expect(answer.text).toContain('"content":"ok"');
    expect(answer.status).toBe(200);
  });
});

const CALL = "messages[1].tool_calls[0]";
const SCHEMA = "tools[0].function.parameters";
/** The param that the error must name, words in its message, and what is wrong with the request. */
const faults: [string | null, RegExp, Body][] = [
  ["model", /model/, { model: undefined }],
  ["messages", /Missing.*messages/, { messages: undefined }],
  ["messages", /array/, { messages: USER }],
  ["messages[1].role", /human/, messages(USER, { role: "human", content: "x" })],
  ["messages[1].role", /system message must come first/, messages(USER, system("s"))],
  ["messages[1].role", /begin with a user/, messages(system("s"), assistant("x"), USER)],
  ["messages[1].role", /last message/, messages(USER, assistant("x"))],
  ["messages[0].content", /empty/, messages(user(""))],
  ["messages[0].content", /empty/, messages(user(" \n"))],
  ["messages[0].content[1].text", /empty/, messages(user([text("a"), text("")]))],
  ["messages[0].content", /needs content/, messages({ role: "user" })],
  ["messages[1].content", /needs content/, messages(USER, assistant(null), USER)],
  ["messages[1].content", /empty/, messages(USER, { ...calling(callOf("a")), content: "" }, result("a"))],
  ["messages[2].content", /empty/, messages(USER, calling(callOf("a")), result("a", ""))],
  ["messages[0].content[0].type", /file/, messages(user([{ type: "file", file: {} }]))],
  ["messages[1].content[0]", /image/, messages(USER, assistant([IMAGE]), USER)],
  ["messages[2].content[0]", /image/, messages(USER, calling(callOf("a")), result("a", [IMAGE]))],
  ["messages[0].content[0]", /image/, messages(system([IMAGE]), USER)],
  ["messages[0].content[0].image_url.url", /data URL/, messages(user([imageAt("pic.png")]))],
  ["messages[0].id", /Unknown parameter/, messages({ ...USER, id: "x" })],
  [
    "messages[1].reasoning_content",
    /Unknown/,
    messages(USER, assistant("a", { reasoning_content: "b" }), USER),
  ],
  ["messages[1].tool_calls", /empty array/, messages(USER, calling(), USER)],
  ["messages[1]", /did not have response messages.*: a$/, messages(USER, calling(callOf("a")), USER)],
  ["messages[1]", /: b$/, messages(USER, calling(callOf("a"), callOf("b")), result("a"), USER)],
  ["messages[3].tool_call_id", /already/, messages(USER, calling(callOf("a")), result("a"), result("a"))],
  ["messages[1].role", /preceding message with 'tool_calls'/, messages(USER, result("a"))],
  ["messages[2].tool_call_id", /'b'/, messages(USER, calling(callOf("a")), result("b"))],
  ["messages[2].tool_call_id", /Missing/, messages(USER, calling(callOf("a")), result(undefined))],
  [
    "messages[1].tool_calls[1].id",
    /Duplicate/,
    messages(USER, calling(callOf("a"), callOf("a")), result("a")),
  ],
  [`${CALL}.id`, /Missing/, messages(USER, calling(callOf("")), result(""))],
  [`${CALL}.type`, /function/, answered({ ...callOf("a"), type: "custom" })],
  [`${CALL}.function.name`, /read file/, answered(callOf("a", "{}", "read file"))],
  [`${CALL}.function.arguments`, /expected a string, got object/, answered(callOf("a", { path: "x" }))],
  [`${CALL}.function.arguments`, /not valid JSON/, answered(callOf("a", '{"path":'))],
  [`${CALL}.function.arguments`, /JSON object/, answered(callOf("a", "[1]"))],
  ["messages[0].content", /lone surrogate/, messages(user("a\ud83d"))],
  ["tools", /empty array/, { tools: [] }],
  ["tools[0].function.name", /read file/, toolWith({ type: "object" }, "read file")],
  ["tools[1].function.name", /unique/, { tools: [anyTool, anyTool].flat() }],
  [SCHEMA, /type: "string"/, toolWith({ type: "string" })],
  [SCHEMA, /'a'.*"text"/, properties({ a: { type: "text" } })],
  [
    SCHEMA,
    /'items', 'properties', 'b'/,
    properties({ a: { type: "array", items: { type: "object", properties: { b: { type: "int" } } } } }),
  ],
  [SCHEMA, /"b"/, properties({ a: { type: "string" } }, { required: ["b"] })],
  [SCHEMA, /missing items/, properties({ a: { type: "array" } })],
  [SCHEMA, /reference/, properties({ a: { $ref: "https://example.com/x.json" } })],
  [SCHEMA, /enum/, properties({ a: { type: "string", enum: [] } })],
  [SCHEMA, /not a schema/, properties({ a: "string" })],
  [
    SCHEMA,
    /strict/,
    toolWith({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }, "f", {
      strict: true,
    }),
  ],
  ["tool_choice", /tools/, { tool_choice: "auto" }],
  ["tool_choice", /'g'/, { tools: anyTool, tool_choice: { type: "function", function: { name: "g" } } }],
  ["temperature", /0\.\.2/, { temperature: 2.1 }],
  ["max_tokens", /positive integer/, { max_tokens: 0 }],
  ["max_tokens", /same time/, { max_tokens: 5, max_completion_tokens: 5 }],
  ["stream", /boolean/, { stream: "true" }],
  ["stream_options", /only allowed when 'stream'/, { stream_options: { include_usage: true } }],
  ["stream_options.usage", /Unknown/, { stream: true, stream_options: { usage: true } }],
  ["n", /n = 1/, { n: 2 }],
  ["max_token", /Unrecognized request argument/, { max_token: 5 }],
];

describe("a request at fault gets a 400 that names the fault", () => {
  it.each(faults)("%s: %s", async (param, words, changes) => {
    const answer = await post(server, changes);
    expect(answer.status).toBe(400);
    const { error } = errorSchema.parse(JSON.parse(answer.text));
    expect(error.param).toBe(param);
    expect(error.message).toMatch(words);
    expect(error.type).toBe("invalid_request_error");
    expect(error.code).not.toBeNull();
    expect(server.refusals.at(-1)).toBe(error.message);
  });

  it("names the field even where it is only accepted elsewhere", async () => {
    const lenient = await startModelServer({
      script: { accepts: ["reasoning_content", "provider"], turns: [{ answer: [{ text: "ok" }] }] },
    });
    const history = [USER, assistant("a", { reasoning_content: "b" }), USER];
    const answer = await post(lenient, { messages: history, provider: { order: [] } });
    expect(answer.status).toBe(200);
    await lenient.close();
  });
});

describe("what is no chat request at all", () => {
  const chat = JSON.stringify(body());

  it.each([
    ["a body that is no JSON", { body: "{" }, 400, "invalid_json"],
    [
      "broken UTF-8",
      { body: Buffer.concat([Buffer.from(chat), Buffer.from([0xe7, 0x8c])]) },
      400,
      "invalid_json",
    ],
    [
      "another content type",
      { body: chat, headers: { "content-type": "text/plain" } },
      400,
      "invalid_content_type",
    ],
    [
      "a content type that only begins alike",
      { body: chat, headers: { "content-type": "application/jsonl" } },
      400,
      "invalid_content_type",
    ],
    ["another method", { method: "GET" }, 405, "method_not_allowed"],
    ["a POST to the models", { path: "/v1/models", body: "{}" }, 405, "method_not_allowed"],
    ["a path that doubles", { path: "/v1/v1/chat/completions", body: chat }, 404, "unknown_url"],
  ])("%s", async (_name, options, status, code) => {
    const answer = await send(server, options);
    expect(answer.status).toBe(status);
    expect(errorSchema.parse(JSON.parse(answer.text)).error.code).toBe(code);
    if (status === 405) expect(answer.headers.allow).toBeDefined();
  });

  it("takes a charset beside the content type", async () => {
    const answer = await send(server, {
      body: chat,
      headers: { "content-type": "application/json; charset=utf-8" },
    });
    expect(answer.status).toBe(200);
  });
});
