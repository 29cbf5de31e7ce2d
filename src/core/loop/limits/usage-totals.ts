/** The accumulated usage and cost of a session. */

import type { Usage } from "../../../shared/message.ts";
import { emptyTotals, type PrefixBreak, type Totals } from "../../../shared/totals.ts";

/** The usage of an answer, and the tokens of its model's window. */
export interface Cost {
  usage: Usage;
  contextWindow: number;
  /** The endpoint did not count, so the figures are estimates. */
  estimated?: boolean;
  /** The request did not begin with the one before it. */
  broken?: PrefixBreak | undefined;
}

/** The figures that add up, whichever conversation they are from. */
const SUMS = ["requests", "inputTokens", "outputTokens", "cachedTokens"] as const;
const OPTIONAL_SUMS = ["cacheWriteTokens", "saved", "cost", "estimatedTokens"] as const;

/** The totals with what other conversations cost, which fill other context windows. */
function totalsPlus(before: Totals, spent: readonly Totals[]): Totals {
  const sum = { ...before };
  for (const other of spent) {
    for (const name of SUMS) sum[name] += other[name];
    for (const name of OPTIONAL_SUMS) {
      const value = other[name];
      if (value !== undefined) sum[name] = (sum[name] ?? 0) + value;
    }
  }
  return sum;
}

/** The totals with one more answer. */
export function totalsWith(
  before: Totals,
  { usage, contextWindow, estimated = false, broken }: Cost,
): Totals {
  const { inputTokens, outputTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const written = (before.cacheWriteTokens ?? 0) + cacheWriteTokens;
  const saved = usage.saved === undefined ? before.saved : (before.saved ?? 0) + usage.saved;
  const cost = before.cost === undefined ? usage.cost : before.cost + (usage.cost ?? 0);
  const guessed = (before.estimatedTokens ?? 0) + (estimated ? inputTokens + outputTokens : 0);
  return {
    requests: before.requests + 1,
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens,
    cachedTokens: before.cachedTokens + cachedTokens,
    ...(written > 0 ? { cacheWriteTokens: written } : {}),
    ...(saved === undefined ? {} : { saved }),
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
  const earlier = prefixBreaks.find(({ cause }) => cause === broken.cause);
  const others = prefixBreaks.filter((each) => each !== earlier);
  const costs = [earlier?.cost, broken.cost].flatMap((cost) => cost ?? []);
  const all = {
    cause: broken.cause,
    count: (earlier?.count ?? 0) + 1,
    tokens: (earlier?.tokens ?? 0) + broken.tokens,
    ...(costs.length === 0 ? {} : { cost: costs.reduce((sum, cost) => sum + cost, 0) }),
  };
  return { prefixBreaks: [...others, all] };
}

/** `cost`: of one more answer, or what other conversations spent. */
export function totalsAfter(before: Totals, cost: Cost | readonly Totals[]): Totals {
  return "usage" in cost ? totalsWith(before, cost) : totalsPlus(before, cost);
}

/** The totals of a session: as they are stored, and with what is being written, because several calls may end at once. */
export class SessionTotals {
  #stored = emptyTotals;
  #next = emptyTotals;

  get stored(): Totals {
    return this.#stored;
  }

  load(totals: Totals): void {
    this.#stored = totals;
    this.#next = totals;
  }

  /** The totals to store. They include everything that earlier calls of this method added. */
  with(cost: Cost | readonly Totals[]): Totals {
    this.#next = totalsAfter(this.#next, cost);
    return this.#next;
  }

  /** Called when these totals are stored, in the order of `with`. Returns what was spent since the totals that were stored before. */
  store(totals: Totals): { cost: number; requests: number } {
    const { cost = 0, requests } = this.#stored;
    this.#stored = totals;
    return { cost: (totals.cost ?? 0) - cost, requests: totals.requests - requests };
  }
}
