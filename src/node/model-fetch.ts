/**
 * `fetch` for a model's endpoint. The runtime's own gives up where no header came within five minutes, which a local
 * model may need to read a long prompt, and knows nothing of proxies.
 */
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import type { Readable } from "node:stream";
import tls from "node:tls";
import zlib from "node:zlib";
import type { Fetch } from "../core/ports.ts";
import { isLocal, proxyFor } from "./proxy.ts";

/** A connection for each request: one that was kept may have been closed by the other side meanwhile. */
const fresh = { http: new http.Agent({ keepAlive: false }), https: new https.Agent({ keepAlive: false }) };

/** Aborted by the signal of `init`. Through the proxies that `environment` names. Rejects with the reason as the cause of a TypeError, as `fetch` does. */
export function createModelFetch(environment: NodeJS.ProcessEnv): Fetch {
  return async (input, init) => {
    // Not the request's own, which follows this one only for as long as nobody collects the request.
    const signal = init?.signal ?? undefined;
    try {
      return await send(new Request(input, init), signal, environment);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new TypeError("fetch failed", { cause });
    }
  };
}

/** The runtime's own `fetch`, which the editor leads through its proxies, but for models on this machine. */
export function createEditorFetch(runtime: Fetch): Fetch {
  const patient = createModelFetch({});
  return (input, init) => {
    const { protocol, hostname } = new URL(input instanceof Request ? input.url : input);
    return (protocol === "http:" && isLocal(hostname) ? patient : runtime)(input, init);
  };
}

async function send(
  request: Request,
  signal: AbortSignal | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Response> {
  const url = new URL(request.url);
  const body = Buffer.from(await request.arrayBuffer());
  const headers: http.OutgoingHttpHeaders = { ...Object.fromEntries(request.headers) };
  if (body.length > 0) headers["content-length"] = body.length;
  headers["accept-encoding"] ??= "gzip, deflate, br";
  const options = { method: request.method, headers, signal };
  const sent = await open(url, options, proxyFor(url, environment));
  sent.end(body);
  const [response]: [http.IncomingMessage] = await answer(sent);
  const { statusCode: status = 0, statusMessage: statusText = "" } = response;
  const given = new Headers();
  for (let at = 0; at + 1 < response.rawHeaders.length; at += 2)
    given.append(response.rawHeaders[at] ?? "", response.rawHeaders[at + 1] ?? "");
  const hasBody = status !== 204 && status !== 304;
  return new Response(hasBody ? webStream(unpacked(response)) : null, { status, statusText, headers: given });
}

async function answer(sent: http.ClientRequest): Promise<[http.IncomingMessage]> {
  const [response] = await once(sent, "response");
  if (!(response instanceof http.IncomingMessage)) throw new TypeError("no response");
  return [response];
}

type Options = Pick<http.RequestOptions, "method" | "headers" | "signal">;

async function open(url: URL, options: Options, proxy: URL | undefined): Promise<http.ClientRequest> {
  if (url.protocol === "https:") {
    if (!proxy) return https.request(url, { ...options, agent: fresh.https });
    const socket = await tunnel(url, proxy, options.signal);
    return https.request(url, { ...options, createConnection: () => socket });
  }
  if (!proxy) return http.request(url, { ...options, agent: fresh.http });
  const headers = { ...options.headers, host: url.host, ...credentials(proxy) };
  return toProxy(proxy, { ...options, headers, path: url.href });
}

/** A connection to the host behind the proxy, with TLS up to that host. */
async function tunnel(url: URL, proxy: URL, signal: AbortSignal | undefined): Promise<tls.TLSSocket> {
  const host = `${url.hostname}:${url.port || 443}`;
  const headers = { host, ...credentials(proxy) };
  const asked = toProxy(proxy, { method: "CONNECT", path: host, headers, signal });
  asked.end();
  const [response, socket] = await once(asked, "connect");
  if (response.statusCode !== 200) {
    socket.destroy();
    throw new Error(`the proxy ${proxy.host} answered ${response.statusCode} ${response.statusMessage}`);
  }
  const secured = tls.connect({ socket, servername: url.hostname });
  await once(secured, "secureConnect");
  return secured;
}

function toProxy(proxy: URL, options: http.RequestOptions): http.ClientRequest {
  const { hostname, port, protocol } = proxy;
  const module = protocol === "https:" ? https : http;
  const agent = protocol === "https:" ? fresh.https : fresh.http;
  return module.request({ ...options, hostname, port: port || (protocol === "https:" ? 443 : 80), agent });
}

function credentials(proxy: URL): Record<string, string> {
  if (proxy.username === "") return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { "proxy-authorization": `Basic ${Buffer.from(pair).toString("base64")}` };
}

function unpacked(response: http.IncomingMessage): Readable {
  const kind = response.headers["content-encoding"]?.toLowerCase();
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const unpack =
    kind === "gzip" || kind === "deflate"
      ? zlib.createUnzip(flush)
      : kind === "br"
        ? zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH })
        : undefined;
  if (!unpack) return response;
  response.on("error", (error) => unpack.destroy(error));
  return response.pipe(unpack);
}

function webStream(readable: Readable): ReadableStream<Uint8Array> {
  const chunks = readable.iterator();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void readable.destroy(),
  });
}
