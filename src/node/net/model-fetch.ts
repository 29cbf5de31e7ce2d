/**
 * `fetch` for a model's endpoint. The runtime's own gives up where no header came within five minutes, which a local
 * model may need to read a long prompt, and knows nothing of proxies.
 */
import type { Dispatcher } from "undici";
import type { Fetch } from "../../core/ports/web.ts";
import { isLocal, proxyFor } from "./proxy.ts";

/** The provider has limits of its own, which it names when they pass. */
const patient = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Through the proxies that `environment` names; aborted by the signal of `init`. Rejects with the reason as the cause of a
 * TypeError, as `fetch` does.
 */
export function createModelFetch(environment: NodeJS.ProcessEnv): Fetch {
  const ways = new Map<string, Dispatcher>();
  return async (input, init) => {
    // Not before it is needed: a process that asks no model has no use for it.
    const { Agent, ProxyAgent, fetch } = await import("undici");
    const request = new Request(input, init);
    const body = await request.arrayBuffer();
    const proxy = wayTo(new URL(request.url), environment)?.href ?? "";
    // An http address is asked of the proxy by its name, as curl does: not every proxy makes tunnels to such.
    const way =
      ways.get(proxy) ??
      (proxy === "" ? new Agent(patient) : new ProxyAgent({ ...patient, uri: proxy, proxyTunnel: false }));
    ways.set(proxy, way);
    const response = await fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      redirect: request.redirect,
      // The request's own follows this one only for as long as nobody collects the request.
      signal: init?.signal ?? null,
      dispatcher: way,
      // With its length, which a stream has not: some local servers know no other body.
      ...(body.byteLength > 0 ? { body } : {}),
    });
    const { status, statusText, headers, body: stream } = response;
    const given = stream instanceof ReadableStream ? stream : null;
    return new Response(given, { status, statusText, headers: [...headers] });
  };
}

/** The runtime's own `fetch`, which the editor leads through its proxies, but for models on this machine. */
export function createEditorFetch(runtime: Fetch): Fetch {
  const direct = createModelFetch({});
  return (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    return (protocol === "http:" && isLocal(hostname) ? direct : runtime)(input, init);
  };
}

function wayTo(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  try {
    return proxyFor(url, environment);
  } catch (cause) {
    throw new TypeError("fetch failed", { cause });
  }
}
