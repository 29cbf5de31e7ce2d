/**
 * A request that sends a text and follows no redirection, as those to models do. What the Fetch Standard has for all others (streams as
 * bodies, caches, filters of headers) takes 2 ms of the processor for each, so these go without.
 */
import { pipeline, type Readable } from "node:stream";
import zlib from "node:zlib";
import type { Dispatcher } from "undici";
import { isNullBodyStatus } from "../../core/provider/received.ts";

export interface TextPost {
  target: URL;
  headers: Headers;
  body: string;
  signal: AbortSignal | undefined;
}

/** undefined: it is another kind of request. Throws TypeError for headers that cannot be sent. */
export function postedText(
  input: string | URL | Request,
  init: RequestInit | undefined,
): TextPost | undefined {
  if (input instanceof Request || init?.method?.toUpperCase() !== "POST") return undefined;
  const { body, redirect, signal } = init;
  const target = URL.canParse(input) ? new URL(input) : undefined;
  if (typeof body !== "string" || redirect !== "manual" || !target) return undefined;
  if (!/^https?:$/.test(target.protocol) || target.username !== "" || target.password !== "")
    return undefined;
  const headers = new Headers(init.headers);
  // As `fetch` sends them, but for `deflate`, which servers understand in two ways.
  if (!headers.has("accept")) headers.set("accept", "*/*");
  if (!headers.has("content-type")) headers.set("content-type", "text/plain;charset=UTF-8");
  headers.set("accept-encoding", target.protocol === "https:" ? "br, gzip" : "gzip");
  return { target, headers, body, signal: signal ?? undefined };
}

/** Rejects like `fetch`: with the signal's reason, or with a TypeError that has the reason as its cause; so does the body. */
export async function postText(
  { target, headers, body, signal }: TextPost,
  dispatcher: Dispatcher,
): Promise<Response> {
  signal?.throwIfAborted();
  const failure = (message: string, cause: unknown) =>
    signal?.aborted ? signal.reason : new TypeError(message, { cause });
  const { origin, pathname, search } = target;
  const to = { origin, path: `${pathname}${search}`, method: "POST" } as const;
  const answer = await dispatcher
    .request({ ...to, headers, body, ...(signal ? { signal } : {}) })
    .catch((cause: unknown) => {
      throw failure("fetch failed", cause);
    });
  const { statusCode: status, statusText } = answer;
  const received = new Headers();
  for (const [name, values = []] of Object.entries(answer.headers))
    for (const value of [values].flat()) received.append(name, value);
  const about = { status, statusText, headers: received };
  if (isNullBodyStatus(status)) {
    await answer.body.dump();
    return new Response(null, about);
  }
  const encodings = (received.get("content-encoding") ?? "")
    .split(",")
    .map((name) => name.trim().toLowerCase());
  if (encodings.length > MOST_ENCODINGS) {
    leave(answer.body);
    throw failure("fetch failed", new Error(`the answer is packed ${encodings.length} times`));
  }
  return new Response(
    bytesOf(unpack(answer.body, encodings), (cause) => failure("terminated", cause)),
    about,
  );
}

/** As in the library's `fetch`: each costs memory, and an endpoint may be hostile. */
const MOST_ENCODINGS = 5;

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = zlib.constants;
/** What was packed so far is passed on, and an end that is missing is no error. */
const SYNC = { flush: Z_SYNC_FLUSH, finishFlush: Z_SYNC_FLUSH };
const BROTLI_SYNC = { flush: BROTLI_OPERATION_FLUSH, finishFlush: BROTLI_OPERATION_FLUSH };

/** By the name of the encoding: RFC 9110, 8.4.1. */
const UNPACKERS: Readonly<Record<string, () => NodeJS.ReadWriteStream & Readable>> = {
  gzip: () => zlib.createGunzip(SYNC),
  "x-gzip": () => zlib.createGunzip(SYNC),
  deflate: () => zlib.createInflate(SYNC),
  br: () => zlib.createBrotliDecompress(BROTLI_SYNC),
};

/** `encodings`: the last one was applied last. What has one that is not known stays as it is. */
function unpack(body: Readable, encodings: readonly string[]): Readable {
  const makers = encodings.toReversed().flatMap((name) => (name === "" ? [] : [UNPACKERS[name]]));
  let last = body;
  if (makers.every((make) => make !== undefined))
    for (const make of makers) last = pipeline(last, make(), () => undefined);
  return last;
}

/** Closes the connection, if something is left to read. */
function leave(body: Readable): void {
  body.on("error", () => undefined).destroy();
}

function bytesOf(body: Readable, failure: (cause: unknown) => unknown): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await chunks.next();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (cause) {
          throw failure(cause);
        }
      },
      // The end of an iterator that nobody has asked for anything ends nothing else.
      cancel: () => leave(body),
    },
    { highWaterMark: 0 },
  );
}
