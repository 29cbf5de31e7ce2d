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
import type * as McpSdk from "./mcp-sdk.ts";
import { Failed } from "./server-errors.ts";

/**
 * Maximum number of concurrent requests to one server. Answers to a server that asks a lot but accepts nothing would
 * accumulate.
 */
const MOST_AT_ONCE = 1_000;

/** How servers answer that do not support streamable HTTP. */
const OTHER_TRANSPORT = new Set([400, 404, 405, 406, 415]);

interface RemoteTransports {
  http(): StreamableHTTPClientTransport;
  sse(): SSEClientTransport;
  /** Whether the error of `http` suggests that the server supports only `sse`. */
  isOther(error: unknown): boolean;
  /** Whether the server says that it failed. Some do where they get a request that their protocol version does not have. */
  isServerFault(error: unknown): boolean;
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
    isServerFault: (error) => error instanceof sdk.SdkHttpError && error.data.status >= 500,
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

/** Shorter values are not treated as secrets, because they occur in ordinary words. */
const SHORTEST_SECRET = 8;
const REMOVED = "[removed]";

/**
 * The same `fetch`, without what a server repeats of our request in an error: some show all headers that they received. `names`:
 * the configured headers.
 */
function withoutEchoes(fetch: Fetch, names: readonly string[]): Fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { status, statusText, headers, body } = response;
    if (response.ok || body === null) return response;
    const sent = new Headers(init?.headers);
    const secrets = ["authorization", ...names].flatMap((name) => secretsIn(sent.get(name) ?? ""));
    const cleaned = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(cleanedOf(await response.text(), secrets)));
          controller.close();
        },
        cancel: (reason) => body.cancel(reason),
      },
      // The body is read only if the caller reads it.
      { highWaterMark: 0 },
    );
    return new Response(cleaned, { status, statusText, headers });
  };
}

/** The value, and the token after its scheme. */
function secretsIn(value: string): string[] {
  return [value, value.split(/\s+/).at(-1) ?? ""].filter((each) => each.length >= SHORTEST_SECRET);
}

function cleanedOf(text: string, secrets: readonly string[]): string {
  return secrets.reduce((cleaned, secret) => cleaned.replaceAll(secret, REMOVED), text);
}
