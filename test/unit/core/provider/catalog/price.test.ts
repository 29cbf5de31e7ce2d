/** What an answer cost: by the endpoint, else by the known prices, with cached tokens at their own. */

import { afterEach, describe, expect, it } from "vitest";
import { withSource } from "../../../../../src/core/provider/catalog/fact-layers.ts";
import { withCost } from "../../../../../src/core/provider/catalog/price.ts";
import { type Agent, startAgent } from "../../../../support/agent.ts";

const prices = withSource({ inputPrice: 2, cachedPrice: 0.5, cacheWritePrice: 2.5, outputPrice: 8 }, "table");
const cost = (usage: Parameters<typeof withCost>[0], facts = prices) => withCost(usage, facts).cost;

describe("the cost of an answer", () => {
  it("is that of its tokens, each at its own price", () => {
    expect(cost({ inputTokens: 1_000_000, outputTokens: 0 })).toBe(2);
    expect(cost({ inputTokens: 0, outputTokens: 500_000 })).toBe(4);
    expect(cost({ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 800_000 })).toBeCloseTo(
      0.4 + 0.4,
      9,
    );
    expect(cost({ inputTokens: 1_000_000, outputTokens: 0, cacheWriteTokens: 600_000 })).toBeCloseTo(
      0.8 + 1.5,
      9,
    );
    const all = { inputTokens: 100, outputTokens: 10, cachedTokens: 60, cacheWriteTokens: 30 };
    expect(cost(all)).toBeCloseTo((10 * 2 + 60 * 0.5 + 30 * 2.5 + 10 * 8) / 1e6, 12);
  });

  it("counts cached tokens that are not part of the input tokens", () => {
    expect(cost({ inputTokens: 1_000, outputTokens: 0, cachedTokens: 9_000 })).toBeCloseTo(0.002 + 0.0045, 9);
  });

  it("takes cached tokens at the full price where theirs is not known", () => {
    const facts = withSource({ inputPrice: 2, outputPrice: 8 }, "settings");
    expect(cost({ inputTokens: 1_000_000, outputTokens: 0, cachedTokens: 500_000 }, facts)).toBe(2);
  });

  it("is the endpoint's own where it reports one, and unknown without prices", () => {
    expect(cost({ inputTokens: 1_000_000, outputTokens: 0, cost: 0.1 })).toBe(0.1);
    expect(cost({ inputTokens: 1, outputTokens: 1 }, withSource({ inputPrice: 2 }, "table"))).toBeUndefined();
    expect(
      cost({ inputTokens: 1, outputTokens: 1 }, withSource({ inputPrice: 0, outputPrice: 0 }, "table")),
    ).toBe(0);
  });
});

describe("a task's total", () => {
  let agent: Agent | undefined;
  afterEach(() => agent?.close());

  it("has the cost by the user's own prices", async () => {
    const usage = { promptTokens: 1_000, completionTokens: 100, cachedTokens: 600 };
    agent = await startAgent({
      script: { turns: [{ answer: [{ text: "Fine." }], usage, times: true }] },
      protocol: "native",
      settings: { models: { "*": { inputPrice: 2, cachedPrice: 0.5, outputPrice: 8 } } },
    });
    await agent.view.send("Hello");
    await agent.view.active.idle;
    expect(agent.view.active.chatView.totals.cost).toBeCloseTo((400 * 2 + 600 * 0.5 + 100 * 8) / 1e6, 9);
  });
});
