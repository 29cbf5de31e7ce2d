/** Computes what an answer cost, where its endpoint reports tokens but no price. */
import type { Usage } from "../../../shared/message.ts";
import type { ModelFacts } from "../../../shared/models/facts.ts";

const MILLION = 1_000_000;

/** Returns the usage with its cost in USD: the endpoint's own, else by the known prices, else without. */
export function withCost(usage: Usage, facts: ModelFacts): Usage {
  const { inputPrice: input, outputPrice: output } = facts;
  if (!input || !output) return usage;
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const cached = (facts.cachedPrice ?? input).value;
  const written = (facts.cacheWritePrice ?? input).value;
  // Some endpoints do not include cached tokens in the input tokens.
  const apart = cachedTokens > inputTokens;
  const plain = Math.max(0, inputTokens - (apart ? 0 : cachedTokens) - cacheWriteTokens);
  const sum =
    plain * input.value + cachedTokens * cached + cacheWriteTokens * written + outputTokens * output.value;
  const saved = cachedTokens * (input.value - cached) - cacheWriteTokens * (written - input.value);
  return {
    ...usage,
    cost: usage.cost ?? sum / MILLION,
    ...(saved === 0 ? {} : { saved: saved / MILLION }),
  };
}

/** Returns what it costs in USD to send tokens again that the endpoint had in its cache; undefined: prices are not known. */
export function missCost(
  tokens: number,
  { inputPrice: input, cachedPrice: cached }: ModelFacts,
): number | undefined {
  return input && cached && (tokens * (input.value - cached.value)) / MILLION;
}
