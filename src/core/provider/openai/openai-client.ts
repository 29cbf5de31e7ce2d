/**
 * The `openai` client as every API that it speaks uses it, and its failures as errors of Nekode. It never retries, because
 * `send-adapting.ts` does.
 */
import OpenAI, { APIConnectionError, APIError, APIUserAbortError } from "openai";
import type { Connection } from "../../../shared/models/connection.ts";
import * as z from "../../../shared/zod.ts";
import { cachedValue, keepingLatest } from "../../cached-value.ts";
import { Interrupt, messageOf, ProviderError } from "../../errors.ts";
import type { Fetch } from "../../ports/web.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { Endpoint, ListingEndpoint } from "../api.ts";
import { connectionLost, refusal, unreachableEndpoint, withoutKeys } from "../endpoint-errors.ts";
import { BOUNDS, guarded } from "../received.ts";
import type { RequestAttempt } from "../streamed-answer.ts";

/** A client is the same for every request of a task. */
const clients = new WeakMap<Connection, (apiKey: string | undefined, send: Fetch) => OpenAI>();

/** Returns a client for streams. Throws ProviderError if the address, the key or a header cannot be used. */
export function openAiClient({ connection, apiKey, fetch: send = fetch }: Endpoint): OpenAI {
  const clientOf = cachedValue(clients, connection, () => keepingLatest(makeClient.bind(null, connection)));
  return clientOf(apiKey, send);
}

function makeClient(connection: Connection, apiKey: string | undefined, send: Fetch): OpenAI {
  const { url, query } = endpointUrl(connection.baseUrl);
  return new OpenAI({
    baseURL: url,
    defaultQuery: query,
    // Local endpoints accept any key, but the client requires one.
    apiKey: usableKey(apiKey, url) ?? "none",
    maxRetries: 0,
    // The deadlines distinguish the first token from the rest.
    timeout: 2 ** 31 - 1,
    defaultHeaders: usableHeaders(connection.headers),
    dangerouslyAllowBrowser: true,
    fetch: withoutKeys({ connection, apiKey }, withReason(guarded(send, BOUNDS.stream))),
  });
}

/**
 * Wraps `send`, so that the client finds the reason of a refusal. The client reads a refusal only from `error`. vLLM, Mistral and others put it at the top level of the body, Gemini in
 * a list. DeepSeek sends JSON without declaring it as such.
 */
export function withReason(send: Fetch): Fetch {
  return async (url, init) => {
    const response = await send(url, init);
    if (response.ok) return response;
    const text = await response.text();
    const { status, statusText, headers } = response;
    return new Response(withErrorField(text), { status, statusText, headers });
  };
}

function withErrorField(text: string): string {
  try {
    const body: unknown = JSON.parse(text);
    const parsed = z.record(z.string(), z.unknown()).safeParse(Array.isArray(body) ? body[0] : body);
    if (!parsed.success) return text;
    if ("error" in parsed.data) return Array.isArray(body) ? JSON.stringify(parsed.data) : text;
    const reason = parsed.data.message ?? placesIn(parsed.data.detail) ?? parsed.data.detail ?? text;
    const message = typeof reason === "string" ? reason : JSON.stringify(reason);
    return JSON.stringify({ error: { ...parsed.data, message } });
  } catch {
    return text;
  }
}

export function fromOpenAiError(
  error: unknown,
  endpoint: ListingEndpoint,
  attempt: Pick<RequestAttempt, "accepted" | "heard">,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const subject = endpoint.connection.baseUrl.trim();
  // The client wraps what its `fetch` throws.
  if (error instanceof APIConnectionError && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof APIUserAbortError) throw new Interrupt();
  if (error instanceof APIConnectionError) return unreachableEndpoint(error, subject);
  if (error instanceof APIError) return refusal(error.error ?? error.message, endpoint, error);
  if (attempt.accepted) return connectionLost(error, subject, attempt.heard);
  return new ProviderError({ code: "internal", detail: messageOf(error) }, { cause: error });
}

const placesSchema = z.array(z.object({ loc: z.array(z.union([z.string(), z.number()])), msg: z.string() }));

/** Reads the list of FastAPI, which also repeats the request: its words must not be taken for the reason. */
function placesIn(detail: unknown): string | undefined {
  const { data = [] } = placesSchema.safeParse(detail);
  if (data.length === 0) return undefined;
  return data.map(({ loc, msg }) => `${loc.join(".")}: ${msg}`).join("; ");
}
