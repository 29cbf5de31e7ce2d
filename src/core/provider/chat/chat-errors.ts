/** Converts every failure of a request into our own errors. */
import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import * as z from "zod";
import { Interrupt, messageOf, ProviderError } from "../../errors.ts";
import type { Fetch } from "../../ports/web.ts";
import type { Endpoint } from "../api.ts";
import { failure } from "../failures.ts";

/** The key, and headers that may be keys. */
export function secretsOf({ connection, apiKey }: Endpoint): string[] {
  return [apiKey ?? "", ...Object.values(connection.headers)];
}

/**
 * The client reads a refusal only from `error`. vLLM, Mistral and others put it at the top level of the body, Gemini in
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
    const reason = parsed.data.message ?? parsed.data.detail ?? text;
    const message = typeof reason === "string" ? reason : JSON.stringify(reason);
    return JSON.stringify({ error: { ...parsed.data, message } });
  } catch {
    return text;
  }
}

export function asProviderError(
  error: unknown,
  endpoint: Endpoint,
  answered: boolean,
  heard: boolean,
): ProviderError {
  if (error instanceof ProviderError) return error;
  const subject = endpoint.connection.baseUrl.trim();
  // The client wraps what its `fetch` throws.
  if (error instanceof APIConnectionError && error.cause instanceof ProviderError) return error.cause;
  if (error instanceof APIUserAbortError) throw new Interrupt();
  if (error instanceof APIConnectionError) return unreachable(error, subject);
  if (error instanceof APIError) return refusal(error.error ?? error.message, endpoint, error);
  if (answered) {
    const lost = { code: "connection-lost" as const, subject, detail: deepest(error) };
    return new ProviderError(lost, { transient: !heard, cause: error });
  }
  return new ProviderError({ code: "internal", detail: messageOf(error) }, { cause: error });
}

export function refusal(body: unknown, endpoint: Endpoint, error?: APIError): ProviderError {
  return failure(body, error, {
    baseUrl: endpoint.connection.baseUrl.trim(),
    model: endpoint.model.trim(),
    apiKey: endpoint.apiKey?.trim() || undefined,
    secrets: secretsOf(endpoint),
  });
}

const CERTIFICATES = /certificate|CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME/i;

function unreachable(error: APIConnectionError, subject: string): ProviderError {
  const detail = deepest(error);
  if (CERTIFICATES.test(detail))
    return new ProviderError({ code: "untrusted-certificate", subject, detail }, { cause: error });
  // The runtime's own limit, which our settings cannot extend.
  if (/HEADERS_TIMEOUT/.test(detail))
    return new ProviderError({ code: "first-token-timeout", subject, detail }, { cause: error });
  return new ProviderError({ code: "unreachable", subject, detail }, { transient: true, cause: error });
}

/** Returns the innermost cause with its code, because "fetch failed" is not informative. */
function deepest(error: unknown): string {
  let text = messageOf(error);
  for (let at = error; at instanceof Error; at = at.cause) {
    const inner: unknown = at instanceof AggregateError ? at.errors[0] : at;
    const code = inner instanceof Error && "code" in inner ? String(inner.code) : "";
    const reason = messageOf(inner);
    if (reason !== "" || code !== "") text = reason.includes(code) ? reason : `${reason} (${code})`.trim();
  }
  return text;
}
