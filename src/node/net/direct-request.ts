/**
 * Requests over the runtime's own HTTP client. Each `fetch` compiles a parser of its own in WebAssembly, which takes a short
 * run of the terminal host more time and memory than all that it sends.
 */
import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { constants, createBrotliDecompress, createGunzip, createInflate } from "node:zlib";

/** Statuses of responses that must have a null body (Fetch standard, "null body status"). */
const WITHOUT_BODY = [204, 205, 304];

/** Milliseconds that an unused connection is kept, unless the server names fewer. */
const KEEP_ALIVE_MS = 4_000;

/** As far as the request itself does not name them. */
const DEFAULT_HEADERS = { accept: "*/*", "accept-encoding": "gzip, br", "user-agent": "node" };

interface Client {
  request: typeof import("node:http").request;
  agent: Agent;
}

/** Sends one request. Rejects like `fetch`, also within the body. */
export type SendRequest = (
  request: Pick<Request, "url" | "method" | "headers">,
  body: Uint8Array,
  signal: AbortSignal | undefined,
) => Promise<Response>;

/** Returns what sends requests without following redirects, over connections that are kept. */
export function createDirectRequests(): SendRequest {
  const clients = new Map<string, Promise<Client>>();
  const clientFor = (protocol: string) => {
    const client = clients.get(protocol) ?? createClient(protocol);
    clients.set(protocol, client);
    return client;
  };
  return async ({ url, method, headers }, body, signal) => {
    const target = new URL(url);
    const { request, agent } = await clientFor(target.protocol);
    signal?.throwIfAborted();
    const sent = request(target, {
      ...{ method, agent },
      headers: { ...DEFAULT_HEADERS, ...Object.fromEntries(headers) },
    });
    // In one piece, so that Content-Length is sent: some local servers accept no streamed body.
    sent.end(body);
    const message = await responseTo(sent, signal);
    return asResponse(message, method, signal);
  };
}

/** TLS is loaded by those who need it. */
async function createClient(protocol: string): Promise<Client> {
  const client = protocol === "https:" ? await import("node:https") : await import("node:http");
  return {
    request: client.request,
    agent: new client.Agent({ keepAlive: true, timeout: KEEP_ALIVE_MS }),
  };
}

function responseTo(sent: ClientRequest, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const abort = () => sent.destroy();
    signal?.addEventListener("abort", abort, { once: true });
    sent.once("close", () => signal?.removeEventListener("abort", abort));
    sent.once("response", resolve);
    // Also after the response, whose body then breaks off.
    sent.on("error", (cause) => reject(failure("fetch failed", cause, signal)));
  });
}

function asResponse(message: IncomingMessage, method: string, signal: AbortSignal | undefined): Response {
  const { statusCode: status = 0, statusMessage: statusText = "", rawHeaders } = message;
  try {
    const headers = new Headers();
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] ?? "", rawHeaders[at + 1] ?? "");
    if (method !== "HEAD" && !WITHOUT_BODY.includes(status)) {
      const body = streamOf(unpacked(message, headers), signal);
      return new Response(body, { status, statusText, headers });
    }
    message.resume();
    return new Response(null, { status, statusText, headers });
  } catch (cause) {
    message.destroy();
    throw new TypeError("fetch failed", { cause });
  }
}

/** The body without its packing; a packed stream is passed on as it comes. */
function unpacked(message: IncomingMessage, headers: Headers): Readable {
  const names = (headers.get("content-encoding") ?? "").toLowerCase().split(",");
  return names.reverse().reduce<Readable>((stream, name) => {
    const unpacker = unpackerOf(name.trim());
    // What breaks one breaks the last one, whose reader is told.
    return unpacker ? pipeline(stream, unpacker, () => undefined) : stream;
  }, message);
}

function unpackerOf(encoding: string) {
  // An answer that breaks off is passed on as far as it came.
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  const [zip, brotli] = [Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH].map((flush) => ({
    flush,
    finishFlush: flush,
  }));
  if (encoding === "gzip" || encoding === "x-gzip") return createGunzip(zip);
  if (encoding === "deflate") return createInflate(zip);
  return encoding === "br" ? createBrotliDecompress(brotli) : undefined;
}

function streamOf(body: Readable, signal: AbortSignal | undefined): ReadableStream<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  // The reader is told when it next reads.
  body.on("error", () => undefined);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          controller.error(failure("terminated", cause, signal));
        }
      },
      cancel: () => void body.destroy(),
    },
    { highWaterMark: 0 },
  );
}

/** As `fetch` names it. */
function failure(
  what: "fetch failed" | "terminated",
  cause: unknown,
  signal: AbortSignal | undefined,
): unknown {
  return signal?.aborted ? signal.reason : new TypeError(what, { cause });
}
