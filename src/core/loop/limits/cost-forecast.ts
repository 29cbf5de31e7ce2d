/** What the next request would send, and about what that costs. */

import type { ModelFacts } from "../../../shared/models/facts.ts";
import type { Forecast } from "../../../shared/models/forecast.ts";
import { withCost } from "../../provider/catalog/price.ts";

/** `cachedTokens`: the part that the endpoint's cache probably supplies. */
export function forecastOf(tokens: number, cachedTokens: number, facts: ModelFacts): Forecast {
  const cached = Math.min(tokens, cachedTokens);
  const { cost } = withCost({ inputTokens: tokens, cachedTokens: cached, outputTokens: 0 }, facts);
  return { tokens, cachedTokens: cached, ...(cost === undefined ? {} : { cost }) };
}
