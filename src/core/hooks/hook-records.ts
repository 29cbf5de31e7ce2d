/**
 * What Nekode remembers about hooks for this user: which of them they approved with which content, and what they chose for each. It is
 * stored in the user's data folder, which no project can write. A file that cannot be read is renamed and counts as empty, so that
 * damage never means "approved".
 */
import * as z from "zod";
import { sha256 } from "../bytes.ts";
import type { Storage } from "../ports/storage.ts";
import type { Log } from "../ports/system.ts";
import type { HookDefinition } from "./hook-types.ts";

const FILE = "hooks.json";

const recordSchema = z.object({
  /** The content that the user approved. */
  approved: z.exactOptional(z.object({ hash: z.string(), content: z.string() })),
  isOff: z.exactOptional(z.boolean()),
  asksIfItFails: z.exactOptional(z.boolean()),
});
export type HookRecord = z.infer<typeof recordSchema>;

const fileSchema = z.object({ version: z.literal(1), hooks: z.record(z.string(), recordSchema) });
type RecordFile = z.infer<typeof fileSchema>;

export class HookRecords {
  readonly #storage: Storage;
  readonly #log: Log;

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  /** By `hookKey`. */
  async all(): Promise<Readonly<Record<string, HookRecord>>> {
    const found = await this.#read();
    const file = found === "damaged" ? await this.#storage.withLock(FILE, () => this.#readOrReset()) : found;
    return file.hooks;
  }

  async update(key: string, change: HookRecord): Promise<void> {
    await this.#storage.withLock(FILE, async () => {
      const file = await this.#readOrReset();
      const expected = { version: (await this.#storage.stat(FILE))?.version };
      file.hooks[key] = { ...file.hooks[key], ...change };
      await this.#storage.replace(FILE, encoded(file), expected);
    });
  }

  async #read(): Promise<RecordFile | "damaged"> {
    const bytes = await this.#storage.read(FILE);
    if (!bytes) return { version: 1, hooks: {} };
    return fileSchema.safeParse(parsedJson(bytes)).data ?? "damaged";
  }

  /** Only with the lock. */
  async #readOrReset(): Promise<RecordFile> {
    const file = await this.#read();
    if (file !== "damaged") return file;
    const bytes = (await this.#storage.read(FILE)) ?? new Uint8Array();
    const aside = `${FILE}.damaged-${(await sha256(bytes)).slice(0, 8)}`;
    await this.#storage.rename(FILE, aside);
    this.#log.error(
      `The file ${FILE}, which records the approved hooks, could not be read. It was renamed to ${aside}, and all hooks ask again.`,
    );
    return { version: 1, hooks: {} };
  }
}

/** Identifies a hook whatever its events and the files that it runs: the file that configures it, and its command. */
export function hookKey({ file, handler: { command, args = [] } }: HookDefinition): string {
  return JSON.stringify([file, command, ...args]);
}

/** A short name for the hook, for command lines. */
export async function hookId(hook: HookDefinition): Promise<string> {
  return (await sha256(new TextEncoder().encode(hookKey(hook)))).slice(0, 8);
}

function encoded(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

function parsedJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
