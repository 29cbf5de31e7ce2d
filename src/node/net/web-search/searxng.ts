/** SearXNG: https://docs.searxng.org/dev/search_api.html */
import { ToolError } from "../../../core/errors.ts";
import * as z from "../../../shared/zod.ts";
import type { SearchAdapter, SearchAddress } from "./search-request.ts";

const answerSchema = z.object({
  results: z.array(
    z.object({ title: z.nullish(z.string()), url: z.string(), content: z.nullish(z.string()) }),
  ),
  /** Engine and reason. */
  unresponsive_engines: z._default(z.catch(z.array(z.array(z.string())), []), []),
});

export function searxng({ base }: Pick<SearchAddress, "base">): SearchAdapter {
  return {
    name: "SearXNG",
    request(query) {
      const url = new URL(base);
      url.pathname = `${url.pathname.replace(/\/(?:search)?\/?$/, "")}/search`;
      url.search = String(new URLSearchParams({ q: query, format: "json" }));
      return { url: url.href };
    },
    hits(json) {
      const { results, unresponsive_engines: silent } = answerSchema.parse(json);
      if (results.length === 0 && silent.length > 0) {
        const engines = silent.slice(0, 10).map((each) => each.join(": ").slice(0, 80));
        throw new ToolError(
          `SearXNG found nothing, because its engines did not answer (${engines.join(", ")}).`,
        );
      }
      return results.map(({ title, url, content }) => ({ title: title ?? "", url, snippet: content ?? "" }));
    },
    refusal: (status) =>
      status === 403
        ? "does not answer in JSON. Its administrator allows that with json under search.formats in settings.yml"
        : undefined,
  };
}
