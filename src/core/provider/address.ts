/** Normalizes and validates pasted addresses, keys and headers. */
import { makerOfKey, presetAt } from "../../shared/models/connection-presets.ts";
import { ProviderError } from "../errors.ts";

/**
 * Returns the intended address: without white space, trailing slashes, and the path of an API in a copied example.
 * `query` contains the parameters that Azure and some gateways require on every request. Throws ProviderError if it is
 * not an http or https address.
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
    .replace(/\/(?:chat\/completions|responses)$/, "");
  return { url, query };
}

/**
 * Returns a key without characters copied along with it. Throws ProviderError if a header cannot carry it, or if it is
 * another maker's than that of a known address: it would reveal the key and be refused.
 */
export function usableKey(apiKey: string | undefined, baseUrl: string): string | undefined {
  const key = apiKey?.trim().replace(/^Bearer\s+/i, "");
  if (!key) return undefined;
  if (!/^[\x21-\x7e]+$/.test(key)) throw new ProviderError({ code: "unusable-key", subject: baseUrl });
  const maker = makerOfKey(key);
  const known = presetAt(baseUrl.trim());
  if (maker && known?.needsKey && known.id !== maker.id)
    throw new ProviderError({ code: "key-of-another", subject: baseUrl, detail: maker.title });
  return key;
}

/** Returns the same headers. Throws ProviderError that names the first header that cannot be sent. */
export function usableHeaders(headers: Record<string, string>): Record<string, string> {
  for (const [name, value] of Object.entries(headers)) {
    const usable = /^[\w!#$%&'*+.^`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
    if (!usable) throw new ProviderError({ code: "unusable-header", subject: name });
  }
  return headers;
}
