/** The `openai` client as every API that it speaks uses it. It never retries, because `send-adapting.ts` does. */
import OpenAI from "openai";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { Endpoint } from "../api.ts";
import { withoutKeys } from "../endpoint-errors.ts";
import { BOUNDS, guarded } from "../received.ts";
import { withReason } from "./openai-errors.ts";

/** Returns a client for streams. Throws ProviderError if the address, the key or a header cannot be used. */
export function openAiClient(endpoint: Endpoint): OpenAI {
  const { connection, apiKey } = endpoint;
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
    fetch: withoutKeys(endpoint, withReason(guarded(endpoint.fetch ?? fetch, BOUNDS.stream))),
  });
}
