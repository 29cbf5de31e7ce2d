/**
 * Guards what an endpoint sends back. An endpoint may be hostile or broken: it cannot redirect a request, which carries
 * the key and the conversation, to another origin, and nothing that it sends can grow without bound.
 */
import { ProviderError } from "../errors.ts";
import type { Fetch } from "../ports/web.ts";

const MB = 1_024 * 1_024;

/** Several times the size of the largest answers of current models. */
export const BOUNDS = {
  /** Characters in one line of a stream. A complete call with a large file can arrive in one line. */
  line: 16 * MB,
  /**
   * Bytes of one streamed answer, unpacked. In a stream with deltas of a few characters, a hundredth of this is the
   * answer itself.
   */
  stream: 256 * MB,
  /** Characters of text, reasoning and arguments in one answer. */
  answer: 16 * MB,
  /** Bytes of an answer that is not streamed, such as a list of models. */
  document: 16 * MB,
  /** Bytes of a refusal; the rest is not read. */
  refusal: MB,
  /** Tool calls in one answer. */
  calls: 128,
} as const;

const MAX_REDIRECTS = 5;

/** Returns the error for an answer that exceeds a bound. `what` names the bound, for example "128 tool calls". */
export function tooLarge(what: string): ProviderError {
  return new ProviderError({ code: "response-too-large", detail: what });
}

/**
 * Wraps `send` for requests that carry the key. Follows redirects within the same origin and rejects all others with
 * `redirected`. Reads only the beginning of a refusal, and at most `bytes` of any other body.
 */
export function guarded(send: Fetch, bytes: number): Fetch {
  return async (input, init) => {
    const response = await followWithinOrigin(send, input, init);
    const { status, statusText, headers, body } = response;
    if (!body || isNullBodyStatus(status)) return response;
    const bounded = response.ok
      ? limited(body, bytes, () => tooLarge(size(bytes)))
      : limited(body, BOUNDS.refusal);
    return new Response(bounded, { status, statusText, headers });
  };
}

/** Whether a response with this status must have no body (Fetch standard, "null body status"). */
export function isNullBodyStatus(status: number): boolean {
  return [204, 205, 304].includes(status);
}

async function followWithinOrigin(send: Fetch, input: Parameters<Fetch>[0], init: RequestInit | undefined) {
  let target = input instanceof Request ? input.url : String(input);
  const { origin } = new URL(target);
  for (let redirects = 0; ; redirects++) {
    const response = await send(redirects === 0 ? input : target, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null || ![301, 302, 303, 307, 308].includes(response.status)) return response;
    await response.body?.cancel();
    const next = URL.canParse(location, target) ? new URL(location, target) : undefined;
    // A client that changes the request to a GET, as browsers do, gets a page instead of an answer.
    const same = next?.origin === origin && (response.status !== 303 || (init?.method ?? "GET") === "GET");
    if (!same || redirects === MAX_REDIRECTS)
      throw new ProviderError({ code: "redirected", subject: shown(target), detail: shown(location) });
    target = next.href;
  }
}

/** Returns an address without parts that may be secret: user, password, query. */
function shown(address: string): string {
  if (!URL.canParse(address)) return address.replace(/[?#].*$/s, "").slice(0, 300);
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`.slice(0, 300);
}

/** The first `bytes` bytes, and then that `error`, or the end if there is none. Without a transform: that takes twice the time. */
function limited(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  bytes: number,
  error?: () => Error,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = body.getReader();
  let remaining = bytes;
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const isWhole = value.byteLength <= remaining;
        if (isWhole || !error) controller.enqueue(value.subarray(0, remaining));
        remaining -= value.byteLength;
        if (isWhole) return;
        if (error) controller.error(error());
        else controller.close();
        await reader.cancel();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

function size(bytes: number): string {
  return `${bytes / MB} MB`;
}
