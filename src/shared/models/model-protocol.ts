/** The panel's requests about models and connections: part of the protocol between host and webview. */
import { modeSchema } from "../message.ts";
import * as z from "../zod.ts";
import { checkReportSchema } from "./check.ts";
import { apiKindSchema, listedApiSchema } from "./connection.ts";
import { connectionProblemSchema } from "./connection-problem.ts";
import { modelEntrySchema } from "./facts.ts";
import { presetIdSchema } from "./preset-ids.ts";

const nothing = z.object({});

export const effortSchema = z.enum(["default", "none", "low", "medium", "high"]);
export type Effort = z.infer<typeof effortSchema>;

const listedConnectionSchema = z.object({
  name: z.string(),
  /** The title of the preset with the same address. */
  title: z.optional(z.string()),
  api: listedApiSchema,
  baseUrl: z.string(),
  hasKey: z.boolean(),
  /** The server runs on this machine. */
  isLocal: z.boolean(),
  /** It is an entry of `nekode.connections`, which the panel can remove. */
  isRemovable: z.boolean(),
});
export type ListedConnection = z.infer<typeof listedConnectionSchema>;

/** An entry of `nekode.connections` that is not used: its place and field, such as `2: baseUrl`, and a sentence. */
const badEntrySchema = z.object({ entry: z.string(), expected: z.string() });
export type BadEntry = z.infer<typeof badEntrySchema>;

const offeredSchema = z.object({
  models: z.array(modelEntrySchema),
  /** Why there is no list. */
  problem: z.optional(connectionProblemSchema),
});
export type OfferedModels = z.infer<typeof offeredSchema>;

/** A local server that answered. `models`: ids. */
const foundServerSchema = z.object({
  preset: presetIdSchema,
  baseUrl: z.string(),
  models: z.array(z.string()),
});
export type FoundServer = z.infer<typeof foundServerSchema>;

export const newConnectionSchema = z.object({
  preset: presetIdSchema,
  api: apiKindSchema,
  baseUrl: z.string().check(z.maxLength(2_000)),
  /** Stored in the secret storage and nowhere else. */
  key: z.optional(z.string().check(z.maxLength(10_000))),
  headers: z.optional(z.record(z.string(), z.string())),
  /** The id of a model to choose for act mode. */
  model: z.optional(z.string().check(z.maxLength(500))),
  /** Adds the connection although its endpoint lists no models. */
  unlisted: z.optional(z.boolean()),
});
export type NewConnection = z.infer<typeof newConnectionSchema>;

export const modelProtocol = {
  /** The connections, without asking their endpoints. Favorites and recent models are named `connection/id`. */
  "models/list": {
    params: nothing,
    result: z.object({
      connections: z.array(listedConnectionSchema),
      favorites: z.array(z.string()),
      recents: z.array(z.string()),
      badEntries: z.array(badEntrySchema),
    }),
  },
  /** The models of one connection. `fresh`: asks the endpoint again. */
  "models/offered": {
    params: z.object({ connection: z.string(), fresh: z.optional(z.boolean()) }),
    result: offeredSchema,
  },
  /**
   * Chooses the model of a mode, from the next request on: for the active session, and as the default. `name`: `connection/id`;
   * "" in plan mode: the model of act mode.
   */
  "models/choose": {
    params: z.object({ name: z.string().check(z.maxLength(1_000)), mode: modeSchema }),
    result: nothing,
  },
  "models/effort": { params: z.object({ effort: effortSchema }), result: nothing },
  "models/favorite": { params: z.object({ name: z.string(), favorite: z.boolean() }), result: nothing },
  /**
   * Checks a connection and adds it. With a problem, nothing was added. An existing connection with the same address and API
   * is used if no other key is given.
   */
  "connections/add": {
    params: newConnectionSchema,
    result: z.extend(offeredSchema, { name: z.optional(z.string()) }),
  },
  /** Corrects the address of a connection. */
  "connections/set-address": {
    params: z.object({ name: z.string(), baseUrl: z.string().check(z.maxLength(2_000)) }),
    result: nothing,
  },
  /** Removes a connection of `nekode.connections` and its key. */
  "connections/remove": { params: z.object({ name: z.string() }), result: nothing },
  /** Asks for the key in an input box of the editor. */
  "connections/set-key": { params: z.object({ name: z.string() }), result: nothing },
  /** Asks the usual ports of local servers on this machine. */
  "connections/find": { params: nothing, result: z.object({ servers: z.array(foundServerSchema) }) },
  /** Finds out what a model can do; takes up to some minutes and about 16,000 tokens. */
  "models/check": {
    params: z.object({ name: z.string().check(z.maxLength(1_000)) }),
    result: checkReportSchema,
  },
  /** Whether the connection works, and whether it has the model. */
  "connections/test": {
    params: z.object({ name: z.string(), model: z.optional(z.string()) }),
    result: z.object({ problem: z.optional(connectionProblemSchema), count: z.number() }),
  },
} as const;
