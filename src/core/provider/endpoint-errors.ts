/** What the requests of every API do with an endpoint's secrets and failures. */
import { messageOf, ProviderError } from "../errors.ts";
import { KeyMask } from "../key-mask.ts";
import type { Fetch } from "../ports/web.ts";
import type { Endpoint } from "./api.ts";
import { failure, type RefusingResponse } from "./failures.ts";

/** The key, and headers that may be keys. */
export function secretsOf({ connection, apiKey }: Pick<Endpoint, "connection" | "apiKey">): string[] {
  return [apiKey ?? "", ...Object.values(connection.headers)];
}

/** Masks the key in the conversation, whatever a file or command returned. The key belongs only in a header. */
export function withoutKeys(
  { apiKey, connection }: Pick<Endpoint, "connection" | "apiKey">,
  send: Fetch,
): Fetch {
  const keys = new KeyMask();
  keys.learn(apiKey, connection.headers);
  return (url, init) =>
    send(url, typeof init?.body === "string" ? { ...init, body: keys.text(init.body) } : init);
}

/** Returns the error for a refusal. `body`: what the endpoint sent, as its API nests it. */
export function refusal(
  body: unknown,
  endpoint: Pick<Endpoint, "connection" | "apiKey" | "model">,
  error?: RefusingResponse,
): ProviderError {
  return failure(body, error, {
    baseUrl: endpoint.connection.baseUrl.trim(),
    model: endpoint.model.trim(),
    apiKey: endpoint.apiKey?.trim() || undefined,
    secrets: secretsOf(endpoint),
  });
}

/** Returns the error for an answer that broke off. `heard`: part of it had arrived. */
export function connectionLost(error: unknown, subject: string, heard: boolean): ProviderError {
  const lost = { code: "connection-lost" as const, subject, detail: deepest(error) };
  return new ProviderError(lost, { transient: !heard, cause: error });
}

const CERTIFICATES = /certificate|CERT_|UNABLE_TO_(?:VERIFY|GET_ISSUER)|ALTNAME/i;

/** How a client that encrypts fails at a server that does not, and the reverse. */
const NO_TLS = /wrong[_ ]version[_ ]number|packet length too long|EPROTO|ERR_SSL_(?!.*CERT)/i;
const NO_HTTP = /HPE_|Expected HTTP\/|does not match the HTTP\/1\.1 protocol/i;

/** Returns the error for a request that no endpoint answered. */
export function unreachableEndpoint(error: unknown, subject: string): ProviderError {
  const detail = deepest(error);
  if (CERTIFICATES.test(detail))
    return new ProviderError({ code: "untrusted-certificate", subject, detail }, { cause: error });
  if (/^https:/i.test(subject) && NO_TLS.test(detail))
    return new ProviderError({ code: "wants-http", subject, detail }, { cause: error });
  if (/^http:/i.test(subject) && NO_HTTP.test(detail))
    return new ProviderError({ code: "wants-https", subject, detail }, { cause: error });
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
