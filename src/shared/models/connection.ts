/** Connections to models' endpoints, and the names of models. A model is named `connection/id` everywhere. */
import type { Mode } from "../message.ts";
import * as z from "../zod.ts";
import { ENDPOINT_APIS } from "./endpoint-apis.ts";

/** The API that an endpoint speaks; `src/core/provider/apis.ts` has the implementations. */
export const apiKindSchema = z.enum(ENDPOINT_APIS);
export type EndpointApi = z.infer<typeof apiKindSchema>;
/** `editor`: no endpoint, but the models that the editor offers. */
export const listedApiSchema = z.enum([...apiKindSchema.options, "editor"]);
export type ApiKind = z.infer<typeof listedApiSchema>;

/** The name of the connection that the settings `nekode.provider.*` describe. */
export const DEFAULT_CONNECTION = "default";

/** The first segment of a model's name, so it contains no slash. */
const connectionNameSchema = z.string().check(z.regex(/^[^\s/@]+$/));

export const connectionSchema = z.object({
  name: connectionNameSchema,
  api: z._default(apiKindSchema, "chat"),
  /** Up to and including the version segment. */
  baseUrl: z.string(),
  /** Sent with every request. */
  headers: z._default(z.record(z.string(), z.string()), {}),
  /** Name of the environment variable with the key, if the key is not stored otherwise. Never the key itself. */
  keyEnv: z.optional(z.string()),
  /** URL of the proxy for this connection alone. Default: the host's own proxy settings. */
  proxy: z.optional(z.string()),
});
/** A connection as the settings contain it. */
export type EndpointConnection = z.infer<typeof connectionSchema>;
export type Connection = Omit<EndpointConnection, "api"> & { api: ApiKind };

/** The connection to the editor's own models. It is not listed if the editor offers none. */
export const EDITOR_CONNECTION: Connection = {
  name: "vscode",
  api: "editor",
  baseUrl: "vscode:",
  headers: {},
};

/** A model at a connection. */
export interface ModelChoice {
  connection: Connection;
  /** The id that the endpoint knows. "": none is chosen. */
  model: string;
}

/** The settings that determine which models there are. */
export interface ModelSettings {
  provider: Pick<Connection, "api" | "baseUrl" | "headers"> & { model: string; planModel: string };
  connections: readonly Connection[];
}

/** Returns the connection of `nekode.provider.*`, whose address may be empty. */
export function firstConnection({ provider }: ModelSettings): Connection {
  const { api, baseUrl, headers } = provider;
  return { name: DEFAULT_CONNECTION, api, baseUrl, headers };
}

/**
 * Returns the connections in order. The first is that of `nekode.provider.*`, if its address is set; a later connection
 * of a name that is taken is left out.
 */
export function connectionsOf(settings: ModelSettings): Connection[] {
  const { provider, connections } = settings;
  const all = provider.baseUrl.trim() === "" ? connections : [firstConnection(settings), ...connections];
  const names = new Set<string>();
  return all.filter(({ name }) => !names.has(name) && names.add(name));
}

/** Returns `connection/id`. */
export function modelName({
  connection,
  model,
}: {
  connection: Pick<Connection, "name">;
  model: string;
}): string {
  return `${connection.name}/${model}`;
}

/**
 * Returns the model of that name. A name whose first segment is no connection is an id at the first connection; without
 * connections, the result's address is empty.
 */
export function modelNamed(name: string, settings: ModelSettings): ModelChoice {
  const connections = connectionsOf(settings);
  const wanted = name.trim();
  const slash = wanted.indexOf("/");
  const named =
    slash > 0 &&
    [...connections, EDITOR_CONNECTION].find((connection) => connection.name === wanted.slice(0, slash));
  if (named) return { connection: named, model: wanted.slice(slash + 1) };
  return { connection: connections[0] ?? firstConnection(settings), model: wanted };
}

/** Names of the models that were chosen instead of those in the settings, by mode. */
export const chosenModelsSchema = z.object({
  plan: z.exactOptional(z.string()),
  act: z.exactOptional(z.string()),
});
export type ChosenModels = z.infer<typeof chosenModelsSchema>;

/** Returns the model that answers in `mode`. Plan mode uses act mode's model unless it has one of its own. */
export function modelFor(settings: ModelSettings, mode: Mode, chosen: ChosenModels = {}): ModelChoice {
  const { model, planModel } = settings.provider;
  const act = chosen.act || model;
  return modelNamed(mode === "plan" ? chosen.plan || planModel || act : act, settings);
}

/**
 * The models of the settings by name, "" if none answers: there is no connection, or no model is set. `plan`: only if plan
 * mode has a model of its own.
 */
export function defaultModels(settings: ModelSettings): ChosenModels {
  const named = (name: string) => {
    const choice = modelNamed(name, settings);
    return name.trim() === "" || choice.connection.baseUrl.trim() === "" ? "" : modelName(choice);
  };
  const { model, planModel } = settings.provider;
  return { act: named(model), ...(planModel.trim() === "" ? {} : { plan: named(planModel) }) };
}

/** The name of the model that answers in `mode`, as `modelFor` chooses it; "": none. */
export function shownModel(defaults: ChosenModels, mode: Mode, chosen: ChosenModels = {}): string {
  const act = chosen.act || defaults.act || "";
  return mode === "plan" ? chosen.plan || defaults.plan || act : act;
}

/** The parts of a model's name. */
export function nameParts(name: string): { connection: string; model: string } {
  const slash = name.indexOf("/");
  return { connection: name.slice(0, slash), model: name.slice(slash + 1) };
}
