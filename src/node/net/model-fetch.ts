/**
 * `fetch` for a model's endpoint. The runtime's own `fetch` times out after five minutes without a header, which a local model
 * may need to process a long prompt, and does not support proxies.
 */
import type { Dispatcher } from "undici";
import type { Fetch } from "../../core/ports/web.ts";
import { postedText, postText } from "./post-text.ts";
import { isLocal, proxyFor, proxyUrl } from "./proxy.ts";

/** No timeouts here: the provider has its own timeouts and reports them. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 };

/**
 * Creates a `fetch` that uses the proxies in `environment`, or that one `always`, and the signal of `init`. Rejects like
 * `fetch`, with the reason as the cause of a TypeError.
 */
export function createModelFetch(environment: NodeJS.ProcessEnv, always?: string): Fetch {
  const dispatchers = new Map<string, Dispatcher>();
  return async (input, init) => {
    // Loaded on first use, because a process that asks no model does not need it.
    const library = await import("undici");
    const dispatcherFor = (target: URL) => {
      const proxy = (always === undefined ? proxyOf(target, environment) : checkedProxy(always))?.href ?? "";
      // http requests are sent to the proxy without a tunnel, as curl does: not every proxy allows tunnels for http.
      const dispatcher =
        dispatchers.get(proxy) ??
        (proxy === ""
          ? new library.Agent(NO_TIMEOUTS)
          : new library.ProxyAgent({ ...NO_TIMEOUTS, uri: proxy, proxyTunnel: false }));
      dispatchers.set(proxy, dispatcher);
      return dispatcher;
    };
    const post = postedText(input, init);
    if (post) return postText(post, dispatcherFor(post.target));
    const request = new Request(input, init);
    const body = await request.arrayBuffer();
    const response = await library.fetch(request.url, {
      method: request.method,
      headers: [...request.headers],
      redirect: request.redirect,
      // The request's own signal stops following this one once the request is garbage collected.
      signal: init?.signal ?? null,
      dispatcher: dispatcherFor(new URL(request.url)),
      // As bytes, so that Content-Length is sent: some local servers accept no streamed body.
      ...(body.byteLength > 0 ? { body } : {}),
    });
    const { status, statusText, headers, body: stream } = response;
    const given = stream instanceof ReadableStream ? stream : null;
    return new Response(given, { status, statusText, headers: [...headers] });
  };
}

/** The editor's `fetch`, which uses the editor's proxies; models on this machine are reached directly. */
export function createEditorFetch(runtime: Fetch): Fetch {
  const direct = createModelFetch({});
  return (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    return (protocol === "http:" && isLocal(hostname) ? direct : runtime)(input, init);
  };
}

/** Returns the `fetch` for each proxy, with connections that are kept. */
export function createProxiedFetch(): (proxy: string) => Fetch {
  const known = new Map<string, Fetch>();
  return (proxy) => {
    const fetch = known.get(proxy) ?? createModelFetch({}, proxy);
    known.set(proxy, fetch);
    return fetch;
  };
}

/** Rejects like a `fetch` that cannot reach the proxy. */
function checkedProxy(text: string): URL {
  try {
    return proxyUrl(text);
  } catch (cause) {
    throw new TypeError("fetch failed", { cause });
  }
}

function proxyOf(url: URL, environment: NodeJS.ProcessEnv): URL | undefined {
  try {
    return proxyFor(url, environment);
  } catch (cause) {
    throw new TypeError("fetch failed", { cause });
  }
}

let installed: Promise<void> | undefined;

/**
 * Makes `fetch`, `Headers` and the other classes of the web those of the HTTP library, which requests to models load anyway. The
 * runtime has another copy of the same library, and loads it when one of them is used first. Only for a process of our own.
 */
export function installLibraryClasses(): Promise<void> {
  installed ??= install();
  return installed;
}

async function install(): Promise<void> {
  // The library looks for the runtime's class as it loads, which would load the runtime's copy. From Node 22 on, so would giving one of
  // them another value, but not its deletion.
  Reflect.deleteProperty(globalThis, "Headers");
  const { fetch, FormData, Headers, Request, Response } = await import("undici");
  const classes = { fetch, FormData, Headers, Request, Response };
  for (const name of Object.keys(classes)) Reflect.deleteProperty(globalThis, name);
  Object.assign(globalThis, classes);
}
