/** The `fetch` for authorization servers and their metadata, whose addresses are supplied by other servers. */
import { isIP } from "node:net";
import type { Fetch } from "../../../core/ports/web.ts";
import { reasonOf } from "../../../shared/reason.ts";
import { isLocal } from "../../net/proxy.ts";
import { isPublicAddress } from "../../net/web-address.ts";
import { boundedFetch } from "../bounded-fetch.ts";
import { Failed } from "../server-errors.ts";

/** Milliseconds for one request. */
const REQUEST_MS = 30_000;

/**
 * Allows only https, and http on this machine if the MCP server itself is on this machine. Addresses on this machine or a private
 * network are allowed only if the server's own is. Otherwise a remote server could make us send requests into that network, or
 * credentials over an unprotected connection.
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
  const { hostname } = new URL(serverUrl);
  const isSecure =
    url.protocol === "https:" || (url.protocol === "http:" && isLocal(url.hostname) && isLocal(hostname));
  const leadsInside = isInside(url.hostname) && !isInside(hostname);
  if (isSecure && !leadsInside) return;
  const address = url.origin === "null" ? url.protocol : url.origin;
  throw new Failed(reasonOf(leadsInside ? "sign-in-private" : "sign-in-insecure", address));
}

/** Whether the host of a URL is this machine or a private network by its form. */
function isInside(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return isLocal(host) || (isIP(address) !== 0 && !isPublicAddress(address));
}
