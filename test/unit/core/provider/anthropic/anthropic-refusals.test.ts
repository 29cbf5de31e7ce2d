/** How endpoints of the Messages API refuse, and what they are sent instead. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { apis } from "../../../../../src/core/provider/apis.ts";
import { stream } from "../../../../support/raw-stream.ts";
import { type Endpoint, startEndpoint } from "../endpoint.ts";
import { answer, START } from "./message-stream.ts";

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
const refuse = (status: number, type: string, message: string, headers = {}) => ({
  ...{ status, headers: { ...JSON_TYPE, ...headers } },
  body: JSON.stringify({ type: "error", error: { type, message }, request_id: "req_1" }),
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
    [413, "request_too_large", "Request exceeds the maximum size", "request-too-large", false],
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
