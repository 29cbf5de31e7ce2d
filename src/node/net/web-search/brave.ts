/** Brave Search: https://api-dashboard.search.brave.com/app/documentation/web-search */
import * as z from "../../../shared/zod.ts";
import { KEY_REJECTED, type SearchAdapter, type SearchAddress } from "./search-request.ts";

export const BRAVE_BASE = "https://api.search.brave.com";

const answerSchema = z.object({
  /** Absent if nothing was found. */
  web: z.optional(
    z.object({
      results: z.array(
        z.object({ title: z.string(), url: z.string(), description: z._default(z.string(), "") }),
      ),
    }),
  ),
});

export function brave({ base, key }: SearchAddress): SearchAdapter {
  return {
    name: "Brave Search",
    request(query, count) {
      const url = new URL("/res/v1/web/search", base);
      // Excerpts without markup.
      url.search = String(
        new URLSearchParams({
          q: query,
          count: String(count),
          text_decorations: "false",
          result_filter: "web",
        }),
      );
      return { url: url.href, headers: { "x-subscription-token": key } };
    },
    hits: (json) =>
      (answerSchema.parse(json).web?.results ?? []).map(({ title, url, description }) => ({
        title,
        url,
        snippet: description,
      })),
    // Brave reports a wrong key as a wrong parameter.
    refusal: (status, body) =>
      status === 422 && body.includes("SUBSCRIPTION_TOKEN_INVALID") ? KEY_REJECTED : undefined,
  };
}
