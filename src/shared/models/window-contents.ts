/** What the model's context window contains, by kind, and what a message would add to it: both are estimated in the core. */
import * as z from "../zod.ts";

export const WINDOW_KINDS = [
  "system",
  "tools",
  "servers",
  "rules",
  "files",
  "results",
  "conversation",
] as const;
const windowKindSchema = z.enum(WINDOW_KINDS);
export type WindowKind = z.infer<typeof windowKindSchema>;

export const windowContentsSchema = z.object({
  /** Estimated tokens of the next request. */
  tokens: z.number(),
  /** Tokens of the model's window; 0: unknown. */
  size: z.number(),
  /** Estimated tokens by kind, which add up to `tokens`. */
  parts: z.array(z.object({ kind: windowKindSchema, tokens: z.number() })),
  /** What the request leaves out: whole messages, and results that a note replaces. */
  leftOut: z.object({ messages: z.number(), results: z.number(), isSummarized: z.boolean() }),
  /** `ruleFilesSchema`: the rules that the model has, and those that it does not have; absent: not asked for. */
  rules: z.optional(z.unknown()),
  /** The notes of the project's memory that the model has, see `memoryNoteSchema`. */
  memory: z.optional(z.unknown()),
  /** What each model's answers cost; `name` is `connection/id`. Tokens; cost in USD, absent: unknown. */
  models: z.array(
    z.object({
      name: z.string(),
      requests: z.number(),
      inputTokens: z.number(),
      outputTokens: z.number(),
      cost: z.optional(z.number()),
    }),
  ),
});
export type WindowContents = z.infer<typeof windowContentsSchema>;

/** What a message would send, in estimated tokens and USD. */
export const forecastSchema = z.object({
  tokens: z.number(),
  cachedTokens: z.number(),
  /** Without the answer; absent: no price is known. */
  cost: z.optional(z.number()),
});
export type Forecast = z.infer<typeof forecastSchema>;
