/** The `fetch` for authorization servers and their metadata, whose addresses other servers name. */
import { ToolError } from "../../../core/errors.ts";
import type { Fetch } from "../../../core/ports/web.ts";
import { isLocal } from "../../net/proxy.ts";
import { boundedFetch } from "../bounded-fetch.ts";

/** Milliseconds for one request. */
const REQUEST_MS = 30_000;

/**
 * Allows only https, and http on this machine if the MCP server itself is on this machine. Otherwise a remote server could make
 * us send requests to this machine, or credentials over an unprotected connection.
 */
export function secureFetch(fetch: Fetch, serverUrl: string, signal?: AbortSignal): Fetch {
  const bounded = boundedFetch(fetch);
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    requireSecure(url, serverUrl);
    const late = AbortSignal.timeout(REQUEST_MS);
    const signals = [late, signal, init?.signal].filter((each) => each != null);
    return bounded(input, { ...init, signal: AbortSignal.any(signals) });
  };
}

/** Throws ToolError unless the address may be visited on behalf of the server. */
export function requireSecure(url: URL, serverUrl: string): void {
  const isHere = isLocal(url.hostname);
  const allowed = isHere
    ? isLocal(new URL(serverUrl).hostname) && (url.protocol === "http:" || url.protocol === "https:")
    : url.protocol === "https:";
  if (allowed) return;
  throw new ToolError(
    isHere
      ? `The authorization server's address ${url.origin} is on this computer, but the MCP server is not.`
      : `The authorization server's address ${url.origin} is not secure: it must be an https address.`,
  );
}
