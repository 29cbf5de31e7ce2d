/** Addresses, keys and headers as people paste them. */
import { ProviderError } from "../errors.ts";

/**
 * The address that is meant: without white space, trailing slashes and the `/chat/completions` of an example that was
 * copied; `query` is what Azure and some gateways want with every request. Throws ProviderError where it is no address
 * of http or https.
 */
export function endpointUrl(baseUrl: string): { url: string; query: Record<string, string> } {
  const subject = baseUrl.trim();
  const parsed = URL.canParse(subject) && !/\s/.test(subject) ? new URL(subject) : undefined;
  if (parsed?.protocol !== "http:" && parsed?.protocol !== "https:")
    throw new ProviderError({ code: "bad-address", subject });
  const query = Object.fromEntries(parsed.searchParams);
  const url = subject
    .replace(/[#?].*$/s, "")
    .replace(/\/+$/, "")
    .replace(/\/chat\/completions$/, "");
  return { url, query };
}

/** A key without what came along when it was copied; throws ProviderError where a header cannot carry it. */
export function usableKey(apiKey: string | undefined, baseUrl: string): string | undefined {
  const key = apiKey?.trim().replace(/^Bearer\s+/i, "");
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ProviderError({ code: "unusable-key", subject: baseUrl });
  return key;
}

/** The same headers; throws ProviderError that names the first that cannot be sent. */
export function usableHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    const usable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!usable) throw new ProviderError({ code: "unusable-header", subject: name });
  }
  return headers;
}
