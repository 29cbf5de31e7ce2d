/** The user's own facts about models, which override all others. */
import * as z from "zod";

const tokens = z.number().int().min(256).max(100_000_000).optional();
/** USD per million tokens. */
const price = z.number().min(0).max(10_000).optional();

export const modelOverrideSchema = z.strictObject({
  window: tokens,
  maxOutput: tokens,
  inputPrice: price,
  cachedPrice: price,
  cacheWritePrice: price,
  outputPrice: price,
  tools: z.boolean().optional(),
  images: z.boolean().optional(),
  reasoning: z.boolean().optional(),
});

/** By the name of a model (`connection/id`), its id, or a pattern of either, in which `*` stands for any characters. */
export const modelOverridesSchema = z.record(z.string(), modelOverrideSchema);
export type ModelOverrides = z.infer<typeof modelOverridesSchema>;
