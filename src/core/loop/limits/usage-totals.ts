/** The accumulated usage and cost of a session. */

import type { Usage } from "../../../shared/message.ts";
import type { PrefixBreak, Totals } from "../../../shared/totals.ts";

/** The usage of an answer, and the tokens of its model's window. */
export interface Cost {
  usage: Usage;
  contextWindow: number;
  /** The endpoint did not count, so the figures are estimates. */
  estimated?: boolean;
  /** The request did not begin with the one before it. */
  broken?: PrefixBreak | undefined;
}

/** The totals with what other conversations cost, which fill other context windows. */
function totalsPlus(before: Totals, spent: readonly Totals[]): Totals {
  return spent.reduce((sum, { requests, inputTokens, outputTokens, cachedTokens, cost, estimatedTokens }) => {
    const total = cost === undefined ? sum.cost : (sum.cost ?? 0) + cost;
    const guessed = (sum.estimatedTokens ?? 0) + (estimatedTokens ?? 0);
    return {
      ...sum,
      requests: sum.requests + requests,
      inputTokens: sum.inputTokens + inputTokens,
      outputTokens: sum.outputTokens + outputTokens,
      cachedTokens: sum.cachedTokens + cachedTokens,
      ...(total === undefined ? {} : { cost: total }),
      ...(guessed > 0 ? { estimatedTokens: guessed } : {}),
    };
  }, before);
}

/** The totals with one more answer. */
export function totalsWith(
  before: Totals,
  { usage, contextWindow, estimated = false, broken }: Cost,
): Totals {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const written = (before.cacheWriteTokens ?? 0) + cacheWriteTokens;
  const cost = before.cost === undefined ? usage.cost : before.cost + (usage.cost ?? 0);
  const guessed = (before.estimatedTokens ?? 0) + (estimated ? inputTokens + outputTokens : 0);
  return {
    requests: before.requests + 1,
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens,
    cachedTokens: before.cachedTokens + cachedTokens,
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(cost === undefined ? {} : { cost }),
    contextTokens: inputTokens + outputTokens,
    contextWindow,
    ...(estimated ? { contextEstimated: true } : {}),
    ...(guessed > 0 ? { estimatedTokens: guessed } : {}),
    ...breaksWith(before, broken),
  };
}

function breaksWith(
  { prefixBreaks = [] }: Totals,
  broken: PrefixBreak | undefined,
): Pick<Totals, "prefixBreaks"> {
  if (!broken) return prefixBreaks.length === 0 ? {} : { prefixBreaks };
  const { cause, tokens } = broken;
  const { count, tokens: earlier } = prefixBreaks.find((each) => each.cause === cause) ?? {
    count: 0,
    tokens: 0,
  };
  const others = prefixBreaks.filter((each) => each.cause !== cause);
  return { prefixBreaks: [...others, { cause, count: count + 1, tokens: earlier + tokens }] };
}

/** `cost`: of one more answer, or what other conversations spent. */
export function totalsAfter(before: Totals, cost: Cost | readonly Totals[]): Totals {
  return "usage" in cost ? totalsWith(before, cost) : totalsPlus(before, cost);
}
