/** The user's own facts about models, which override all others. */
import * as z from "../zod.ts";

const tokens = z.optional(z.int().check(z.gte(256), z.lte(100_000_000)));
/** USD per million tokens. */
const price = z.optional(z.number().check(z.gte(0), z.lte(10_000)));

export const modelOverrideSchema = z.strictObject({
  window: tokens,
  maxOutput: tokens,
  inputPrice: price,
  cachedPrice: price,
  cacheWritePrice: price,
  outputPrice: price,
  tools: z.optional(z.boolean()),
  images: z.optional(z.boolean()),
  reasoning: z.optional(z.boolean()),
});

/** By the name of a model (`connection/id`), its id, or a pattern of either, in which `*` stands for any characters. */
export const modelOverridesSchema = z.record(z.string(), modelOverrideSchema);
export type ModelOverrides = z.infer<typeof modelOverridesSchema>;
