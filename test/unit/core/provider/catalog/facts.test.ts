/** What is known of a model, and from whom: the table, the endpoint, what was learned, and the user's settings, in that order. */

import { describe, expect, it } from "vitest";
import { overridesFor, withSource } from "../../../../../src/core/provider/catalog/fact-layers.ts";
import { ModelProfiles } from "../../../../../src/core/provider/model-profile.ts";
import type { ModelOverrides } from "../../../../../src/shared/models/overrides.ts";
import { modelAt } from "../../../../support/connections.ts";

describe("a fact", () => {
  it("is that of the most trusted source, with its origin", () => {
    const overrides: ModelOverrides = {};
    const profile = new ModelProfiles({ overrides: () => overrides }).of(modelAt("http://x/v1", "gpt-4.1"));
    expect(profile.facts.window).toMatchObject({ value: 1_047_576, source: "table" });
    profile.learnListed(withSource({ window: 400_000 }, "endpoint", "GET /v1/models"));
    expect(profile.facts.window).toEqual({ value: 400_000, source: "endpoint", origin: "GET /v1/models" });
    profile.learn({ window: 300_000 }, "check");
    expect(profile.facts.window).toEqual({ value: 300_000, source: "learned", origin: "check" });
    overrides["gpt-4.1"] = { window: 200_000 };
    expect(profile.facts.window).toEqual({
      value: 200_000,
      source: "settings",
      origin: "nekode.models: gpt-4.1",
    });
    // What no source overrides stays.
    expect(profile.facts.images).toMatchObject({ value: true, source: "table" });
  });

  it("is what requests go by", () => {
    const profile = new ModelProfiles().of(modelAt("http://x/v1", "gpt-4.1"));
    expect([profile.window(0), profile.window(50_000)]).toEqual([1_047_576, 50_000]);
    profile.learnStatedWindow(30_000);
    expect([profile.window(0), profile.facts.window]).toEqual([
      30_000,
      { value: 30_000, source: "learned", origin: "refusal" },
    ]);
    profile.forgetStatedWindow();
    expect(profile.window(0)).toBe(1_047_576);
  });

  it("about a model alone counts more than the window for all models", () => {
    const profiles = new ModelProfiles({ overrides: () => ({ "default/m": { window: 9_000 } }) });
    expect(profiles.of(modelAt("http://x/v1", "m")).window(50_000)).toBe(9_000);
    expect(profiles.of(modelAt("http://x/v1", "n")).window(50_000)).toBe(50_000);
  });
});

describe("a model is taken to have no native tools", () => {
  const at = (model: string, overrides: ModelOverrides = {}) =>
    new ModelProfiles({ overrides: () => overrides }).of(modelAt("http://x/v1", model));

  it("only where somebody says so, and then the source is known", () => {
    expect([at("unheard-of").protocol, at("unheard-of").facts.tools]).toEqual(["native", undefined]);
    expect([at("gemma-2-9b").protocol, at("gemma-2-9b").facts.tools?.source]).toEqual(["xml", "table"]);
  });

  it("no longer once a more trusted source has them", () => {
    const profile = at("gemma-2-9b");
    profile.learnListed(withSource({ tools: true }, "endpoint"));
    expect(profile.protocol).toBe("native");
    profile.learnXml();
    expect([profile.protocol, profile.facts.tools?.source]).toEqual(["xml", "learned"]);
    expect(at("gemma-2-9b", { "gemma*": { tools: true } }).protocol).toBe("native");
  });
});

describe("images", () => {
  it("are offered to no model whose name speaks against it, but what the user attaches is tried", () => {
    const profile = new ModelProfiles().of(modelAt("http://x/v1", "qwen3-coder"));
    expect([profile.seesImages, profile.takesImages]).toEqual([false, true]);
    profile.learnListed(withSource({ images: false }, "endpoint"));
    expect([profile.seesImages, profile.takesImages]).toEqual([false, false]);
    profile.learn({ images: true }, "check");
    expect([profile.seesImages, profile.takesImages]).toEqual([true, true]);
    profile.learnNoImages();
    expect([profile.seesImages, profile.takesImages]).toEqual([false, false]);
  });
});

describe("the user's own facts", () => {
  const choice = { ...modelAt("http://x/v1", "meta/llama-3"), model: "meta/llama-3" };
  const window = (overrides: ModelOverrides) => overridesFor(choice, overrides).window?.value;

  it.each(["default/meta/llama-3", "meta/llama-3", "META/Llama-3", "default/*", "*llama*", "*"])(
    "under %s concern default/meta/llama-3",
    (key) => expect(window({ [key]: { window: 1_000 } })).toBe(1_000),
  );

  it.each(["llama-3", "meta/llama", "other/*", "meta.llama-3", ""])("under %j do not", (key) =>
    expect(window({ [key]: { window: 1_000 } })).toBeUndefined(),
  );

  it("count the more the more exactly they name the model", () => {
    const overrides = {
      "default/meta/llama-3": { window: 1_000 },
      "meta/llama-3": { window: 2_000 },
      "*": { window: 3_000 },
    };
    expect(window(overrides)).toBe(1_000);
    expect(window({ ...overrides, "default/meta/llama-3": {} })).toBe(2_000);
    expect(window({ "*": { window: 3_000 }, "default/*": { window: 4_000 } })).toBe(4_000);
  });
});
