/** Reads an endpoint's model list (`GET /models`), only for the context window. */
import OpenAI from "openai";
import * as z from "zod";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { Endpoint } from "../api.ts";
import { BOUNDS, guarded } from "../received.ts";

const tokens = z.number().int().min(256).optional().catch(undefined);
/** OpenAI's own list has no such field. The names are those of OpenRouter, vLLM, LM Studio, Groq and llama.cpp. */
const entrySchema = z.looseObject({
  id: z.string(),
  context_length: tokens,
  max_model_len: tokens,
  loaded_context_length: tokens,
  max_context_length: tokens,
  context_window: tokens,
  meta: z.looseObject({ n_ctx: tokens, n_ctx_train: tokens }).optional().catch(undefined),
});

/** Returns the model's context window in tokens; undefined if the endpoint does not report it or has no list. */
export async function listedWindow(
  { connection, model, apiKey, fetch: send = fetch }: Omit<Endpoint, "clock" | "provider">,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { url, query } = endpointUrl(connection.baseUrl);
  const client = new OpenAI({
    baseURL: url,
    defaultQuery: query,
    apiKey: usableKey(apiKey, url) ?? "none",
    maxRetries: 0,
    defaultHeaders: usableHeaders(connection.headers),
    dangerouslyAllowBrowser: true,
    fetch: guarded(send, BOUNDS.document),
  });
  const { data } = await client.models.list({ signal });
  const entries = z.array(entrySchema).safeParse(data).data ?? [];
  const entry = entries.find(({ id }) => id === model.trim());
  return (
    entry?.loaded_context_length ??
    entry?.context_length ??
    entry?.max_model_len ??
    entry?.context_window ??
    entry?.max_context_length ??
    entry?.meta?.n_ctx ??
    entry?.meta?.n_ctx_train
  );
}
