/** What a request to the Messages API contains besides the conversation, by model and settings. */
import { describe, expect, it } from "vitest";
import { anthropicBody } from "../../../../../src/core/provider/anthropic/anthropic-body.ts";
import { claudeTraits } from "../../../../../src/core/provider/anthropic/claude-traits.ts";
import type { ModelRequest } from "../../../../../src/core/provider/provider.ts";
import { systemClock } from "../../../../../src/node/clock.ts";
import type { Block, Message } from "../../../../../src/shared/message.ts";
import type { ModelFacts } from "../../../../../src/shared/models/facts.ts";
import { defaultSettings, type Settings } from "../../../../../src/shared/settings.ts";
import { modelAt } from "../../../../support/connections.ts";

let count = 0;
const message = (role: Message["role"], ...blocks: Block[]): Message => ({
  ...{ id: `m${count++}`, role, createdAt: "2026-01-01T00:00:00Z", blocks },
});
const text = (words: string): Block => ({ type: "text", text: words });
const thought = (words: string): Block => ({
  ...{ type: "reasoning", text: words, signed: { type: "thinking", thinking: words, signature: "s" } },
});
const call = (id: string): Block => ({ type: "tool-call", id, name: "read_file", params: { path: "a" } });
const result = (callId: string): Block => ({
  ...{ type: "tool-result", callId, name: "read_file", label: "read_file", outcome: "done" },
  parts: [{ type: "text", text: "A" }],
});
const by = (model: string, ...blocks: Block[]): Message => ({
  ...{ ...message("assistant", ...blocks), model, connection: "default" },
});
const tool = (name: string) => ({ name, description: name, parameters: { type: "object" } });

interface Options extends Partial<ModelRequest> {
  model?: string;
  provider?: Partial<Settings["provider"]>;
  facts?: ModelFacts;
}

function body({ model = "claude-sonnet-4-5", provider = {}, facts = {}, ...request }: Options = {}) {
  const endpoint = {
    ...modelAt("http://127.0.0.1:1/v1", model),
    ...{ provider: { ...defaultSettings.provider, ...provider }, apiKey: "k", clock: systemClock, facts },
  };
  const whole = {
    ...{ system: "You are a cat.", protocol: "native" as const, tools: [tool("a"), tool("b")] },
    messages: [message("user", text("hi"))],
    ...request,
  };
  return anthropicBody(endpoint, whole, new Set());
}

describe("a Claude model is known by its name", () => {
  const none = { thinking: undefined, takesTemperature: true };
  const budget = { thinking: "budget", thinksByDefault: false, takesTemperature: true };
  const adaptive = { thinking: "adaptive", maxOutput: 128_000 };
  const always = { thinksByDefault: true, alwaysThinks: true, takesTemperature: false };
  it.each<[string, object | undefined]>([
    ["claude-2.1", { ...none, maxOutput: 4_096 }],
    ["claude-instant-1.2", { ...none, maxOutput: 4_096 }],
    ["claude-3-opus-20240229", { ...none, maxOutput: 4_096 }],
    ["claude-3-5-sonnet-latest", { ...none, maxOutput: 8_192 }],
    ["claude-3-7-sonnet-20250219", { ...budget, maxOutput: 64_000, interleavesOnRequest: false }],
    ["claude-sonnet-4-20250514", { ...budget, maxOutput: 64_000, interleavesOnRequest: true }],
    ["claude-opus-4-1-20250805", { ...budget, maxOutput: 32_000, interleavesOnRequest: true }],
    ["claude-opus-4-5-20251101", { ...budget, maxOutput: 64_000 }],
    ["anthropic/claude-haiku-4.5", { ...budget, maxOutput: 64_000 }],
    [
      "claude-opus-4-6",
      { ...adaptive, thinksByDefault: false, hidesThinking: false, takesTemperature: true },
    ],
    [
      "claude-opus-4-8",
      { ...adaptive, thinksByDefault: false, hidesThinking: true, takesTemperature: false },
    ],
    ["claude-4.6-sonnet", { ...adaptive, thinksByDefault: false }],
    ["claude-opus-5", { ...adaptive, thinksByDefault: true, alwaysThinks: false }],
    ["claude-haiku-5-5", { ...adaptive, thinksByDefault: true, alwaysThinks: false }],
    ["claude-sonnet-5-5", { ...adaptive, ...always }],
    ["claude-fable-5", { ...adaptive, ...always }],
    ["claude-mythos-preview", { ...adaptive, ...always }],
    ["anthropic.claude-opus-4-6-v1", { ...adaptive, thinksByDefault: false }],
    ["glm-4.7", undefined],
    ["deepseek-chat", undefined],
  ])("%s", (model, traits) => {
    if (traits) expect(claudeTraits(model)).toMatchObject(traits);
    else expect(claudeTraits(model)).toBeUndefined();
  });
});

describe("thinking", () => {
  const adaptive = (effort?: string, display?: string) => ({
    thinking: { type: "adaptive", ...(display ? { display } : {}) },
    ...(effort ? { output_config: { effort } } : {}),
  });
  const budget = (tokens: number) => ({ thinking: { type: "enabled", budget_tokens: tokens } });
  it.each<[string, Settings["provider"]["reasoningEffort"], object]>([
    ["claude-3-5-sonnet-latest", "high", {}],
    ["claude-sonnet-4-5", "default", {}],
    ["claude-sonnet-4-5", "none", {}],
    ["claude-sonnet-4-5", "low", budget(2_048)],
    ["claude-sonnet-4-5", "high", budget(24_576)],
    ["claude-opus-4-6", "default", {}],
    ["claude-opus-4-6", "medium", adaptive("medium")],
    ["claude-opus-4-8", "low", adaptive("low", "summarized")],
    ["claude-opus-5", "default", adaptive(undefined, "summarized")],
    ["claude-opus-5", "none", { thinking: { type: "disabled" } }],
    ["claude-opus-5-5", "none", adaptive("low", "summarized")],
    ["glm-4.7", "default", {}],
    ["glm-4.7", "none", { thinking: { type: "disabled" } }],
    ["glm-4.7", "medium", budget(7_168)],
  ])("of %s, %s", (model, reasoningEffort, expected) => {
    const { thinking, output_config } = body({ model, provider: { reasoningEffort } });
    expect(JSON.parse(JSON.stringify({ thinking, output_config }))).toEqual(expected);
  });

  it("leaves room for the answer, and is left out if there is none", () => {
    const provider = { reasoningEffort: "high" as const };
    expect(body({ provider: { ...provider, maxOutputTokens: 4_000 } })).toMatchObject({
      ...{ max_tokens: 4_000, thinking: { budget_tokens: 2_976 } },
    });
    expect(body({ provider: { ...provider, maxOutputTokens: 1_500 } })).not.toHaveProperty("thinking");
  });

  it("goes without temperature, which is at most 1", () => {
    const temperature = { temperature: 1.5 };
    expect(body({ provider: temperature })).toMatchObject({ temperature: 1 });
    expect(body({ provider: { ...temperature, reasoningEffort: "low" } })).not.toHaveProperty("temperature");
    expect(body({ model: "claude-opus-5", provider: temperature })).not.toHaveProperty("temperature");
    expect(body({ model: "claude-opus-4-7", provider: temperature })).not.toHaveProperty("temperature");
  });

  it("waits for the next turn if this one began with another model", () => {
    const provider = { reasoningEffort: "low" as const };
    const begun = [message("user", text("hi")), by("gpt-9", call("a")), message("tool", result("a"))];
    expect(body({ provider, messages: begun })).not.toHaveProperty("thinking");
    expect(body({ model: "claude-opus-4-6", provider, messages: begun })).toHaveProperty("thinking");
    const own = [
      ...begun,
      by("claude-sonnet-4-5", text("Fine.")),
      message("user", text("And?")),
      by("claude-sonnet-4-5", thought("Hm."), call("b")),
      message("tool", result("b"), text("It is late.")),
    ];
    expect(body({ provider, messages: own })).toMatchObject({
      thinking: { type: "enabled" },
      messages: [{}, {}, {}, {}, {}, { content: [{ type: "thinking" }, { type: "tool_use" }] }, {}],
    });
    // Without thinking now, that of this turn is refused, and that of earlier ones ignored.
    expect(JSON.stringify(body({ messages: own }))).not.toContain('"thinking"');
    const later = [...own, by("claude-sonnet-4-5", text("So.")), message("user", text("Why?"))];
    expect(body({ messages: later }).messages.slice(0, own.length)).toMatchObject(
      JSON.parse(JSON.stringify(body({ provider, messages: later }).messages.slice(0, own.length))),
    );
    expect(JSON.stringify(body({ messages: later }))).toContain('"thinking"');
  });
});

describe("max_tokens", () => {
  const maxOutput = (value: number): ModelFacts => ({ maxOutput: { value, source: "endpoint" } });
  const window = (value: number): ModelFacts => ({ window: { value, source: "endpoint" } });
  const long = [message("user", text("word ".repeat(100_000)))];
  it.each<[string, Options, number]>([
    ["the model's, but not more than is useful", { model: "claude-opus-4-6" }, 64_000],
    ["the model's", { model: "claude-opus-4-1" }, 32_000],
    ["little, of a model that is not known", { model: "glm-4.7" }, 8_192],
    ["what is known", { model: "glm-4.7", facts: maxOutput(16_384) }, 16_384],
    ["what is set", { provider: { maxOutputTokens: 3_000 } }, 3_000],
    ["what is set, but not more than the model's", { provider: { maxOutputTokens: 500_000 } }, 64_000],
    [
      "what is set, of a model that is not known",
      { model: "m", provider: { maxOutputTokens: 500_000 } },
      500_000,
    ],
    ["what the prompt's budget leaves", { messages: long, facts: window(170_000) }, 8_192],
    ["the model's, though the prompt is long", { messages: long, facts: window(1_000_000) }, 64_000],
  ])("is %s", (_, options, expected) => {
    const { max_tokens } = body(options);
    expect(max_tokens).toBe(expected);
  });

  it("is what the prompt leaves, estimated with room to spare", () => {
    const { max_tokens } = body({ messages: long, facts: window(200_000) });
    expect(max_tokens).toBeGreaterThan(30_000);
    expect(max_tokens).toBeLessThan(34_000);
  });

  it("does not depend on the size of images", () => {
    const image: Block = { type: "image", mimeType: "image/png", data: "A".repeat(3_000_000) };
    expect(body({ messages: [message("user", text("Look"), image)] }).max_tokens).toBe(64_000);
  });
});

describe("the marks of the cache", () => {
  const MARK = { cache_control: { type: "ephemeral" } };
  const turns = [
    message("user", text("one"), text("details")),
    by("claude-sonnet-4-5", text("two"), call("a"), call("b")),
    message("tool", result("a"), result("b")),
    by("claude-sonnet-4-5", text("three")),
    message("user", text("four"), text("details")),
  ];
  const marked = (value: unknown): number => JSON.stringify(value).split('"cache_control"').length - 1;

  it("are on the tools, the instructions, the end of the last request, and the end of this one", () => {
    const { tools, system, messages } = body({ messages: turns });
    expect(tools).toEqual([expect.not.objectContaining(MARK), expect.objectContaining(MARK)]);
    expect(system).toEqual([{ type: "text", text: "You are a cat.", ...MARK }]);
    expect(messages.map(({ content }) => content.map((part) => marked(part)))).toEqual([
      [0, 0],
      [0, 0, 0],
      [0, 1],
      [0],
      [0, 1],
    ]);
  });

  it("are four at most, and a request is the beginning of the next but for them", () => {
    const plain = (value: unknown) =>
      JSON.parse(
        JSON.stringify(value, (key, inner: unknown) => (key === "cache_control" ? undefined : inner)),
      );
    let before: unknown[] = [];
    for (const end of [1, 3, 5]) {
      for (const protocol of ["native", "xml"] as const) {
        expect(marked(body({ messages: turns.slice(0, end), protocol }))).toBeLessThanOrEqual(4);
      }
      const { messages } = plain(body({ messages: turns.slice(0, end) }));
      expect(messages.slice(0, before.length)).toEqual(before);
      before = messages;
    }
  });
});

it("has no tools and no calls under the XML protocol", () => {
  const messages = [
    message("user", text("hi")),
    by("m", text("Reading."), call("a")),
    message("tool", result("a")),
  ];
  const made = body({ model: "m", protocol: "xml", messages });
  expect(made).not.toHaveProperty("tools");
  expect(made.messages[1]?.content).toEqual([
    { type: "text", text: "Reading.\n\n<read_file>\n<path>a</path>\n</read_file>" },
  ]);
  expect(made.messages[2]?.content).toMatchObject([{ text: "[read_file] Result:" }, { text: "A" }]);
});
