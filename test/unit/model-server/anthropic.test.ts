/** The Messages API as the server plays it: what it refuses, with which reason, and what it answers. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type ModelServer, type Script, startModelServer } from "../../model-server/server.ts";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer({ script: say([{ text: "Hello" }]) });
});
afterEach(() => server.close());

function say(answer: Script["turns"][number]["answer"], more: Partial<Script> = {}): Script {
  return { turns: [{ times: true, answer }], chunkSize: 4, ...more };
}

const HEADERS = { "content-type": "application/json", "anthropic-version": "2023-06-01", "x-api-key": "k" };
const text = (words: string) => ({ type: "text", text: words });
const user = (...content: unknown[]) => ({ role: "user", content });
const assistant = (...content: unknown[]) => ({ role: "assistant", content });
const call = (id = "a", input: unknown = {}) => ({ type: "tool_use", id, name: "read_file", input });
const result = (id = "a", content: unknown = "text") => ({ type: "tool_result", tool_use_id: id, content });
const tools = [
  { name: "read_file", description: "Reads.", input_schema: { type: "object", properties: {} } },
];
const valid = { model: "m", max_tokens: 4_096, messages: [user(text("hi"))], tools };
const thinking = { type: "enabled", budget_tokens: 1_024 };
const mark = { cache_control: { type: "ephemeral" } };

async function post(body: unknown, headers: Record<string, string> = HEADERS) {
  const response = await fetch(`${server.url}/messages`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  });
  const answer = await response.text();
  return { status: response.status, text: answer };
}

const messageSchema = z.object({
  content: z.array(z.looseObject({ type: z.string() })),
  stop_reason: z.string(),
  usage: z.record(z.string(), z.number()).optional(),
});

async function ask(body: unknown, headers = HEADERS) {
  const { status, text: answer } = await post(body, headers);
  expect(answer).toContain('"type":"message"');
  expect(status).toBe(200);
  return messageSchema.parse(JSON.parse(answer));
}

describe("refuses", () => {
  const following = (...messages: unknown[]) => ({ ...valid, messages: [user(text("hi")), ...messages] });
  const last = user(text("go on"));
  it.each<[string, unknown, string]>([
    ["no max_tokens", { ...valid, max_tokens: undefined }, "max_tokens: Field required"],
    ["an unknown field", { ...valid, n: 1 }, "n: Extra inputs are not permitted"],
    ["a field of another API", { ...valid, reasoning_effort: "low" }, "reasoning_effort: Extra inputs"],
    [
      "max_tokens within the budget",
      { ...valid, thinking, max_tokens: 1_024 },
      "`max_tokens` must be greater than",
    ],
    [
      "a small budget",
      { ...valid, thinking: { ...thinking, budget_tokens: 9 } },
      "greater than or equal to 1024",
    ],
    [
      "temperature with thinking",
      { ...valid, thinking, temperature: 0.5 },
      "`temperature` may only be set to 1",
    ],
    ["a temperature of another API", { ...valid, temperature: 1.5 }, "temperature: range: 0..1"],
    ["an effort of another API", { ...valid, output_config: { effort: "minimal" } }, "output_config.effort"],
    ["a system message", following({ role: "system", content: "s" }), 'Unexpected role "system"'],
    [
      "a beginning by the model",
      { ...valid, messages: [assistant(text("hi")), last] },
      'must use the "user" role',
    ],
    ["roles in a row", following(last), "roles must alternate"],
    ["an end by the model", following(assistant(text("hi"))), "does not support assistant message prefill"],
    ["trailing white space", following(assistant(text("hi "))), "cannot end with trailing whitespace"],
    ["an empty text", following(assistant(text("")), last), "text content blocks must be non-empty"],
    ["a blank text", following(assistant(text(" \n")), last), "must contain non-whitespace text"],
    ["an empty message", following(assistant(), last), "all messages must have non-empty content"],
    [
      "a call without result",
      following(assistant(call()), last),
      "`tool_use` ids were found without `tool_result`",
    ],
    [
      "a result too late",
      following(assistant(call()), last, assistant(text("x")), user(result())),
      "without `tool_result`",
    ],
    [
      "a result after text",
      following(assistant(call()), user(text("x"), result())),
      "must come before all other content",
    ],
    [
      "two results",
      following(assistant(call()), user(result(), result())),
      "each tool_use must have a single result",
    ],
    ["a result of no call", following(assistant(text("x")), user(result("b"))), "unexpected `tool_use_id`"],
    [
      "the same id twice",
      following(assistant(call()), user(result()), assistant(call()), user(result())),
      "`tool_use` ids must be unique",
    ],
    ["an id with a colon", following(assistant(call("a:1")), user(result("a:1"))), "should match pattern"],
    [
      "arguments as text",
      following(assistant(call("a", "{}")), user(result())),
      "tool_use.input: Input should be a valid",
    ],
    [
      "calls without tools",
      { ...following(assistant(call()), user(result())), tools: undefined },
      "must define tools",
    ],
    [
      "text after a call",
      following(assistant(call(), text("x")), user(result())),
      "`text` blocks must come before",
    ],
    [
      "an empty text in a result",
      following(assistant(call()), user(result("a", [text("")]))),
      "must be non-empty",
    ],
    [
      "a call by the user",
      following(assistant(text("x")), user(call())),
      "not allowed in a message with role user",
    ],
    [
      "an image by the model",
      following(assistant({ type: "image", source: {} }), last),
      "not allowed in a message",
    ],
    [
      "another format of image",
      {
        ...valid,
        messages: [user({ type: "image", source: { type: "base64", media_type: "image/bmp", data: "AA" } })],
      },
      "media_type: Input should be",
    ],
    [
      "five marks",
      { ...valid, messages: [user(...Array.from({ length: 5 }, () => ({ ...text("x"), ...mark })))] },
      "A maximum of 4 blocks with cache_control may be provided. Found 5.",
    ],
    [
      "thinking without a signature",
      following(assistant({ type: "thinking", thinking: "x" }, text("y")), last),
      "signature: Field required",
    ],
    [
      "a signature of another server",
      following(assistant({ type: "thinking", thinking: "x", signature: "c2ln" }, text("y")), last),
      "Invalid `signature` in `thinking` block (not issued by this server)",
    ],
    [
      "a call without thinking",
      { ...following(assistant(call()), user(result())), thinking },
      "Expected `thinking`",
    ],
    ["a tool without schema", { ...valid, tools: [{ name: "t" }] }, "input_schema: Field required"],
    ["two tools of one name", { ...valid, tools: [...tools, ...tools] }, "Tool names must be unique"],
    ["half a surrogate pair", { ...valid, messages: [user(text("\ud83d"))] }, "lone surrogate"],
  ])("%s", async (_, body, reason) => {
    const { status, text: answer } = await post(body);
    expect(answer).toContain(JSON.stringify(reason).slice(1, -1));
    expect(JSON.parse(answer)).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(status).toBe(400);
    expect(server.refusals).toHaveLength(1);
  });

  it("no version, and another key", async () => {
    const { "anthropic-version": _, ...old } = HEADERS;
    expect((await post(valid, old)).text).toContain("anthropic-version: header is required");
    server.setScript(say([{ text: "Hello" }], { apiKey: "secret" }));
    expect(await post(valid)).toMatchObject({
      status: 401,
      text: expect.stringContaining("authentication_error"),
    });
    expect(await post(valid, { ...HEADERS, "x-api-key": "secret" })).toMatchObject({ status: 200 });
  });

  it("a form of thinking that the model does not have", async () => {
    server.setScript(say([{ text: "Hello" }], { thinkingForm: "adaptive" }));
    expect((await post({ ...valid, thinking })).text).toContain('Use \\"thinking.type.adaptive\\"');
    server.setScript(say([{ text: "Hello" }], { thinkingForm: "budget" }));
    const adaptive = { ...valid, thinking: { type: "adaptive" } };
    expect((await post(adaptive)).text).toContain("adaptive thinking is not supported");
  });
});

describe("thinking", () => {
  const asked = { ...valid, thinking };
  const scripted = say([
    { reasoning: "I read 猫." },
    { reasoning: "secret", hidden: true },
    { nativeTool: { name: "read_file", params: { path: "a" } } },
  ]);
  const goOn = (body: object, content: readonly Record<string, unknown>[]) => ({
    ...body,
    messages: [user(text("hi")), assistant(...content), user(result(String(content.at(-1)?.id)))],
  });

  beforeEach(() => server.setScript(scripted));

  it("is taken back as it was, and nowhere else", async () => {
    const { content } = await ask(asked);
    expect(content.map(({ type }) => type)).toEqual(["thinking", "redacted_thinking", "tool_use"]);
    await ask(goOn(asked, content));
    const [first = { type: "" }, second = { type: "" }, made = { type: "" }] = content;
    const changed = { ...first, thinking: "I read." };
    const forged = { ...second, data: String(second.data).replace(/.$/, "A") };
    for (const [blocks, reason] of [
      [[changed, second, made], "issued for another text"],
      [[first, { ...second, data: `x${String(second.data)}` }, made], "not issued by this server"],
      [[first, forged, made], "for another text"],
      [[second, first, made], "cannot be modified"],
      [[first, made], "cannot be modified"],
      [[made], "Expected `thinking` or `redacted_thinking`, but found `tool_use`"],
    ] as const) {
      expect((await post(goOn(asked, blocks))).text).toContain(reason);
    }
    expect((await post(goOn({ ...asked, model: "other" }, content))).text).toContain(
      "issued for another model",
    );
    const off = { ...asked, thinking: { type: "disabled" } };
    expect((await post(goOn(off, content))).text).toContain(
      "not accepted in a turn while `thinking` is disabled",
    );
    const another = await startModelServer({ script: scripted });
    const response = await fetch(`${another.url}/messages`, {
      method: "POST",
      headers: HEADERS,
      body: JSON.stringify(goOn(asked, content)),
    });
    expect(await response.text()).toContain("not issued by this server");
    await another.close();
  });

  it("cannot end a message", async () => {
    const { content } = await ask(asked);
    const cut = { ...asked, messages: [user(text("hi")), assistant(content[0]), user(text("go on"))] };
    expect((await post(cut)).text).toContain("The final block in an assistant message cannot be `thinking`");
  });

  it("is not sent to those who did not ask for it", async () => {
    const { content } = await ask(valid);
    expect(content.map(({ type }) => type)).toEqual(["tool_use"]);
  });
});

it("streams the blocks of an answer one after another", async () => {
  server.setScript(
    say(
      [
        { reasoning: "Hm." },
        { text: "Reading." },
        { nativeTool: { name: "read_file", params: { path: "a" }, id: "t1" } },
        { nativeTool: { name: "read_file", id: "t2" } },
      ],
      { interleave: true },
    ),
  );
  const { text: stream } = await post({ ...valid, thinking, stream: true });
  const events = [...stream.matchAll(/^event: (.*)\ndata: (.*)$/gm)].map(([, name, data = ""]) => {
    const { type, index, delta, content_block: block } = JSON.parse(data);
    expect(type).toBe(name);
    return [type, index, delta?.type ?? block?.type].filter((value) => value !== undefined).join(" ");
  });
  expect(events).toEqual([
    "message_start",
    "ping",
    "content_block_start 0 thinking",
    "content_block_delta 0 thinking_delta",
    "content_block_delta 0 signature_delta",
    "content_block_stop 0",
    "content_block_start 1 text",
    "content_block_delta 1 text_delta",
    "content_block_delta 1 text_delta",
    "content_block_stop 1",
    "content_block_start 2 tool_use",
    "content_block_delta 2 input_json_delta",
    "content_block_delta 2 input_json_delta",
    "content_block_delta 2 input_json_delta",
    "content_block_stop 2",
    "content_block_start 3 tool_use",
    "content_block_delta 3 input_json_delta",
    "content_block_stop 3",
    "message_delta",
    "message_stop",
  ]);
});

it("caches up to the marks alone, and counts what it reads and keeps apart", async () => {
  const long = "word ".repeat(2_000);
  const first = [{ ...text(long), ...mark }, text("?")];
  const one = await ask({ ...valid, messages: [user(...first)] });
  expect(one.usage?.cache_read_input_tokens).toBe(0);
  expect(one.usage?.cache_creation_input_tokens).toBeGreaterThan(2_400);
  const two = await ask({ ...valid, messages: [user(...first), assistant(text("a")), user(text("b"))] });
  expect(two.usage?.cache_read_input_tokens).toBe(one.usage?.cache_creation_input_tokens);
  const unmarked = [user(text(long), text("?")), assistant(text("a")), user(text("b"))];
  expect((await ask({ ...valid, messages: unmarked })).usage?.cache_read_input_tokens).toBe(0);
});

it("lists models in the form of the API", async () => {
  server.setScript(say([], { models: ["a", { id: "b", max_input_tokens: 200_000 }] }));
  const response = await fetch(`${server.url}/models`, { headers: HEADERS });
  expect(await response.json()).toMatchObject({
    data: [
      { type: "model", id: "a", display_name: "a" },
      { type: "model", id: "b", max_input_tokens: 200_000 },
    ],
    has_more: false,
  });
});
