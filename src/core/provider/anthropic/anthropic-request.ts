/** Where requests to the Messages API are sent, and how its refusals are read. */
import * as z from "../../../shared/zod.ts";
import { messageOf, ProviderError } from "../../errors.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { Endpoint } from "../api.ts";
import { connectionLost, refusal, unreachableEndpoint } from "../endpoint-errors.ts";
import type { RequestAttempt } from "../streamed-answer.ts";

type Target = Pick<Endpoint, "connection" | "apiKey" | "model">;

const VERSION = "2023-06-01";

/** Understands an address with or without `/v1`, and one that a request's path was copied with. Throws ProviderError. */
export function anthropicUrl(baseUrl: string, path: string): string {
  const { url, query } = endpointUrl(baseUrl);
  const base = url.replace(/\/(?:messages|models)$/, "").replace(/\/+$/, "");
  const versioned = /\/v\d+[a-z0-9]*$/.test(base) ? base : `${base}/v1`;
  const search = new URLSearchParams(query).toString();
  return `${versioned}${path}${search === "" ? "" : `?${search}`}`;
}

/** Throws ProviderError if the key or a header cannot be sent. */
export function anthropicHeaders({ connection, apiKey }: Target, more: Record<string, string> = {}): Headers {
  const headers = new Headers({ "anthropic-version": VERSION, ...more });
  const key = usableKey(apiKey, connection.baseUrl);
  if (key !== undefined) headers.set("x-api-key", key);
  for (const [name, value] of Object.entries(usableHeaders(connection.headers))) headers.set(name, value);
  return headers;
}

/** Statuses of errors that come within an answer. */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
};

const errorSchema = z.looseObject({ type: z.catch(z.optional(z.string()), undefined) });

/** Returns the error that an event within an answer reports. */
export function errorEvent(error: unknown, endpoint: Target): ProviderError {
  const type = errorSchema.safeParse(error).data?.type ?? "";
  return refusal(error, endpoint, { status: STATUSES[type], headers: undefined, message: type });
}

/** Returns the error for a response that refuses a request. */
export async function anthropicRefusal(response: Response, endpoint: Target): Promise<ProviderError> {
  const { status, statusText, headers } = response;
  const text = await response.text();
  return refusal(reasonIn(text), endpoint, { status, headers, message: statusText });
}

const bodySchema = z.looseObject({ error: z.optional(z.unknown()), message: z.optional(z.unknown()) });

/** The error of a refusal, wherever the endpoint puts it; other text as it is. */
function reasonIn(text: string): unknown {
  try {
    const body = bodySchema.safeParse(JSON.parse(text)).data;
    return body?.error ?? (body?.message === undefined ? text : body);
  } catch {
    return text;
  }
}

export function fromAnthropicError(
  error: unknown,
  { connection }: Target,
  attempt: RequestAttempt,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const subject = connection.baseUrl.trim();
  if (attempt.accepted) return connectionLost(error, subject, attempt.heard);
  // What `fetch` rejects with if it gets no response.
  if (error instanceof TypeError) return unreachableEndpoint(error, subject);
  return new ProviderError({ code: "internal", detail: messageOf(error) }, { cause: error });
}
