/** Long results of servers, which the model reads page by page. */
import { KeptResults } from "../../servers/kept-results.ts";
import type { ToolContext } from "../tool.ts";

const kept = new WeakMap<ToolContext, KeptResults>();

/** The results kept for this task. */
export function keptResultsOf(context: ToolContext): KeptResults {
  const known = kept.get(context) ?? new KeptResults();
  kept.set(context, known);
  return known;
}

/** How the model reads the rest of a result of this server. */
export function readingOn(server: string): (uri: string) => string {
  return (uri) => `access_mcp_resource with server_name ${server} and uri ${uri} shows more.`;
}
