/** Tavily: https://docs.tavily.com/documentation/api-reference/endpoint/search */
import * as z from "../../../shared/zod.ts";
import type { SearchAdapter, SearchAddress } from "./search-request.ts";

export const TAVILY_BASE = "https://api.tavily.com";

const answerSchema = z.object({
  results: z.array(z.object({ title: z.string(), url: z.string(), content: z._default(z.string(), "") })),
});

/** Statuses of a plan's limit and of a limit of paid usage. */
const USED_UP = [432, 433];

export function tavily({ base, key }: SearchAddress): SearchAdapter {
  return {
    name: "Tavily",
    request: (query, count) => ({
      url: new URL("/search", base).href,
      headers: { authorization: `Bearer ${key}` },
      body: { query, max_results: count, search_depth: "basic" },
    }),
    hits: (json) =>
      answerSchema.parse(json).results.map(({ title, url, content }) => ({ title, url, snippet: content })),
    refusal: (status) =>
      USED_UP.includes(status) ? "has no searches left in the user's plan. Work without it" : undefined,
  };
}
