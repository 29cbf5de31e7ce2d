/** The accumulated usage and cost of a session. */
import type { Totals } from "../../shared/event.ts";
import type { Usage } from "../../shared/message.ts";

/** The usage of an answer, and the tokens of its model's window. */
export interface Cost {
  usage: Usage;
  contextWindow: number;
  /** The endpoint did not count, so the figures are estimates. */
  estimated?: boolean;
}

/** The totals with one more answer. */
export function totalsWith(before: Totals, { usage, contextWindow, estimated = false }: Cost): Totals {
  const { inputTokens, outputTokens, cachedTokens = 0 } = usage;
  const cost = before.cost === undefined ? usage.cost : before.cost + (usage.cost ?? 0);
  const guessed = (before.estimatedTokens ?? 0) + (estimated ? inputTokens + outputTokens : 0);
  return {
    requests: before.requests + 1,
    inputTokens: before.inputTokens + inputTokens,
    outputTokens: before.outputTokens + outputTokens,
    cachedTokens: before.cachedTokens + cachedTokens,
    ...(cost === undefined ? {} : { cost }),
    contextTokens: inputTokens + outputTokens,
    contextWindow,
    ...(estimated ? { contextEstimated: true } : {}),
    ...(guessed > 0 ? { estimatedTokens: guessed } : {}),
  };
}
