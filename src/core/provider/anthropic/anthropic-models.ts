/** Asks an endpoint which models it has (`GET /v1/models`). */
import { Interrupt, ProviderError } from "../../errors.ts";
import type { ListedModel, ListingEndpoint } from "../api.ts";
import { listedModels } from "../catalog/listed-models.ts";
import { secretsOf } from "../endpoint-errors.ts";
import { badResponse } from "../failures.ts";
import { BOUNDS, guarded } from "../received.ts";
import { anthropicHeaders, anthropicRefusal, anthropicUrl, fromAnthropicError } from "./anthropic-request.ts";

/** See `Api.listModels`. */
export async function listAnthropicModels(
  endpoint: ListingEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const { connection, fetch: send = fetch } = endpoint;
  if (connection.baseUrl.trim() === "") throw new ProviderError({ code: "no-endpoint" });
  const url = new URL(anthropicUrl(connection.baseUrl, "/models"));
  // The most that the API accepts; its default is 20.
  url.searchParams.set("limit", "1000");
  const get = guarded(send, BOUNDS.document);
  const attempt = { signal, accepted: false, heard: false };
  try {
    const response = await get(url.href, { headers: anthropicHeaders(endpoint), signal });
    if (!response.ok) throw await anthropicRefusal(response, endpoint);
    attempt.accepted = true;
    const text = await response.text();
    const models = listedModels(parsed(text), `GET ${url.pathname}`);
    if (!models) throw badResponse(text, secretsOf(endpoint));
    return models;
  } catch (error) {
    if (signal.aborted) throw new Interrupt();
    throw fromAnthropicError(error, endpoint, attempt);
  }
}

/** undefined: the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
