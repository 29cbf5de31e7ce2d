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

const user = { role: "user", content: "hi" };
const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image_url", image_url: { url: pixel } };

function callOf(id: unknown, args: unknown = "{}", name: unknown = "f"): Body {
  return { id, type: "function", function: { name, arguments: args } };
}
function calling(...calls: Body[]): Body {
  return { role: "assistant", content: null, tool_calls: calls };
}
function result(id: unknown, content: unknown = "done"): Body {
  return { role: "tool", tool_call_id: id, content };
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
    ["parts", messages({ role: "user", content: [{ type: "text", text: "look" }, image] })],
    [
      "system first, several of them",
      messages({ role: "system", content: "s" }, { role: "developer", content: "d" }, user),
    ],
    [
      "tool calls answered in any order",
      messages(user, calling(callOf("a"), callOf("b")), result("b"), result("a"), user),
    ],
    ["text beside tool calls", messages(user, { ...calling(callOf("a")), content: "I look." }, result("a"))],
    [
      "a remote image",
      messages({
        role: "user",
        content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }],
      }),
    ],
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

/** The param that the error must name, words in its message, and what is wrong with the request. */
const faults: [string | null, RegExp, Body][] = [
  ["model", /model/, { model: undefined }],
  ["messages", /Missing.*messages/, { messages: undefined }],
  ["messages", /array/, { messages: user }],
  ["messages[1].role", /human/, messages(user, { role: "human", content: "x" })],
  ["messages[1].role", /system message must come first/, messages(user, { role: "system", content: "s" })],
  [
    "messages[1].role",
    /begin with a user/,
    messages({ role: "system", content: "s" }, { role: "assistant", content: "x" }, user),
  ],
  ["messages[1].role", /last message/, messages(user, { role: "assistant", content: "x" })],
  ["messages[0].content", /empty/, messages({ role: "user", content: "" })],
  ["messages[0].content", /empty/, messages({ role: "user", content: " \n" })],
  [
    "messages[0].content[1].text",
    /empty/,
    messages({
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "" },
      ],
    }),
  ],
  ["messages[0].content", /needs content/, messages({ role: "user" })],
  ["messages[1].content", /needs content/, messages(user, { role: "assistant", content: null }, user)],
  ["messages[1].content", /empty/, messages(user, { ...calling(callOf("a")), content: "" }, result("a"))],
  ["messages[2].content", /empty/, messages(user, calling(callOf("a")), result("a", ""))],
  ["messages[0].content[0].type", /file/, messages({ role: "user", content: [{ type: "file", file: {} }] })],
  ["messages[1].content[0]", /image/, messages(user, { role: "assistant", content: [image] }, user)],
  ["messages[2].content[0]", /image/, messages(user, calling(callOf("a")), result("a", [image]))],
  ["messages[0].content[0]", /image/, messages({ role: "system", content: [image] }, user)],
  [
    "messages[0].content[0].image_url.url",
    /data URL/,
    messages({ role: "user", content: [{ type: "image_url", image_url: { url: "pic.png" } }] }),
  ],
  ["messages[0].id", /Unknown parameter/, messages({ ...user, id: "x" })],
  [
    "messages[1].reasoning_content",
    /Unknown/,
    messages(user, { role: "assistant", content: "a", reasoning_content: "b" }, user),
  ],
  ["messages[1].tool_calls", /empty array/, messages(user, calling(), user)],
  ["messages[1]", /did not have response messages.*: a$/, messages(user, calling(callOf("a")), user)],
  ["messages[1]", /: b$/, messages(user, calling(callOf("a"), callOf("b")), result("a"), user)],
  ["messages[3].tool_call_id", /already/, messages(user, calling(callOf("a")), result("a"), result("a"))],
  ["messages[1].role", /preceding message with 'tool_calls'/, messages(user, result("a"))],
  ["messages[2].tool_call_id", /'b'/, messages(user, calling(callOf("a")), result("b"))],
  ["messages[2].tool_call_id", /Missing/, messages(user, calling(callOf("a")), result(undefined))],
  [
    "messages[1].tool_calls[1].id",
    /Duplicate/,
    messages(user, calling(callOf("a"), callOf("a")), result("a")),
  ],
  ["messages[1].tool_calls[0].id", /Missing/, messages(user, calling(callOf("")), result(""))],
  [
    "messages[1].tool_calls[0].type",
    /function/,
    messages(user, calling({ ...callOf("a"), type: "custom" }), result("a")),
  ],
  [
    "messages[1].tool_calls[0].function.name",
    /read file/,
    messages(user, calling(callOf("a", "{}", "read file")), result("a")),
  ],
  [
    "messages[1].tool_calls[0].function.arguments",
    /expected a string, got object/,
    messages(user, calling(callOf("a", { path: "x" })), result("a")),
  ],
  [
    "messages[1].tool_calls[0].function.arguments",
    /not valid JSON/,
    messages(user, calling(callOf("a", '{"path":')), result("a")),
  ],
  [
    "messages[1].tool_calls[0].function.arguments",
    /JSON object/,
    messages(user, calling(callOf("a", "[1]")), result("a")),
  ],
  ["messages[0].content", /lone surrogate/, messages({ role: "user", content: "a\ud83d" })],
  ["tools", /empty array/, { tools: [] }],
  ["tools[0].function.name", /read file/, toolWith({ type: "object" }, "read file")],
  ["tools[1].function.name", /unique/, { tools: [anyTool, anyTool].flat() }],
  ["tools[0].function.parameters", /type: "string"/, toolWith({ type: "string" })],
  ["tools[0].function.parameters", /'a'.*"text"/, properties({ a: { type: "text" } })],
  [
    "tools[0].function.parameters",
    /'items', 'properties', 'b'/,
    properties({ a: { type: "array", items: { type: "object", properties: { b: { type: "int" } } } } }),
  ],
  ["tools[0].function.parameters", /"b"/, properties({ a: { type: "string" } }, { required: ["b"] })],
  ["tools[0].function.parameters", /missing items/, properties({ a: { type: "array" } })],
  ["tools[0].function.parameters", /reference/, properties({ a: { $ref: "https://example.com/x.json" } })],
  ["tools[0].function.parameters", /enum/, properties({ a: { type: "string", enum: [] } })],
  ["tools[0].function.parameters", /not a schema/, properties({ a: "string" })],
  [
    "tools[0].function.parameters",
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
    const history = [user, { role: "assistant", content: "a", reasoning_content: "b" }, user];
    const answer = await post(lenient, { messages: history, provider: { order: [] } });
    expect(answer.status).toBe(200);
    await lenient.close();
  });
});

describe("what is no chat request at all", () => {
  const text = JSON.stringify(body());

  it.each([
    ["a body that is no JSON", { body: "{" }, 400, "invalid_json"],
    [
      "broken UTF-8",
      { body: Buffer.concat([Buffer.from(text), Buffer.from([0xe7, 0x8c])]) },
      400,
      "invalid_json",
    ],
    [
      "another content type",
      { body: text, headers: { "content-type": "text/plain" } },
      400,
      "invalid_content_type",
    ],
    [
      "a content type that only begins alike",
      { body: text, headers: { "content-type": "application/jsonl" } },
      400,
      "invalid_content_type",
    ],
    ["another method", { method: "GET" }, 405, "method_not_allowed"],
    ["a POST to the models", { path: "/v1/models", body: "{}" }, 405, "method_not_allowed"],
    ["a path that doubles", { path: "/v1/v1/chat/completions", body: text }, 404, "unknown_url"],
  ])("%s", async (_name, options, status, code) => {
    const answer = await send(server, options);
    expect(answer.status).toBe(status);
    expect(errorSchema.parse(JSON.parse(answer.text)).error.code).toBe(code);
    if (status === 405) expect(answer.headers.allow).toBeDefined();
  });

  it("takes a charset beside the content type", async () => {
    const answer = await send(server, {
      body: text,
      headers: { "content-type": "application/json; charset=utf-8" },
    });
    expect(answer.status).toBe(200);
  });
});
