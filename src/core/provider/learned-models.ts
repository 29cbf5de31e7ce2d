/**
 * Remembers on disk what answers, refusals and checks revealed about models, so that a new host does not have to be
 * refused again. In the user's data folder, which the hosts of this machine share. Nothing that may be secret is part of
 * it: no key, no header, no query of an address.
 */
import type { ModelChoice } from "../../shared/models/connection.ts";
import { modelFactsSchema } from "../../shared/models/facts.ts";
import * as z from "../../shared/zod.ts";
import { SerialQueue } from "../async.ts";
import { messageOf } from "../errors.ts";
import type { Storage } from "../ports/storage.ts";
import type { Clock, Log } from "../ports/system.ts";

const FILE = "learned.json";
/** Models that are remembered; those that were learned about longest ago are forgotten first. */
const MOST_MODELS = 300;
/** Endpoints change: after this time, they are tried anew. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;

const learnedSchema = z.object({
  facts: modelFactsSchema,
  /** Names of quirks. */
  quirks: z.array(z.string()),
});
export type LearnedModel = z.infer<typeof learnedSchema>;

const recordSchema = z.extend(learnedSchema, {
  /** When it was learned, ISO 8601. */
  at: z.iso.datetime(),
});
const fileSchema = z.object({ version: z.literal(1), models: z.record(z.string(), recordSchema) });
type Records = z.infer<typeof fileSchema>["models"];

export class LearnedModels {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #saves = new SerialQueue();
  #records: Records = {};
  /** Keys of what is not on disk yet. */
  #unsaved = new Set<string>();

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, clock: Clock, log: Log) {
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
  }

  /** Call before the first use. Never rejects: a file that cannot be read is logged and counts as empty. */
  async load(): Promise<void> {
    this.#records = this.#valid(await this.#read());
  }

  of(choice: ModelChoice): LearnedModel | undefined {
    return this.#records[keyOf(choice)];
  }

  /** Replaces what is known; it is on disk after `flush`. */
  set(choice: ModelChoice, learned: LearnedModel): void {
    const key = keyOf(choice);
    this.#records[key] = { ...learned, at: this.#clock.now().toISOString() };
    this.#unsaved.add(key);
    void this.#saves.run(() => this.#save());
  }

  /** Resolves when everything is on disk, or was found impossible to write. */
  async flush(): Promise<void> {
    await this.#saves.run(() => this.#save());
  }

  async #save(): Promise<void> {
    if (this.#unsaved.size === 0) return;
    const changed = this.#unsaved;
    this.#unsaved = new Set();
    try {
      await this.#storage.withLock(FILE, async () => {
        // Another host may have learned something meanwhile.
        const ours = [...changed].flatMap((key) => {
          const record = this.#records[key];
          return record ? [[key, record] as const] : [];
        });
        const models = this.#valid({ ...(await this.#read()), ...Object.fromEntries(ours) });
        const text = `${JSON.stringify({ version: 1, models }, null, 2)}\n`;
        // What a power failure takes is learned again.
        await this.#storage.replace(FILE, new TextEncoder().encode(text), undefined, false);
      });
    } catch (error) {
      this.#log.error(`What was learned about models could not be stored: ${messageOf(error)}`);
    }
  }

  async #read(): Promise<Records> {
    try {
      const bytes = await this.#storage.read(FILE);
      if (!bytes) return {};
      return fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).models;
    } catch (error) {
      this.#log.error(
        `The file ${FILE}, with what was learned about models, is ignored: ${messageOf(error)}`,
      );
      return {};
    }
  }

  /** Without what is too old, and what is too much. */
  #valid(records: Records): Records {
    const oldest = this.#clock.now().getTime() - MAX_AGE_MS;
    const recent = Object.entries(records)
      .filter(([, { at }]) => Date.parse(at) >= oldest)
      .sort(([, a], [, b]) => Date.parse(b.at) - Date.parse(a.at))
      .slice(0, MOST_MODELS);
    return Object.fromEntries(recent);
  }
}

/** The same for all connections to an address, whatever their names. */
function keyOf({ connection, model }: ModelChoice): string {
  const address = connection.baseUrl.trim();
  const { origin, pathname } = URL.canParse(address) ? new URL(address) : { origin: "", pathname: "" };
  return `${connection.api} ${origin}${pathname.replace(/\/+$/, "")} ${model.trim()}`;
}
