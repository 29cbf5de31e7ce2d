/** Sends a search to its provider. The key goes to the provider's own origin and appears in no result. */
import { Interrupt, messageOf, ToolError } from "../../../core/errors.ts";
import type { Fetch, SearchProvider, WebSearchHit } from "../../../core/ports/web.ts";
import { withoutSecrets } from "../../../core/secrets.ts";

/** Bytes of a response. */
const MOST_BYTES = 2 * 1024 * 1024;
const MOST_REDIRECTS = 3;

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&#x27;": "'",
};

interface SearchRequest {
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; without it, the request is a GET. */
  body?: unknown;
}

export interface SearchAdapter {
  /** The name that users see. */
  name: string;
  request(query: string, count: number): SearchRequest;
  /** The hits of a response's JSON. Throws if it is something else; throws ToolError for a failure that it reports. */
  hits(json: unknown): WebSearchHit[];
  /** For the model: why the provider refused; undefined: only the status is known. */
  refusal?(status: number, body: string): string | undefined;
}

export interface SearchAddress {
  /** Origin of the provider, and the path below which its API is. */
  base: string;
  /** "": the provider needs none. */
  key: string;
}

/** The text for a key that a provider does not accept. */
export const KEY_REJECTED = "rejected the API key. Only the user can set another one";

interface SearchTransport {
  fetch: Fetch;
  key: string;
  /** Milliseconds for a search. */
  timeoutMs: number;
}

export function searchWith(adapter: SearchAdapter, transport: SearchTransport): SearchProvider {
  return {
    name: adapter.name,
    address: (query, count) => adapter.request(query, count).url,
    async search(query, { count, signal }) {
      const timeout = AbortSignal.timeout(transport.timeoutMs);
      try {
        const both = AbortSignal.any([signal, timeout]);
        const response = await send(adapter, adapter.request(query, count), transport.fetch, both);
        return readable(hitsOf(adapter, await bounded(response, adapter.name)), count);
      } catch (error) {
        if (signal.aborted) throw new Interrupt();
        if (timeout.aborted)
          throw new ToolError(
            `${adapter.name} did not answer within ${Math.round(transport.timeoutMs / 1000)} s.`,
          );
        if (error instanceof ToolError) throw error;
        throw new ToolError(
          withoutSecrets(`${adapter.name} could not be reached: ${causeOf(error)}.`, [transport.key]),
        );
      }
    },
  };
}

/** Follows redirects of the provider's own origin. Resolves with a successful response. */
async function send(
  adapter: SearchAdapter,
  { url, headers = {}, body }: SearchRequest,
  fetch: Fetch,
  signal: AbortSignal,
): Promise<Response> {
  const common = { accept: "application/json", "user-agent": "Nekode", ...headers };
  const init: RequestInit =
    body === undefined
      ? { method: "GET", headers: common, redirect: "manual", signal }
      : {
          method: "POST",
          headers: { ...common, "content-type": "application/json" },
          body: JSON.stringify(body),
          redirect: "manual",
          signal,
        };
  let address = url;
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const response = await fetch(address, init);
    if (response.ok) return response;
    const location = response.headers.get("location");
    const text = await bounded(response, adapter.name).catch(() => "");
    if (response.status < 300 || response.status >= 400 || location === null)
      throw new ToolError(`${adapter.name} ${refusal(adapter, response, text)}.`);
    const next = URL.canParse(location, address) ? new URL(location, address) : undefined;
    if (next?.origin !== new URL(address).origin)
      throw new ToolError(`${adapter.name} redirects to another server, which is not followed.`);
    address = next.href;
  }
  throw new ToolError(`${adapter.name} redirects too many times.`);
}

function refusal(adapter: SearchAdapter, { status, headers }: Response, text: string): string {
  const own = adapter.refusal?.(status, text);
  if (own !== undefined) return own;
  if (status === 401 || status === 403) return KEY_REJECTED;
  if (status === 429) {
    const after = /^\d{1,6}$/.exec(headers.get("retry-after") ?? "")?.[0];
    return `is limiting searches. ${after === undefined ? "Try again later" : `Try again in ${after} s`}, or work without it`;
  }
  return `responded with status ${status}`;
}

function hitsOf(adapter: SearchAdapter, text: string): WebSearchHit[] {
  try {
    return adapter.hits(JSON.parse(text));
  } catch (error) {
    if (error instanceof ToolError) throw error;
    throw new ToolError(`${adapter.name} returned something other than search results.`);
  }
}

/** Pages of the web, as plain text. */
function readable(hits: readonly WebSearchHit[], count: number): WebSearchHit[] {
  return hits
    .filter(({ url }) => /^https?:\/\//i.test(url) && URL.canParse(url))
    .slice(0, count)
    .map(({ title, url, snippet }) => ({
      title: plain(title),
      url: new URL(url).href,
      snippet: plain(snippet),
    }));
}

function plain(text: string): string {
  return text
    .slice(0, 10_000)
    .replace(/<\/?[a-z][^<>]{0,200}>/gi, "")
    .replace(/&(?:amp|lt|gt|quot|#39|#x27);/g, (entity) => ENTITIES[entity] ?? entity);
}

async function bounded(response: Response, name: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = response.body?.getReader();
  for (;;) {
    const part = await reader?.read();
    if (!part || part.done) break;
    size += part.value.length;
    if (size > MOST_BYTES) {
      await reader?.cancel();
      throw new ToolError(`${name} returned more than ${MOST_BYTES / 1024 / 1024} MB.`);
    }
    chunks.push(part.value);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** `fetch` says only that it failed; the cause says why. */
function causeOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const [first] = cause instanceof AggregateError ? cause.errors : [];
  return messageOf(first ?? cause);
}
