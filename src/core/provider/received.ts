/**
 * Guards what an endpoint sends back. An endpoint may be hostile or broken: it never leads a request, with the key and the
 * conversation in it, to another origin, and nothing it sends grows without bound.
 */
import { ProviderError } from "../errors.ts";
import type { Fetch } from "../ports/web.ts";

const MB = 1_024 * 1_024;

/** Several times what the largest answers of today's models take. */
export const bounds = {
  /** Characters of one line of a stream: a whole call with a large file in it may come in one. */
  line: 16 * MB,
  /** Bytes of one streamed answer, unpacked. Of a stream in deltas of a few characters, a hundredth is the answer's own. */
  stream: 256 * MB,
  /** Characters of text, reasoning and arguments in one answer. */
  answer: 16 * MB,
  /** Bytes of an answer that does not stream, such as a list of models. */
  document: 16 * MB,
  /** Bytes of a refusal; the rest is not read. */
  refusal: MB,
  /** Tool calls in one answer. */
  calls: 128,
} as const;

const mostRedirects = 5;

/** The failure of an answer that passes one of the bounds, `what` naming the bound, as in "128 tool calls". */
export function tooLarge(what: string): ProviderError {
  return new ProviderError({ code: "response-too-large", detail: what });
}

/**
 * `send` for requests that carry the key: follows redirects within the same origin and rejects any other with
 * `redirected`; reads of a refusal only its beginning, and of any other body at most `bytes`.
 */
export function guarded(send: Fetch, bytes: number): Fetch {
  return async (input, init) => {
    const response = await withinOrigin(send, input, init);
    const { status, statusText, headers, body } = response;
    // A null body is the only one that such answers may have (Fetch standard, "null body status").
    if (!body || [204, 205, 304].includes(status)) return response;
    const limited = response.ok
      ? body.pipeThrough(limit(bytes, () => tooLarge(size(bytes))))
      : body.pipeThrough(limit(bounds.refusal));
    return new Response(limited, { status, statusText, headers });
  };
}

async function withinOrigin(send: Fetch, input: Parameters<Fetch>[0], init: RequestInit | undefined) {
  let target = input instanceof Request ? input.url : String(input);
  const { origin } = new URL(target);
  for (let redirects = 0; ; redirects++) {
    const response = await send(redirects === 0 ? input : target, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
    // The request stays what it is: a client that changes it to a GET, as browsers do, gets a page in place of an answer.
    const same = next?.origin === origin && (response.status !== 303 || (init?.method ?? "GET") === "GET");
    if (!same || redirects === mostRedirects)
      throw new ProviderError({ code: "redirected", subject: shown(target), detail: shown(location) });
    target = next.href;
  }
}

/** An address without what may be secret in it: user, password, query. */
function shown(address: string): string {
  if (!URL.canParse(address)) return address.replace(/[?#].*$/s, "").slice(0, 300);
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.slice(0, 300);
}

/** Passes `bytes` on; then fails with `error`, or without one ends the stream there. */
function limit(bytes: number, error?: () => Error): TransformStream<Uint8Array, Uint8Array> {
  let left = bytes;
  return new TransformStream({
    transform(chunk, controller) {
      if (chunk.byteLength <= left) controller.enqueue(chunk);
      else if (error) controller.error(error());
      else {
        controller.enqueue(chunk.subarray(0, left));
        controller.terminate();
      }
      left = Math.max(0, left - chunk.byteLength);
    },
  });
}

function size(bytes: number): string {
  return `${bytes / MB} MB`;
}
