/** What a message would send, in estimated tokens and USD. */
import * as z from "zod";

export const forecastSchema = z.object({
  tokens: z.number(),
  cachedTokens: z.number(),
  /** Without the answer; absent: no price is known. */
  cost: z.number().optional(),
});
export type Forecast = z.infer<typeof forecastSchema>;
