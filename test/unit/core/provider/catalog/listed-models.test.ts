/** Lists of models as real endpoints write them. */

import { describe, expect, it } from "vitest";
import { listedModels } from "../../../../../src/core/provider/catalog/listed-models.ts";

/** Ids, and facts without their source. */
function read(body: unknown) {
  return listedModels(body, "GET /models")?.map(({ id, title, facts }) => [
    id,
    title,
    Object.fromEntries(Object.entries(facts).map(([name, fact]) => [name, fact?.value])),
  ]);
}

describe("a list of models", () => {
  it("of OpenAI has ids, without what cannot chat", () => {
    const ids = ["gpt-4.1", "text-embedding-3-large", "whisper-1", "tts-1", "dall-e-3", "gpt-image-1", "o3"];
    const body = { object: "list", data: ids.map((id) => ({ id, object: "model", owned_by: "system" })) };
    expect(read(body)).toEqual([
      ["gpt-4.1", undefined, {}],
      ["o3", undefined, {}],
    ]);
  });

  it("of OpenRouter has limits, prices for a token as text, and abilities", () => {
    const entry = {
      id: "anthropic/claude-x",
      name: "Anthropic: Claude X",
      context_length: 1_000_000,
      architecture: { input_modalities: ["text", "image"], output_modalities: ["text"] },
      pricing: {
        prompt: "0.000003",
        completion: "0.000015",
        input_cache_read: "0.0000003",
        input_cache_write: "0.00000375",
      },
      top_provider: { context_length: 200_000, max_completion_tokens: 64_000 },
      supported_parameters: ["tools", "reasoning", "max_tokens"],
    };
    const picture = { ...entry, id: "p", architecture: { output_modalities: ["image"] } };
    const plain = {
      id: "q",
      context_length: 8_192,
      supported_parameters: ["max_tokens"],
      pricing: { prompt: "-1" },
    };
    expect(read({ data: [entry, picture, plain] })).toEqual([
      [
        "anthropic/claude-x",
        "Anthropic: Claude X",
        {
          ...{ window: 200_000, maxOutput: 64_000, tools: true, images: true, reasoning: true },
          ...{ inputPrice: 3, outputPrice: 15, cachedPrice: 0.3, cacheWritePrice: 3.75 },
        },
      ],
      ["q", undefined, { window: 8_192, tools: false, reasoning: false }],
    ]);
  });

  it.each<[string, unknown, unknown]>([
    ["vLLM", { data: [{ id: "m", owned_by: "vllm", max_model_len: 32_768 }] }, { window: 32_768 }],
    [
      "LM Studio",
      {
        data: [
          {
            id: "m",
            type: "vlm",
            loaded_context_length: 8_192,
            max_context_length: 131_072,
            capabilities: ["tool_use"],
          },
        ],
      },
      { window: 8_192, tools: true, images: true },
    ],
    [
      "Groq",
      { data: [{ id: "m", context_window: 131_072, max_completion_tokens: 32_768 }] },
      { window: 131_072, maxOutput: 32_768 },
    ],
    [
      "Mistral",
      {
        data: [
          {
            id: "m",
            max_context_length: 131_072,
            capabilities: { completion_chat: true, function_calling: true, vision: false },
          },
          { id: "n", capabilities: { completion_chat: false } },
        ],
      },
      { window: 131_072, tools: true, images: false },
    ],
    [
      "Anthropic",
      { data: [{ type: "model", id: "m", max_input_tokens: 200_000, max_tokens: 64_000 }], has_more: false },
      { window: 200_000, maxOutput: 64_000 },
    ],
    [
      "GitHub",
      [
        {
          id: "m",
          limits: { max_input_tokens: 1_048_576, max_output_tokens: 32_768 },
          capabilities: ["streaming", "tool-calling"],
          supported_input_modalities: ["text", "image"],
        },
      ],
      { window: 1_081_344, maxOutput: 32_768, tools: true, images: true },
    ],
    [
      "Together",
      [
        { id: "m", type: "chat", context_length: 131_072, pricing: { input: 0.88, output: 0.9 } },
        { id: "e", type: "embedding" },
      ],
      { window: 131_072, inputPrice: 0.88, outputPrice: 0.9 },
    ],
    ["llama.cpp", { data: [{ id: "m", meta: { n_ctx_train: 131_072 } }] }, { window: 131_072 }],
    [
      "Fireworks",
      {
        data: [
          {
            id: "m",
            context_length: 40_960,
            supports_chat: true,
            supports_tools: false,
            supports_image_input: false,
          },
        ],
      },
      { window: 40_960, tools: false, images: false },
    ],
  ])("of %s", (_, body, facts) => {
    expect(read(body)).toEqual([["m", undefined, facts]]);
  });

  it("of Gemini has the ids that requests need", () => {
    expect(read({ data: [{ id: "models/gemini-2.5-pro" }] })?.[0]?.[0]).toBe("gemini-2.5-pro");
  });

  it("with nonsense in a field or an entry is read without it", () => {
    const data = [
      null,
      { id: 7 },
      { id: "" },
      {
        id: "m",
        context_length: "many",
        pricing: { prompt: "free", completion: {} },
        capabilities: 3,
        type: 9,
      },
    ];
    expect(read({ data })).toEqual([["m", undefined, {}]]);
  });

  it.each([[{}], ["<html>"], [null], [{ data: "none" }], [42]])("%j is none", (body) => {
    expect(listedModels(body, "")).toBeUndefined();
  });
});
