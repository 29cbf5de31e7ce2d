/** The network access of a connection. */
import type { Connection } from "../../../shared/models/connection.ts";
import { ProviderError } from "../../errors.ts";
import type { Host } from "../../ports/host.ts";
import type { Fetch } from "../../ports/web.ts";

/**
 * Returns the `fetch` for a connection: through its own proxy if it has one, and never around it. undefined: the runtime's.
 */
export function fetchFor(
  { fetch, fetchVia }: Pick<Host, "fetch" | "fetchVia">,
  { proxy = "" }: Connection,
): Fetch | undefined {
  const wanted = proxy.trim();
  if (wanted === "") return fetch;
  if (fetchVia) return fetchVia(wanted);
  return async () => {
    const detail = "this host has no proxies for single connections";
    throw new ProviderError({ code: "unreachable", subject: wanted, detail });
  };
}
