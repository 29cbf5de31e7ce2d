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
    [
      "a tool result at the end",
      messages(user, calling(callOf("a", '{"path":"x"}')), result("a", [{ type: "text", text: "t" }])),
    ],
    ["text beside tool calls", messages(user, { ...calling(callOf("a")), content: "I look." }, result("a"))],
    ["user after user", messages(user, user)],
    ["a well-formed emoji", messages({ role: "user", content: "🐈" })],
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
    [
      "a strict tool",
      toolWith(
        {
          type: "object",
          properties: { a: { type: "string" } },
          required: ["a"],
          additionalProperties: false,
        },
        "f",
        { strict: true },
      ),
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

/** Name, changes to a valid request, the param that the error must name, words in its message. */
const faults: [string, Body, string | null, RegExp][] = [
  ["no model", { model: undefined }, "model", /model/],
  ["an empty model", { model: "" }, "model", /model/],
  ["a model that is no string", { model: 4 }, "model", /model/],
  ["no messages", { messages: undefined }, "messages", /Missing.*messages/],
  ["messages that are no array", { messages: user }, "messages", /array/],
  ["empty messages", { messages: [] }, "messages", /empty array/],
  ["a message that is no object", messages("hi"), "messages[0]", /object/],
  ["an unknown role", messages(user, { role: "human", content: "x" }), "messages[1].role", /human/],
  ["no role", messages({ content: "x" }), "messages[0].role", /role/],
  [
    "a late system message",
    messages(user, { role: "system", content: "s" }),
    "messages[1].role",
    /system message must come first/,
  ],
  [
    "a late developer message",
    messages(user, { role: "developer", content: "s" }),
    "messages[1].role",
    /developer/,
  ],
  [
    "an assistant that begins",
    messages({ role: "system", content: "s" }, { role: "assistant", content: "x" }, user),
    "messages[1].role",
    /begin with a user/,
  ],
  [
    "an assistant at the end",
    messages(user, { role: "assistant", content: "x" }),
    "messages[1].role",
    /last message/,
  ],
  ["only a system message", messages({ role: "system", content: "s" }), "messages[0].role", /last message/],
  ["an empty string", messages({ role: "user", content: "" }), "messages[0].content", /empty/],
  ["white space only", messages({ role: "user", content: " \n" }), "messages[0].content", /empty/],
  ["no parts", messages({ role: "user", content: [] }), "messages[0].content", /empty/],
  [
    "an empty text part",
    messages({
      role: "user",
      content: [
        { type: "text", text: "a" },
        { type: "text", text: "" },
      ],
    }),
    "messages[0].content[1].text",
    /empty/,
  ],
  [
    "a text part without text",
    messages({ role: "user", content: [{ type: "text" }] }),
    "messages[0].content[0].text",
    /string/,
  ],
  ["no content for a user", messages({ role: "user" }), "messages[0].content", /needs content/],
  [
    "content of a wrong type",
    messages({ role: "user", content: 5 }),
    "messages[0].content",
    /string or an array/,
  ],
  [
    "an assistant with null and no calls",
    messages(user, { role: "assistant", content: null }, user),
    "messages[1].content",
    /needs content/,
  ],
  [
    "an assistant with nothing",
    messages(user, { role: "assistant" }, user),
    "messages[1].content",
    /needs content/,
  ],
  [
    "an assistant with an empty string beside calls",
    messages(user, { ...calling(callOf("a")), content: "" }, result("a")),
    "messages[1].content",
    /empty/,
  ],
  [
    "an empty tool result",
    messages(user, calling(callOf("a")), result("a", "")),
    "messages[2].content",
    /empty/,
  ],
  [
    "an unknown part type",
    messages({ role: "user", content: [{ type: "file", file: {} }] }),
    "messages[0].content[0].type",
    /file/,
  ],
  [
    "an image of the assistant",
    messages(user, { role: "assistant", content: [image] }, user),
    "messages[1].content[0]",
    /image/,
  ],
  [
    "an image in a tool message",
    messages(user, calling(callOf("a")), result("a", [image])),
    "messages[2].content[0]",
    /image/,
  ],
  [
    "an image in the system prompt",
    messages({ role: "system", content: [image] }, user),
    "messages[0].content[0]",
    /image/,
  ],
  [
    "an image that is no data URL",
    messages({ role: "user", content: [{ type: "image_url", image_url: { url: "pic.png" } }] }),
    "messages[0].content[0].image_url.url",
    /data URL/,
  ],
  [
    "an image without data",
    messages({
      role: "user",
      content: [{ type: "image_url", image_url: { url: "data:image/png;base64," } }],
    }),
    "messages[0].content[0].image_url.url",
    /data URL/,
  ],
  ["an unknown message field", messages({ ...user, id: "x" }), "messages[0].id", /Unknown parameter/],
  [
    "reasoning sent back",
    messages(user, { role: "assistant", content: "a", reasoning_content: "b" }, user),
    "messages[1].reasoning_content",
    /Unknown/,
  ],
  ["empty tool_calls", messages(user, calling(), user), "messages[1].tool_calls", /empty array/],
  [
    "tool_calls that are no array",
    messages(user, { role: "assistant", content: "x", tool_calls: {} }, user),
    "messages[1].tool_calls",
    /array/,
  ],
  [
    "a call without a result",
    messages(user, calling(callOf("a")), user),
    "messages[1]",
    /did not have response messages.*: a$/,
  ],
  [
    "one of two calls without a result",
    messages(user, calling(callOf("a"), callOf("b")), result("a"), user),
    "messages[1]",
    /: b$/,
  ],
  [
    "a call without a result at the end",
    messages(user, calling(callOf("a"), callOf("b")), result("a")),
    "messages[1]",
    /: b$/,
  ],
  [
    "a result after something else",
    messages(user, calling(callOf("a")), user, result("a")),
    "messages[1]",
    /did not have/,
  ],
  [
    "a result given twice",
    messages(user, calling(callOf("a")), result("a"), result("a")),
    "messages[3].tool_call_id",
    /already/,
  ],
  [
    "a result without any call",
    messages(user, result("a")),
    "messages[1].role",
    /preceding message with 'tool_calls'/,
  ],
  ["a result first", messages(result("a")), "messages[0].role", /preceding/],
  [
    "a result for an unknown id",
    messages(user, calling(callOf("a")), result("b")),
    "messages[2].tool_call_id",
    /'b'/,
  ],
  [
    "a result without an id",
    messages(user, calling(callOf("a")), result(undefined)),
    "messages[2].tool_call_id",
    /Missing/,
  ],
  [
    "an id twice in a message",
    messages(user, calling(callOf("a"), callOf("a")), result("a")),
    "messages[1].tool_calls[1].id",
    /Duplicate/,
  ],
  [
    "an id twice in the history",
    messages(user, calling(callOf("a")), result("a"), calling(callOf("a")), result("a")),
    "messages[3].tool_calls[0].id",
    /Duplicate/,
  ],
  [
    "a call without an id",
    messages(user, calling(callOf("")), result("")),
    "messages[1].tool_calls[0].id",
    /Missing/,
  ],
  [
    "a call of another type",
    messages(user, calling({ ...callOf("a"), type: "custom" }), result("a")),
    "messages[1].tool_calls[0].type",
    /function/,
  ],
  [
    "a call with a bad name",
    messages(user, calling(callOf("a", "{}", "read file")), result("a")),
    "messages[1].tool_calls[0].function.name",
    /read file/,
  ],
  [
    "arguments that are an object",
    messages(user, calling(callOf("a", { path: "x" })), result("a")),
    "messages[1].tool_calls[0].function.arguments",
    /expected a string, got object/,
  ],
  [
    "arguments that are no JSON",
    messages(user, calling(callOf("a", '{"path":')), result("a")),
    "messages[1].tool_calls[0].function.arguments",
    /not valid JSON/,
  ],
  [
    "arguments that are empty",
    messages(user, calling(callOf("a", "")), result("a")),
    "messages[1].tool_calls[0].function.arguments",
    /not valid JSON/,
  ],
  [
    "arguments that are no object",
    messages(user, calling(callOf("a", "[1]")), result("a")),
    "messages[1].tool_calls[0].function.arguments",
    /JSON object/,
  ],
  [
    "a lone surrogate in text",
    messages({ role: "user", content: "a\ud83d" }),
    "messages[0].content",
    /lone surrogate/,
  ],
  [
    "a lone surrogate in a tool",
    toolWith({ type: "object", properties: {} }, "f", { description: "\udc08" }),
    "tools[0].function.description",
    /lone surrogate/,
  ],
  ["empty tools", { tools: [] }, "tools", /empty array/],
  ["a tool of a wrong shape", { tools: [{ name: "f" }] }, "tools[0]", /function/],
  ["a bad tool name", toolWith({ type: "object" }, "read file"), "tools[0].function.name", /read file/],
  ["a tool name too long", toolWith({ type: "object" }, "f".repeat(65)), "tools[0].function.name", /match/],
  ["a tool twice", { tools: [anyTool, anyTool].flat() }, "tools[1].function.name", /unique/],
  [
    "parameters of another type",
    toolWith({ type: "string" }),
    "tools[0].function.parameters",
    /type: "string"/,
  ],
  ["parameters without a type", toolWith({}), "tools[0].function.parameters", /object/],
  [
    "an unknown schema type",
    properties({ a: { type: "text" } }),
    "tools[0].function.parameters",
    /'a'.*"text"/,
  ],
  [
    "an unknown type in a list",
    properties({ a: { type: ["string", "nil"] } }),
    "tools[0].function.parameters",
    /"nil"/,
  ],
  [
    "an unknown type deep inside",
    properties({ a: { type: "array", items: { type: "object", properties: { b: { type: "int" } } } } }),
    "tools[0].function.parameters",
    /'items', 'properties', 'b'/,
  ],
  [
    "a required name that is no property",
    properties({ a: { type: "string" } }, { required: ["b"] }),
    "tools[0].function.parameters",
    /"b"/,
  ],
  [
    "an array without items",
    properties({ a: { type: "array" } }),
    "tools[0].function.parameters",
    /missing items/,
  ],
  [
    "an unresolved reference",
    properties({ a: { $ref: "#/$defs/none" } }),
    "tools[0].function.parameters",
    /can not be resolved/,
  ],
  [
    "a reference elsewhere",
    properties({ a: { $ref: "https://example.com/x.json" } }),
    "tools[0].function.parameters",
    /reference/,
  ],
  ["an empty enum", properties({ a: { type: "string", enum: [] } }), "tools[0].function.parameters", /enum/],
  [
    "properties that are no object",
    toolWith({ type: "object", properties: [] }),
    "tools[0].function.parameters",
    /properties/,
  ],
  [
    "a property that is no schema",
    properties({ a: "string" }),
    "tools[0].function.parameters",
    /not a schema/,
  ],
  [
    "a strict tool with something optional",
    toolWith({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }, "f", {
      strict: true,
    }),
    "tools[0].function.parameters",
    /strict/,
  ],
  ["tool_choice without tools", { tool_choice: "auto" }, "tool_choice", /tools/],
  ["parallel_tool_calls without tools", { parallel_tool_calls: true }, "parallel_tool_calls", /tools/],
  [
    "a tool_choice that is unknown",
    { tools: anyTool, tool_choice: { type: "function", function: { name: "g" } } },
    "tool_choice",
    /'g'/,
  ],
  ["a tool_choice of another kind", { tools: anyTool, tool_choice: "any" }, "tool_choice", /required/],
  ["a temperature too high", { temperature: 2.1 }, "temperature", /0\.\.2/],
  ["a temperature too low", { temperature: -1 }, "temperature", /0\.\.2/],
  ["a temperature that is text", { temperature: "1" }, "temperature", /number/],
  ["max_tokens of zero", { max_tokens: 0 }, "max_tokens", /positive integer/],
  ["max_tokens with a fraction", { max_tokens: 1.5 }, "max_tokens", /positive integer/],
  ["max_completion_tokens below zero", { max_completion_tokens: -5 }, "max_completion_tokens", /positive/],
  ["both limits", { max_tokens: 5, max_completion_tokens: 5 }, "max_tokens", /same time/],
  ["a stream that is text", { stream: "true" }, "stream", /boolean/],
  [
    "stream_options without a stream",
    { stream_options: { include_usage: true } },
    "stream_options",
    /only allowed when 'stream'/,
  ],
  [
    "an unknown stream option",
    { stream: true, stream_options: { usage: true } },
    "stream_options.usage",
    /Unknown/,
  ],
  ["several choices", { n: 2 }, "n", /n = 1/],
  ["an unknown parameter", { max_token: 5 }, "max_token", /Unrecognized request argument/],
];

describe("a request at fault gets a 400 that names the fault", () => {
  it.each(faults)("%s", async (_name, changes, param, words) => {
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
    ["no body", {}, 400, "invalid_json"],
    ["a body that is no object", { body: "[]" }, 400, "invalid_type"],
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
    ["another path", { path: "/chat/completions", body: text }, 404, "unknown_url"],
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
