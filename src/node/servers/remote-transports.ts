/** The transports to remote servers. */
import type {
  AuthProvider,
  SSEClientTransport,
  StreamableHTTPClientTransport,
} from "@modelcontextprotocol/client";
import type { ServerLaunch } from "../../core/ports/servers.ts";
import type { Fetch } from "../../core/ports/web.ts";
import { ServerError } from "../../core/servers/server-error.ts";
import { reasonOf } from "../../shared/reason.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { withoutEchoes } from "./echoed-secrets.ts";
import type * as McpSdk from "./mcp-sdk.ts";
import { Failed } from "./server-errors.ts";

/** Requests to one server at once: answers to a server that asks much and accepts nothing would pile up. */
const MOST_AT_ONCE = 1_000;

/** How servers answer that do not support streamable HTTP. */
const OTHER_TRANSPORT = new Set([400, 404, 405, 406, 415]);

export interface RemoteTransports {
  http(): StreamableHTTPClientTransport;
  sse(): SSEClientTransport;
  /** Whether the error of `http` suggests that the server supports only `sse`. */
  isOther(error: unknown): boolean;
}

/** The token and the configured headers are sent to the server's own origin only: the SDK follows no redirect to another one. */
export function remoteTransports(
  sdk: typeof McpSdk,
  { url, headers }: Exclude<ServerLaunch, { type: "stdio" }>,
  fetch: Fetch,
  authProvider: AuthProvider,
): RemoteTransports {
  const options = {
    fetch: withoutEchoes(boundedFetch(fewAtOnce(fetch)), Object.keys(headers)),
    requestInit: { headers },
    redirectPolicy: "same-origin" as const,
    authProvider,
  };
  return {
    http: () => new sdk.StreamableHTTPClientTransport(new URL(url), options),
    sse: () => new sdk.SSEClientTransport(new URL(url), options),
    isOther: (error) => error instanceof sdk.SdkHttpError && OTHER_TRANSPORT.has(error.data.status),
  };
}

function fewAtOnce(fetch: Fetch): Fetch {
  let open = 0;
  return async (input, init) => {
    if (open >= MOST_AT_ONCE) throw new Failed(reasonOf("mcp-not-reading"));
    open++;
    try {
      return await fetch(input, init);
    } finally {
      open--;
    }
  };
}

/** The user configured a token of their own, so Nekode does not sign in. */
export function hasOwnToken({ headers }: Exclude<ServerLaunch, { type: "stdio" }>): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}

/** Leaves the configured header as it is. */
export function ownToken(server: string): AuthProvider {
  return {
    token: async () => undefined,
    onUnauthorized: () => Promise.reject(new ServerError(server, reasonOf("mcp-header-refused"))),
  };
}
