/** The `fetch` for authorization servers and their metadata, whose addresses other servers name. */
import type { Fetch } from "../../../core/ports/web.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { isLocal } from "../../net/proxy.ts";
import { boundedFetch } from "../bounded-fetch.ts";
import { Failed } from "../server-errors.ts";

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

/** Throws Failed unless the address may be visited on behalf of the server. */
export function requireSecure(url: URL, serverUrl: string): void {
  const isHere = isLocal(url.hostname);
  const allowed = isHere
    ? isLocal(new URL(serverUrl).hostname) && (url.protocol === "http:" || url.protocol === "https:")
    : url.protocol === "https:";
  if (allowed) return;
  const address = url.origin === "null" ? url.protocol : url.origin;
  throw new Failed(reasonOf(isHere ? "sign-in-this-computer" : "sign-in-insecure", address));
}
