/**
 * What Nekode remembers about MCP servers for this user: approvals of projects' servers, choices for tools, and what servers
 * offered.
 */
import * as z from "../../shared/zod.ts";
import { sha256 } from "../bytes.ts";
import type { ServerConnector } from "../ports/servers.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import { encodedRecord, parsedRecord, RecordFile } from "../record-file.ts";
import { contentHash, contentLines } from "./content-hashes.ts";
import { addressKey } from "./server-identity.ts";
import type { ServerInputs } from "./server-inputs.ts";
import type { ServerDefinition, ServerOffer, ServerRecords, ToolChoices, Trust } from "./server-types.ts";

/** Writes of tools to a file of this name always ask, wherever it is. */
const FILE = "mcp-servers.json";
const OFFERS = "offers";

const names = z.array(z.string());
const choicesSchema = z.object({ off: names, always: names, reading: names });

const recordSchema = z.object({
  /** The content that the user approved. */
  approved: z.exactOptional(z.object({ hash: z.string(), content: z.string() })),
  choices: z.exactOptional(choicesSchema),
  /** Hashes of tool definitions, by tool name. */
  accepted: z.exactOptional(z.record(z.string(), z.string())),
});
type ServerRecord = z.infer<typeof recordSchema>;

const fileSchema = z.object({
  version: z.literal(1),
  /** By `keyOf`. */
  servers: z.record(z.string(), recordSchema),
});

const text = z.string();
const maybe = z.exactOptional(text);

const toolSchema = z.object({
  name: text,
  title: maybe,
  description: text,
  inputSchema: z.record(text, z.unknown()),
  hints: z.object({
    readOnly: z.exactOptional(z.boolean()),
    destructive: z.exactOptional(z.boolean()),
    openWorld: z.exactOptional(z.boolean()),
  }),
});
const resource = { name: text, title: maybe, description: maybe, mimeType: maybe };
const promptSchema = z.object({
  name: text,
  title: maybe,
  description: maybe,
  arguments: z.array(z.object({ name: text, description: maybe, required: z.boolean() })),
});

/** The stored form of what a server offers. */
const offerSchema: z.ZodMiniType<ServerOffer> = z.object({
  instructions: maybe,
  tools: z.array(toolSchema),
  resources: z.array(z.object({ uri: text, ...resource })),
  templates: z.array(z.object({ uriTemplate: text, ...resource })),
  prompts: z.array(promptSchema),
});

const storedOfferSchema = z.object({
  /** Of the configuration that the server ran with. */
  hash: z.string(),
  offer: offerSchema,
});

export class StoredServerRecords implements ServerRecords {
  readonly #storage: Storage;
  readonly #file: RecordFile<z.infer<typeof fileSchema>>;

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#file = new RecordFile(storage, log, {
      name: FILE,
      schema: fileSchema,
      empty: () => ({ version: 1, servers: {} }),
      records: "the approved MCP servers",
      loss: "projects' servers ask again",
    });
  }

  async trustOf(server: ServerDefinition): Promise<Trust> {
    if (server.source === "user" && server.importedFrom === undefined) return { state: "trusted" };
    const { approved } = await this.#record(server);
    if (approved?.hash === (await contentHash(server))) return { state: "trusted" };
    const content = contentLines(server);
    return approved ? { state: "changed", content, before: approved.content } : { state: "new", content };
  }

  async trust(server: ServerDefinition): Promise<void> {
    const approved = { hash: await contentHash(server), content: contentLines(server) };
    await this.#update(server, (record) => {
      if (record.approved === undefined || record.approved.hash === approved.hash)
        return { ...record, approved };
      // The user allowed a different program.
      const off = record.choices?.off ?? [];
      return { approved, choices: { off, always: [], reading: [] } };
    });
  }

  async forget(server: ServerDefinition): Promise<void> {
    await this.#file.change(({ servers }) => {
      delete servers[keyOf(server)];
    });
    await this.#storage.remove(await offerName(server));
  }

  /** Forgets what the user decided about the servers of a plugin. */
  async forgetPlugin(name: string): Promise<void> {
    const beginning = `${JSON.stringify([placeOfPlugin(name)]).slice(0, -1)},`;
    const ofPlugin = Object.keys((await this.#file.read()).servers).filter((key) =>
      key.startsWith(beginning),
    );
    if (ofPlugin.length === 0) return;
    await this.#file.change(({ servers }) => {
      for (const key of ofPlugin) delete servers[key];
    });
    for (const key of ofPlugin) await this.#storage.remove(await offerNameOf(key));
  }

  async choices(server: ServerDefinition): Promise<ToolChoices> {
    return (await this.#record(server)).choices ?? { off: [], always: [], reading: [] };
  }

  setChoices(server: ServerDefinition, choices: ToolChoices): Promise<void> {
    return this.#update(server, (record) => ({ ...record, choices }));
  }

  async lastOffer(server: ServerDefinition): Promise<ServerOffer | undefined> {
    const bytes = await this.#storage.read(await offerName(server));
    const stored = bytes && storedOfferSchema.safeParse(parsedRecord(bytes)).data;
    return stored && stored.hash === (await contentHash(server)) ? stored.offer : undefined;
  }

  async setLastOffer(server: ServerDefinition, offer: ServerOffer): Promise<void> {
    const stored = { hash: await contentHash(server), offer };
    await this.#storage.replace(await offerName(server), encodedRecord(stored));
  }

  async accepted(server: ServerDefinition): Promise<Record<string, string>> {
    return (await this.#record(server)).accepted ?? {};
  }

  accept(server: ServerDefinition, tools: Record<string, string>): Promise<void> {
    return this.#update(server, (record) => ({ ...record, accepted: { ...record.accepted, ...tools } }));
  }

  async #record(server: ServerDefinition): Promise<ServerRecord> {
    return (await this.#file.read()).servers[keyOf(server)] ?? {};
  }

  #update(server: ServerDefinition, change: (record: ServerRecord) => ServerRecord): Promise<void> {
    return this.#file.change(({ servers }) => {
      servers[keyOf(server)] = change(servers[keyOf(server)] ?? {});
    });
  }
}

/** A user's server is the same in every project. */
function keyOf({ source, file, folder, name, plugin }: ServerDefinition): string {
  // The folder of a plugin is another one after each update.
  if (plugin) return JSON.stringify([placeOfPlugin(plugin.name), name]);
  return JSON.stringify(source === "user" ? [file, name] : [file, folder ?? null, name]);
}

/** No absolute path begins so. */
function placeOfPlugin(name: string): string {
  return `plugin:${name}`;
}

function offerName(server: ServerDefinition): Promise<string> {
  return offerNameOf(keyOf(server));
}

async function offerNameOf(key: string): Promise<string> {
  return `${OFFERS}/${await sha256(new TextEncoder().encode(key))}.json`;
}

export interface ForgetDeps {
  records: Pick<ServerRecords, "forget">;
  inputs: Pick<ServerInputs, "forget">;
  connector: Pick<ServerConnector, "signOut">;
  /** See `ServerSetup.knownUrl`. */
  knownUrl(server: ServerDefinition): Promise<string | undefined>;
}

/**
 * Deletes everything stored about a removed server: approvals, choices, offers, sign-in and entered values. `others`: the other
 * configured servers. Values and sign-ins that they also use are kept.
 */
export async function forgetServer(
  server: ServerDefinition,
  others: readonly ServerDefinition[],
  { records, inputs, connector, knownUrl }: ForgetDeps,
): Promise<void> {
  // Done before the values are deleted, because the URL may contain them.
  const url = await knownUrl(server);
  if (url !== undefined) {
    const used = await Promise.all(others.map(knownUrl));
    const isUsed = used.some((other) => other !== undefined && addressKey(other) === addressKey(url));
    if (!isUsed) await connector.signOut(url);
  }
  await inputs.forget(server, others);
  await records.forget(server);
}
