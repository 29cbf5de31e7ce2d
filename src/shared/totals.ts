/** The figures of a task: tokens, cost, and how often the prompt cache did not apply. */
import * as z from "./zod.ts";

/** Why a request does not begin with the previous one. window: the conversation was shortened or condensed. */
const prefixBreakCauseSchema = z.enum([
  "model",
  "protocol",
  "tools",
  "instructions",
  "form",
  "refused",
  "window",
  "unknown",
]);
export type PrefixBreakCause = z.infer<typeof prefixBreakCauseSchema>;
/** `tokens`: an estimate of the tokens that the endpoint's prompt cache can no longer supply. */
const prefixBreakSchema = z.object({
  cause: prefixBreakCauseSchema,
  tokens: z.number(),
  /** The additional cost in USD compared with tokens from the cache; absent: not known. */
  cost: z.optional(z.number()),
});
export type PrefixBreak = z.infer<typeof prefixBreakSchema>;

/** Running totals of a task. Tokens; cost in USD. */
export const totalsSchema = z.object({
  requests: z.number(),
  inputTokens: z.number(),
  outputTokens: z.number(),
  /** Of the input tokens: read from the endpoint's prompt cache, and written to it. */
  cachedTokens: z.number(),
  cacheWriteTokens: z.optional(z.number()),
  /** USD that the prompt cache saved, as far as prices are known. */
  saved: z.optional(z.number()),
  /** Absent until the endpoint reports a price. */
  cost: z.optional(z.number()),
  /** Tokens of the last prompt and its answer, and the size of the window that they must fit. */
  contextTokens: z.number(),
  contextWindow: z.number(),
  /** `contextTokens` is an estimate: the endpoint did not report a count. */
  contextEstimated: z.optional(z.boolean()),
  /** The estimated part of `inputTokens` and `outputTokens`. */
  estimatedTokens: z.optional(z.number()),
  /** Breaks of the prefix by cause: how many, and their tokens in total. */
  prefixBreaks: z.optional(z.array(z.extend(prefixBreakSchema, { count: z.number() }))),
});
export type Totals = z.infer<typeof totalsSchema>;

export const emptyTotals: Totals = {
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  contextTokens: 0,
  contextWindow: 0,
};
