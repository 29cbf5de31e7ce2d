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
});
