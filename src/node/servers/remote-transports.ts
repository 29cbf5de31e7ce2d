/** The transports to remote servers. */
import type { SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { ServerLaunch } from "../../core/ports/servers.ts";
import type { Fetch } from "../../core/ports/web.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { McpSdk } from "./load-sdk.ts";

/** How servers answer that do not support streamable HTTP. */
const OTHER_TRANSPORT = new Set([400, 404, 405, 406, 415]);

export interface RemoteTransports {
  http(): StreamableHTTPClientTransport;
  sse(): SSEClientTransport;
  /** Whether the error of `http` suggests that the server supports only `sse`. */
  isOther(error: unknown): boolean;
}

/** The configured headers are sent to the server's own origin only: the SDK follows no redirect to another one. */
export function remoteTransports(
  sdk: McpSdk,
  { url, headers }: Exclude<ServerLaunch, { type: "stdio" }>,
  fetch: Fetch,
): RemoteTransports {
  const options = {
    fetch: boundedFetch(fetch),
    requestInit: { headers },
    redirectPolicy: "same-origin" as const,
  };
  return {
    http: () => new sdk.StreamableHTTPClientTransport(new URL(url), options),
    sse: () => new sdk.SSEClientTransport(new URL(url), options),
    isOther: (error) => error instanceof sdk.SdkHttpError && OTHER_TRANSPORT.has(error.data.status),
  };
}
