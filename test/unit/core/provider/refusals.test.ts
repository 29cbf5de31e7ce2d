/** How endpoints refuse, and what people do wrong in setting one up: each has words that say what to change. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { mayRetry, retryDelay } from "../../../../src/core/provider/adaptations.ts";
import { type Message, messageSchema } from "../../../../src/shared/message.ts";
import { delta, stream } from "../../../support/raw-stream.ts";
import { type Endpoint, ended, startEndpoint } from "./endpoint.ts";

let endpoint: Endpoint;
beforeAll(async () => {
  endpoint = await startEndpoint();
});
afterAll(() => endpoint.close());
beforeEach(() => {
  endpoint.heard.length = 0;
});

const JSON_TYPE = { "content-type": "application/json" };
const message = (text: string, more = {}) => JSON.stringify({ error: { message: text, ...more } });
const fine = { body: stream(delta({ content: "Fine." }), ended) };

describe("a refusal is named", () => {
  it.each<[number, string, string, boolean, RegExp?]>([
    [401, message("Incorrect API key"), "bad-key", false],
    [403, message("Invalid API key"), "bad-key", false],
    [403, message("Your request was flagged by the moderation of the provider"), "bad-request", false],
    [
      403,
      "<html><head><title>Just a moment...</title></head></html>",
      "bad-request",
      false,
      /^Just a moment/,
    ],
    [402, message("Insufficient credits"), "bad-request", false],
    [404, "404 page not found", "wrong-address", false],
    [404, '{"detail":"Not Found"}', "wrong-address", false],
    [404, "", "wrong-address", false],
    [405, '{"detail":"Method Not Allowed"}', "wrong-address", false],
    [404, message('model "m" not found, try pulling it first'), "unknown-model", false],
    [404, message("No endpoints found for vendor/thing."), "unknown-model", false],
    [400, message("vendor/thing is not a valid model ID"), "unknown-model", false],
    [408, message("Timeout"), "server-error", true],
    [
      413,
      "<html><head><title>413 Request Entity Too Large</title></head></html>",
      "request-too-large",
      false,
    ],
    [413, message("Payload too large"), "request-too-large", false],
    [400, message("request body too large"), "request-too-large", false],
    [413, message("Request too large: 9000 tokens"), "context-length", false],
    [422, '{"detail":[{"loc":["body","x"],"msg":"extra"}]}', "bad-request", false, /extra/],
    [429, message("Rate limit reached"), "rate-limited", true],
    [429, message("You exceeded your current quota", { code: "insufficient_quota" }), "rate-limited", false],
    [500, "<html><head><title>500</title></head></html>", "server-error", true],
    [502, "", "server-error", true],
    [
      529,
      JSON.stringify({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
      "server-error",
      true,
    ],
    [400, message("Failed to call a function.", { code: "tool_use_failed" }), "bad-request", true],
    [
      400,
      message("Provider returned error", {
        code: 400,
        metadata: { provider_name: "Acme", raw: '{"error":{"message":"temperature is too high"}}' },
      }),
      "bad-request",
      false,
      /Provider returned error \(Acme\) temperature is too high/,
    ],
  ])("%i %s", async (status, body, code, transient, words = /^/) => {
    endpoint.say({
      status,
      headers: body.startsWith("{") ? JSON_TYPE : { "content-type": "text/html" },
      body,
    });
    const { error } = await endpoint.ask();
    expect(error?.view.code).toBe(code);
    expect(error?.transient).toBe(transient);
    expect(error?.view.detail ?? "").toMatch(words);
  });

  it.each([
    "registry/m does not support tools",
    '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
    "tools param requires --jinja flag",
    "`tool calling` is not supported with this model",
    "No endpoints found that support tool use. To learn more about provider routing, visit the docs",
  ])("no native calls: %s", async (text) => {
    const { saysToolsUnsupported } = await import("../../../../src/core/provider/failures.ts");
    for (const status of [400, 404, 500]) {
      endpoint.say({ status, headers: JSON_TYPE, body: message(text) });
      const { error } = await endpoint.ask();
      expect(error && saysToolsUnsupported(error)).toBe(true);
    }
  });

  it("in JSON that does not say so", async () => {
    endpoint.say({
      status: 400,
      headers: { "content-type": "application/octet-stream" },
      body: message("why"),
    });
    expect((await endpoint.ask()).error?.view.detail).toBe("why");
  });
});

const wireSchema = z.array(z.looseObject({ role: z.string() }));

/** With each sign that means something to a pattern, JSON, an address or HTML. */
const ODD = `sk-1"a\\b\\\\c/d&e<f>g'h$&i.*j%k+l=m(n)o[p]q{r}s^t|u?v~w`;

describe.each(["sk-plain-0123456789", ODD])("the key %s that an endpoint repeats is not shown", (apiKey) => {
  const words = `Incorrect API key provided: ${apiKey}. Bye`;
  const html = (text: string) =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  const raw = JSON.stringify({ error: { message: words } });
  const other = JSON.stringify({ why: words });
  const long = "x".repeat(480 - "Incorrect API key provided: ".length);

  it.each<[string, number, string, RegExp?]>([
    ["in JSON", 401, message(words), /^Incorrect API key provided: \*\*\*\. Bye$/],
    ["in JSON of another shape", 401, JSON.stringify({ errors: [words] })],
    ["in JSON with slashes escaped", 400, JSON.stringify({ errors: [words] }).replaceAll("/", "\\/")],
    ["in JSON with codes", 400, `{"errors":["${words.replace(/[^\w .:-]/g, unicode)}"]}`],
    ["in JSON within JSON", 400, message("Provider returned error", { metadata: { raw } })],
    [
      "in JSON of no known shape within JSON",
      400,
      message("Provider returned error", { metadata: { raw: other } }),
    ],
    ["in JSON within JSON within JSON", 400, JSON.stringify({ errors: [JSON.stringify({ raw })] })],
    ["in plain text", 401, words, /Incorrect API key provided: \*\*\*\. Bye$/],
    ["in an address", 404, `no route /v1?key=${encodeURIComponent(apiKey)}`],
    [
      "in an address in small letters",
      404,
      encodeURIComponent(words).replace(/%../g, (code) => code.toLowerCase()),
    ],
    ["in a page", 401, `<html><head><title>${html(words)}</title></head></html>`],
    ["in a page with numbers", 401, `<title>${words.replace(/[^\w .:-]/g, numbered)}</title>`],
    ["where it is cut off", 400, message(`${long}${words}`), /^x+Incorrect API key provided: \*\*\*\. Bye$/],
    ["as a broken stream", 200, `data: {"key": "${apiKey}\n\n`],
    ["as a chunk that is none", 200, stream({ choices: apiKey })],
    ["within an answer", 200, stream(delta({ content: "Hm" }), { error: { message: words, code: 401 } })],
    ["in place of an answer", 200, `<html>${html(words)}</html>`],
  ])("%s", async (_how, status, body, shown = /\*\*\*/) => {
    endpoint.say({
      status,
      headers: body.startsWith("{") ? JSON_TYPE : { "content-type": "text/html" },
      body,
    });
    const { error } = await endpoint.ask({ apiKey: `Bearer ${apiKey}\n` });
    expect(error?.view.detail).toMatch(shown);
    // No part of it either, and not in what a log would say of the error.
    const pieces = apiKey === ODD ? ["sk-1", "~w"] : ["sk-plain", "0123"];
    for (const piece of pieces) expect(`${error?.stack} ${JSON.stringify(error?.view)}`).not.toContain(piece);
  });
});

it("a header's value that an endpoint repeats is not shown", async () => {
  endpoint.say({ status: 401, headers: JSON_TYPE, body: message("no such key: abc-0123456789, for Neko") });
  const headers = {
    "api-key": "abc-0123456789",
    authorization: "Bearer abc-0123456789-and-more",
    "x-title": "Neko",
  };
  const { error } = await endpoint.ask({ provider: { headers } });
  expect(error?.view.detail).toBe("no such key: ***, for Neko");
});

function unicode(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

function numbered(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

describe("a wait", () => {
  it.each([
    [{ "retry-after": "7" }, "", 7_000],
    [{ "retry-after-ms": "40" }, "", 40],
    [{}, "Please try again in 2m59.5s.", 179_500],
    [{}, "Please retry in 31.25s", 31_250],
    [{}, "try again in 20ms", 20],
    [{}, "Please try again in 20 seconds.", 20_000],
    [{}, "Your quota will reset after 3s.", 3_000],
    [{}, "Please wait 1 minute and 30 seconds before the next request.", 90_000],
    [{ "x-ratelimit-reset-requests": "1m2s", "x-ratelimit-remaining-requests": "0" }, "", 62_000],
    [{ "x-ratelimit-reset-tokens": "6ms", "x-ratelimit-reset-requests": "2s" }, "", 2_000],
    [{ "retry-after": "7", "x-ratelimit-reset-requests": "1m" }, "", 7_000],
  ] as [Record<string, string>, string, number][])("%j %s", async (headers, text, ms) => {
    endpoint.say({ status: 429, headers: { ...JSON_TYPE, ...headers }, body: message(`Slow down. ${text}`) });
    const { error } = await endpoint.ask();
    expect(error?.retryAfterMs).toBe(ms);
    expect(error && retryDelay(error, 1, () => 0)).toBe(ms);
  });

  it("until a date", async () => {
    const before = Date.now();
    const date = new Date(before + 60_000).toUTCString();
    endpoint.say({ status: 529, headers: { ...JSON_TYPE, "retry-after": date }, body: message("busy") });
    const { error } = await endpoint.ask();
    // As long as it was until then at the moment of the answer.
    expect(error?.retryAfterMs).toBeLessThanOrEqual(Date.parse(date) - before);
    expect(error?.retryAfterMs).toBeGreaterThanOrEqual(Math.max(0, Date.parse(date) - Date.now()));
  });

  it.each<[string, (at: number) => Record<string, string>]>([
    ["in milliseconds", (at) => ({ "x-ratelimit-reset": String(at) })],
    ["in seconds", (at) => ({ "x-ratelimit-reset": String(at / 1_000) })],
    [
      "of the exhausted one of several limits",
      (at) => ({
        "anthropic-ratelimit-tokens-reset": new Date(at).toISOString(),
        "anthropic-ratelimit-tokens-remaining": "0",
        "anthropic-ratelimit-requests-reset": new Date(at + 3_600_000).toISOString(),
        "anthropic-ratelimit-requests-remaining": "49",
      }),
    ],
    ["in a text", (at) => ({ "x-said": `Try again at ${new Date(at).toISOString()}.` })],
  ])("until a moment %s", async (_, headersAt) => {
    const at = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000;
    const { "x-said": said = "Slow down.", ...headers } = headersAt(at);
    endpoint.say({ status: 429, headers: { ...JSON_TYPE, ...headers }, body: message(said) });
    const { error } = await endpoint.ask();
    expect(error?.retryAfterMs).toBeGreaterThanOrEqual(at - Date.now());
    expect(error?.retryAfterMs).toBeLessThanOrEqual(61_000);
  });

  const INFO = { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "3s" };
  it.each<[string, unknown, number | undefined]>([
    ["RetryInfo", { error: { message: "quota", details: [{ a: 1 }, INFO] } }, 3_000],
    ["RetryInfo in a list", [{ error: { message: "quota", details: [INFO] } }], 3_000],
    ["a duration as an object", { error: { message: "quota", retry_delay: { seconds: 4 } } }, 4_000],
    ["a field of seconds", { error: { message: "quota", retry_after: 5 } }, 5_000],
    ["a field of milliseconds", { error: { message: "quota", retryAfterMs: 250 } }, 250],
    [
      "headers of a provider",
      {
        error: {
          message: "quota",
          metadata: { headers: { "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9" } },
        },
      },
      9_000,
    ],
    [
      "headers of a limit that is not exhausted",
      {
        error: {
          message: "quota",
          metadata: { headers: { "X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "9" } },
        },
      },
      undefined,
    ],
    ["nothing", { error: { message: "Please retry. Code 429", code: 429 } }, undefined],
  ])("in the body: %s", async (_, body, ms) => {
    endpoint.say({ status: 429, headers: JSON_TYPE, body: JSON.stringify(body) });
    expect((await endpoint.ask()).error?.retryAfterMs).toBe(ms);
  });

  it("of hours is the user's to decide", async () => {
    endpoint.say({
      status: 429,
      headers: { ...JSON_TYPE, "retry-after": "7200" },
      body: message("daily limit"),
    });
    const { error } = await endpoint.ask();
    expect(error && mayRetry(error, 1)).toBe(false);
  });
});

describe("what was pasted", () => {
  it.each(["", "/", "//", "/chat/completions", "/chat/completions/", " ", "\n"])(
    "the address with %j after it",
    async (tail) => {
      endpoint.say(fine);
      expect(await endpoint.ask({ baseUrl: `${endpoint.url}${tail}` })).toMatchObject({ text: "Fine." });
      expect(endpoint.heard[0]?.url).toBe("/v1/chat/completions");
    },
  );

  it("an address with a query keeps it", async () => {
    endpoint.say(fine);
    await endpoint.ask({ baseUrl: `${endpoint.url}?api-version=2024-10-21` });
    expect(endpoint.heard[0]?.url).toBe("/v1/chat/completions?api-version=2024-10-21");
  });

  it.each(["localhost:11434/v1", "openrouter.ai/api/v1", "ftp://x/v1", "http://a b/v1", "my model"])(
    "no address: %s",
    async (baseUrl) => {
      expect((await endpoint.ask({ baseUrl })).error?.view).toEqual({
        code: "bad-address",
        subject: baseUrl,
      });
    },
  );

  it.each([" sk-1 \n", "Bearer sk-1", "\tsk-1\r\n"])("the key %j", async (apiKey) => {
    endpoint.say(fine);
    await endpoint.ask({ apiKey });
    expect(endpoint.heard[0]?.headers.authorization).toBe("Bearer sk-1");
  });

  it.each(["sk-鍵", "sk-1 sk-2", "sk-\u201cx\u201d", "line\nline"])("no key: %j", async (apiKey) => {
    const { error } = await endpoint.ask({ apiKey });
    expect(error?.view.code).toBe("unusable-key");
    expect(JSON.stringify(error?.view)).not.toContain("sk-");
    expect(endpoint.heard).toEqual([]);
  });

  it("a key of nothing but space is none", async () => {
    endpoint.say({ status: 401, headers: JSON_TYPE, body: message("who?") });
    expect((await endpoint.ask({ apiKey: "  " })).error?.view.code).toBe("no-key");
  });

  it.each([{ "X-Name": "ねこ" }, { "X Name": "a" }, { "X-Name": "a\nb" }])(
    "the header %j",
    async (headers) => {
      const { error } = await endpoint.ask({ provider: { headers } });
      expect(error?.view).toEqual({ code: "unusable-header", subject: Object.keys(headers)[0] });
    },
  );
});

describe("an endpoint that wants it otherwise is asked otherwise, once and for all", () => {
  const said = (role: Message["role"], blocks: unknown[], more = {}): Message =>
    messageSchema.parse({ id: role, role, createdAt: "2026-01-01T00:00:00Z", blocks, ...more });
  const call = {
    type: "tool-call",
    id: "call_abcdefghijkl",
    name: "read_file",
    params: {},
    extra: { google: { thought_signature: "s" } },
  };
  const result = {
    type: "tool-result",
    callId: call.id,
    name: "read_file",
    label: "read_file",
    outcome: "done",
    parts: [{ type: "text", text: "x" }],
  };
  const messages = [
    said("user", [
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]),
    said("assistant", [{ type: "reasoning", text: "hm" }, call], {
      model: "m",
      reasoningDetails: [{ type: "reasoning.encrypted", data: "e" }],
    }),
    said("tool", [result]),
  ];

  it.each<[string, string, Record<string, unknown>, Record<string, unknown>]>([
    [
      "stream_options",
      "body.stream_options: Extra inputs are not permitted",
      {},
      { stream_options: undefined },
    ],
    [
      "max_tokens",
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      { maxOutputTokens: 5 },
      { max_tokens: undefined, max_completion_tokens: 5 },
    ],
  ])("%s", async (model, words, provider, body) => {
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
    expect(await endpoint.ask({ model, provider })).toMatchObject({ text: "Fine." });
    expect(await endpoint.ask({ model, provider })).toMatchObject({ text: "Fine." });
    expect(endpoint.heard).toHaveLength(3);
    for (const [name, value] of Object.entries(body)) {
      expect(endpoint.heard[0]?.body[name]).not.toEqual(value);
      expect(endpoint.heard[2]?.body[name]).toEqual(value);
    }
  });

  it.each([
    "Failed to deserialize the JSON body into the target type: messages[1]: invalid type: sequence, expected a string at line 1 column 9837",
    "Invalid type for 'messages[0].content': expected a string, but got an array instead.",
    "json: cannot unmarshal array into Go struct field ChatMessage.messages.content of type string",
    "This model does not support content arrays",
    "messages.1.content: str type expected",
    "messages[1].content: Expected string, received array",
  ])("one string: %s", async (words) => {
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
    await endpoint.ask({ model: words, request: { messages } });
    expect(endpoint.heard[1]?.body.messages).toContainEqual({ role: "user", content: "one\n\ntwo" });
  });

  it("one string, for a list that repeats the request", async () => {
    const input = [{ type: "text", text: "the maximum context length is 5 tokens" }];
    const place = { type: "string_type", loc: ["body", "messages", 1, "content"] };
    const detail = [{ ...place, msg: "Input should be a valid string", input }];
    endpoint.say({ status: 422, headers: JSON_TYPE, body: JSON.stringify({ detail }) }, fine);
    await endpoint.ask({ model: "listed", request: { messages } });
    expect(endpoint.heard[1]?.body.messages).toContainEqual({ role: "user", content: "one\n\ntwo" });
  });

  it.each([
    "System role not supported",
    "Only user and assistant roles are supported!",
    "Developer instruction is not enabled for models/gemma-3-27b-it",
    "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
    "messages[0].role: unknown variant `system`, expected `user` or `assistant`",
    "This model does not support system messages.",
    "messages.0.role: Input should be 'user' or 'assistant'",
  ])("no system message: %s", async (words) => {
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
    for (const _ of [1, 2]) await endpoint.ask({ model: words, request: { messages } });
    expect(endpoint.heard).toHaveLength(3);
    for (const { body } of endpoint.heard.slice(1)) {
      const [first, second] = wireSchema.parse(body.messages);
      expect(first).toEqual({
        role: "user",
        content: ["s", "one", "two"].map((text) => ({ type: "text", text })),
      });
      expect(second?.role).toBe("assistant");
    }
  });

  it("roles that alternate: what follows a result is part of it, and then there is no system message", async () => {
    const words =
      "After the optional system message, conversation roles must alternate user/assistant/user/assistant/...";
    const refused = { status: 400, headers: JSON_TYPE, body: message(words) };
    const later = (id: string, image: boolean) =>
      messageSchema.parse({
        ...{ id, role: "user", createdAt: "2026-01-01T00:00:00Z" },
        blocks: [
          { type: "text", text: "later" },
          ...(image ? [{ type: "image", mimeType: "image/png", data: "AAAA" }] : []),
        ],
      });
    endpoint.say(refused, refused, fine);
    await endpoint.ask({ model: "nemo", request: { messages: [...messages, later("l", false)] } });
    const roles = endpoint.heard.map(({ body }) => wireSchema.parse(body.messages).map(({ role }) => role));
    expect(roles).toEqual([
      ["system", "user", "assistant", "tool", "user"],
      ["system", "user", "assistant", "tool"],
      ["user", "assistant", "tool"],
    ]);
    expect(JSON.stringify(endpoint.heard[1]?.body.messages)).toMatch(/\\n\\nlater"\}\]$/);

    endpoint.say(fine);
    await endpoint.ask({ model: "nemo", request: { messages: [...messages, later("l", true)] } });
    expect(wireSchema.parse(endpoint.heard[3]?.body.messages).map(({ role }) => role)).toEqual([
      ...["user", "assistant", "tool", "assistant", "user"],
    ]);
  });

  it.each(["Operating system error: not allowed", "The role 'tool' must follow a call"])(
    "another refusal: %s",
    async (words) => {
      endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
      expect((await endpoint.ask({ model: words, request: { messages } })).error?.view.detail).toBe(words);
    },
  );

  it("no system message and one string", async () => {
    const body = message("System role not supported");
    const plain = message("content must be a string");
    endpoint.say(
      { status: 400, headers: JSON_TYPE, body },
      { status: 400, headers: JSON_TYPE, body: plain },
      fine,
    );
    await endpoint.ask({ model: "old", request: { messages } });
    expect(endpoint.heard[2]?.body.messages).toContainEqual({ role: "user", content: "s\n\none\n\ntwo" });
  });

  it("thinking goes back where it is wanted, and nowhere else", async () => {
    const words = "The `reasoning_content` in the thinking mode must be passed back to the API.";
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
    await endpoint.ask({ model: "thinker", request: { messages } });
    expect(JSON.stringify(endpoint.heard[0]?.body)).not.toContain("reasoning");
    expect(endpoint.heard[1]?.body.messages).toContainEqual(
      expect.objectContaining({ role: "assistant", reasoning_content: "hm" }),
    );
  });

  it("thinking goes back with calls where the template uses it", async () => {
    const used = { reasoningBack: { value: true, source: "endpoint" } } as const;
    endpoint.say(fine);
    await endpoint.ask({ model: "m", facts: used, request: { messages } });
    await endpoint.ask({ model: "other", facts: used, request: { messages } });
    await endpoint.ask({ model: "m", request: { messages } });
    const sent = endpoint.heard.map(({ body }) => JSON.stringify(body).includes('"reasoning_content":"hm"'));
    expect(sent).toEqual([true, false, false]);
  });

  it("short ids for Mistral, of call and result alike", async () => {
    const words = "Tool call id was call_abcdefghijkl but must be a-z, A-Z, 0-9, with a length of 9.";
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message(words) }, fine);
    await endpoint.ask({ model: "mistral", request: { messages } });
    const body = JSON.stringify(endpoint.heard[1]?.body.messages);
    expect(body).toMatch(/"id":"([a-zA-Z0-9]{9})".*"tool_call_id":"\1"/);
  });

  it("signatures go back to the model that gave them, and to no other", async () => {
    endpoint.say(fine);
    await endpoint.ask({ model: "m", request: { messages } });
    await endpoint.ask({ model: "other", request: { messages } });
    const [own, other] = endpoint.heard.map((request) => JSON.stringify(request.body));
    expect(own).toContain('"extra_content":{"google":{"thought_signature":"s"}}');
    expect(own).toContain('"reasoning_details":[{"type":"reasoning.encrypted","data":"e"}]');
    expect(other).not.toMatch(/extra_content|reasoning_details/);
  });

  it("is not asked for ever", async () => {
    endpoint.say({ status: 400, headers: JSON_TYPE, body: message("stream_options, always stream_options") });
    expect((await endpoint.ask({ model: "stubborn" })).error?.view.code).toBe("bad-request");
    expect(endpoint.heard).toHaveLength(2);
  });
});
