/** Asks an endpoint which models it has: `GET /models`, and what local servers and GitHub report elsewhere. */
import OpenAI from "openai";
import * as z from "../../../shared/zod.ts";
import { Interrupt, ProviderError } from "../../errors.ts";
import { endpointUrl, usableHeaders, usableKey } from "../address.ts";
import type { ListedModel, ListingEndpoint } from "../api.ts";
import { mergedFacts, withSource } from "../catalog/fact-layers.ts";
import { listedModels } from "../catalog/listed-models.ts";
import { secretsOf } from "../endpoint-errors.ts";
import { badResponse } from "../failures.ts";
import { fromOpenAiError, withReason } from "../openai/openai-client.ts";
import { BOUNDS, guarded } from "../received.ts";
import { type GetJson, localServerOf } from "./local-servers.ts";

const ownersSchema = z.looseObject({
  data: z.array(z.looseObject({ owned_by: z.catch(z.optional(z.string()), undefined) })),
});

/** See `Api.listModels`. */
export async function listModels(endpoint: ListingEndpoint, signal: AbortSignal): Promise<ListedModel[]> {
  const { connection } = endpoint;
  if (connection.baseUrl.trim() === "") throw new ProviderError({ code: "no-endpoint" });
  const { url } = endpointUrl(connection.baseUrl);
  const ask = requester(endpoint, url, signal);
  // GitHub's list has an address of its own, within the same origin.
  const path = /^https:\/\/models\.github\.ai\//i.test(url)
    ? "/catalog/models"
    : `${new URL(url).pathname}/models`;
  const body = await ask("GET", path.replace(/\/{2,}/g, "/"));
  const listed = listedModels(body, `GET ${path}`);
  if (!listed) throw badResponse(JSON.stringify(body), secretsOf(endpoint));
  const owners = ownersSchema.safeParse(body).data?.data.map(({ owned_by: owner }) => owner) ?? [];
  const server = localServerOf(owners, url);
  if (!server) return owners.includes("vllm") ? listed.map((model) => constraining(model, path)) : listed;
  const named = endpoint.model.trim();
  const models = server.anyName ? withName(listed, named) : listed;
  const wanted = models.filter(({ id }) => named === "" || id === named);
  const described = await server.describe(wanted, ask).catch((error: unknown) => {
    if (error instanceof Interrupt) throw error;
    // It is another server, or an older version, that only looks the same in the list. The list itself is still an answer.
    return new Map<string, Pick<ListedModel, "facts" | "provisional">>();
  });
  return models.map((model) => {
    const more = described.get(model.id);
    const whole = more ? { ...model, ...more, facts: mergedFacts(model.facts, more.facts) } : model;
    return constraining(whole, path);
  });
}

/** The list, and the only model in it under the name that is used for it. */
function withName(models: ListedModel[], name: string): ListedModel[] {
  const [only, ...others] = models;
  const isOther = only !== undefined && others.length === 0 && name !== "" && only.id !== name;
  return isOther ? [...models, { ...only, id: name }] : models;
}

/** Servers that are made for open models constrain answers to a JSON schema, whatever the model. */
function constraining(model: ListedModel, path: string): ListedModel {
  const constrains = withSource({ constrains: true }, "endpoint", `GET ${path}`);
  return { ...model, facts: mergedFacts(model.facts, constrains) };
}

/** Sends requests within the endpoint's origin, with its key and headers. */
function requester(endpoint: ListingEndpoint, url: string, signal: AbortSignal): GetJson {
  const { connection, apiKey, fetch: send = fetch } = endpoint;
  const { query } = endpointUrl(connection.baseUrl);
  const client = new OpenAI({
    baseURL: new URL(url).origin,
    defaultQuery: query,
    apiKey: usableKey(apiKey, url) ?? "none",
    maxRetries: 0,
    defaultHeaders: usableHeaders(connection.headers),
    dangerouslyAllowBrowser: true,
    fetch: withReason(guarded(send, BOUNDS.document)),
  });
  return async (method, path, body) => {
    let answered = false;
    try {
      const options = { signal, ...(body === undefined ? {} : { body }) };
      const sent = method === "GET" ? client.get(path, options) : client.post(path, options);
      const response = await sent.asResponse();
      answered = true;
      const text = await response.text();
      try {
        return JSON.parse(text);
      } catch (cause) {
        throw badResponse(text, secretsOf(endpoint), cause);
      }
    } catch (error) {
      if (signal.aborted) throw new Interrupt();
      // No model was asked for, so none can be unknown.
      throw fromOpenAiError(error, { ...endpoint, model: "" }, { accepted: answered, heard: false });
    }
  };
}
