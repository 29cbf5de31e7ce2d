/** The table of models that ships: every entry is well formed, dated, reachable, and says what its maker says. */

import { describe, expect, it } from "vitest";
import table from "../../../../../src/core/provider/catalog/model-table.json";
import { ModelTable, tableSchema } from "../../../../../src/core/provider/catalog/model-table.ts";

const models = new ModelTable();
const value = (
  model: string,
  fact: "window" | "images" | "tools" | "inputPrice" | "cachedPrice" | "outputPrice",
) => models.facts(model)[fact]?.value;

describe("the table of models", () => {
  it("is well formed, names a known source for each row, and no source in vain", () => {
    const { sources, rows } = tableSchema.parse(table);
    expect(rows.filter(({ source }) => !(source in sources))).toEqual([]);
    const used = new Set(rows.map(({ source }) => source));
    expect(Object.keys(sources).filter((name) => !used.has(name))).toEqual([]);
    for (const { match } of rows) expect(() => new RegExp(match), match).not.toThrow();
    expect(rows.filter(({ match: _, source: __, ...facts }) => Object.keys(facts).length === 0)).toEqual([]);
    expect(new Set(rows.map(({ match }) => match)).size).toBe(rows.length);
  });

  it("finds no cached price above that of input, no output cheaper than input, no answer longer than the window", () => {
    for (const { match, price, window = Number.POSITIVE_INFINITY, maxOutput = 0 } of tableSchema.parse(table)
      .rows) {
      const [input = 0, cached, output = 0, written = input] = price ?? [];
      const cheap = (cached ?? 0) <= input && output >= input && written >= input;
      expect([match, cheap, maxOutput <= window]).toEqual([match, true, true]);
    }
  });

  it.each<[string, unknown]>([
    ["a price that is text", { match: "xx", source: "s", price: ["1", null, 2] }],
    ["a window that is no number of tokens", { match: "xx", source: "s", window: 128 }],
    ["an unknown fact", { match: "xx", source: "s", widow: 128_000 }],
    ["no source", { match: "xx", window: 128_000 }],
  ])("with %s is refused", (_, row) => {
    const sources = { s: { page: "p", date: "2026-01-01" } };
    expect(() => new ModelTable({ sources, rows: [row] })).toThrow();
    expect(() => new ModelTable({ sources, rows: [] })).not.toThrow();
    expect(() => new ModelTable({ sources: { s: { page: "p", date: "lately" } }, rows: [] })).toThrow();
  });

  it("says where a fact comes from, and when it was read there", () => {
    expect(models.facts("gpt-4.1").window).toEqual({
      value: 1_047_576,
      source: "table",
      origin: expect.stringMatching(/^https:\/\/\S+, \d{4}-\d\d-\d\d$/),
    });
  });

  it.each(["gpt-4.1", "gpt-4.1-mini", "gpt-4.1-2025-04-14", "openai/gpt-4.1", "GPT-4.1", "azure/gpt-4.1"])(
    "knows %s by its name, whoever hosts it",
    (model) => {
      expect(value(model, "window")).toBe(1_047_576);
    },
  );

  it.each(["gpt-4.10", "my-gpt-4.1", "gpt-4", "scripted", "m", ""])(
    "does not take %j for gpt-4.1",
    (model) => {
      expect(value(model, "window")).not.toBe(1_047_576);
    },
  );

  /** Window, longest answer, images, tools, as makers' pages have them. */
  it.each<[string, number, number | undefined, boolean | undefined, boolean | undefined]>([
    ["gpt-4o", 128_000, 16_384, true, true],
    ["gpt-4", 8_192, 8_192, false, true],
    ["gpt-5", 400_000, 128_000, true, true],
    ["gpt-5.4-2026-03-05", 1_050_000, 128_000, true, true],
    ["gpt-5.4-mini", 400_000, 128_000, true, true],
    ["gpt-5.9", 400_000, 128_000, true, true],
    ["o3", 200_000, 100_000, true, true],
    ["o3-mini", 200_000, 100_000, false, true],
    ["claude-sonnet-4-20250514", 200_000, 64_000, true, true],
    ["anthropic/claude-opus-4.8", 1_000_000, 128_000, true, true],
    ["us.anthropic.claude-opus-4-5-20251101-v1:0", 200_000, 64_000, true, true],
    ["claude-3-5-haiku-20241022", 200_000, 8_192, true, true],
    ["gemini-2.5-flash-lite", 1_048_576, 65_536, true, true],
    ["deepseek-v4-flash", 1_000_000, 384_000, false, true],
    ["grok-code-fast-1", 256_000, undefined, false, true],
    ["llama3.1:8b", 131_072, undefined, false, true],
    ["meta-llama/Meta-Llama-3-8B-Instruct", 8_192, undefined, false, undefined],
    ["qwen2.5-coder:7b", 32_768, undefined, false, true],
    ["Qwen/Qwen3-235B-A22B-Instruct-2507", 262_144, undefined, false, true],
    ["gemma3:12b", 131_072, undefined, true, false],
    ["gemma-2-9b-it", 8_192, undefined, false, false],
    ["openai/gpt-oss-120b", 131_072, undefined, false, true],
    ["kimi-k2.5", 262_144, undefined, true, true],
    ["zai-org/GLM-4.6", 200_000, 131_072, false, true],
    ["deepseek-r1:14b", 131_072, undefined, false, false],
  ])("has %s", (model, window, maxOutput, images, tools) => {
    const facts = models.facts(model);
    const values = [facts.window, facts.maxOutput, facts.images, facts.tools].map((fact) => fact?.value);
    expect(values).toEqual([window, maxOutput, images, tools]);
  });

  it("has no row behind a more general one, where its facts could not be reached", () => {
    const { rows } = tableSchema.parse(table);
    const before = rows.map(({ match }) => new RegExp(`^(?:${match})(?=$|[-_:/@.])`, "i"));
    const hidden = rows.flatMap(({ match }, index) => {
      const plain = match.replace(/\(\?[:!][^()]*\)\??/g, "").replace(/\\|\?/g, "");
      const isPlain = /^[\w.-]+$/.test(plain);
      return isPlain && before.slice(0, index).some((pattern) => pattern.test(plain)) ? [match] : [];
    });
    expect(hidden).toEqual([]);
  });

  it("has prices for the makers' own addresses alone", () => {
    const at = (model: string, url: string) => {
      const { inputPrice, cachedPrice, outputPrice, cacheWritePrice } = models.facts(model, url);
      return [inputPrice, cachedPrice, outputPrice, cacheWritePrice].map((fact) => fact?.value);
    };
    const none = [undefined, undefined, undefined, undefined];
    expect(at("gpt-4.1", "https://api.openai.com/v1")).toEqual([2, 0.5, 8, undefined]);
    expect(at("claude-sonnet-4-5", "https://api.anthropic.com/v1/")).toEqual([3, 0.3, 15, 3.75]);
    expect(at("openai/gpt-oss-120b", "https://api.groq.com/openai/v1")).toEqual([
      0.15,
      0.075,
      0.6,
      undefined,
    ]);
    for (const url of ["", "http://localhost:1/v1", "https://api.openai.com.evil.example/v1", "no address"])
      expect(at("gpt-4.1", url)).toEqual(none);
    expect(at("openai/gpt-oss-120b", "http://localhost:11434/v1")).toEqual(none);
  });
});
