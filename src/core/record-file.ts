/**
 * A file of what the user decided, in the user's data folder, which the hosts of this machine share and no project can write. A file
 * that cannot be read is renamed and counts as empty, so that damage never means "approved".
 */
import type * as z from "../shared/zod.ts";
import { sha256 } from "./bytes.ts";
import type { Storage } from "./ports/storage.ts";
import type { Log } from "./ports/system.ts";

export interface RecordFileOptions<T> {
  /** Of the file, and of its lock. */
  name: string;
  schema: z.ZodMiniType<T>;
  empty(): T;
  /** For the log: what the file records, such as "the approved hooks". */
  records: string;
  /** For the log: what follows from its loss, such as "all hooks ask again". */
  loss: string;
}

export class RecordFile<T> {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #options: RecordFileOptions<T>;

  constructor(storage: Storage, log: Log, options: RecordFileOptions<T>) {
    this.#storage = storage;
    this.#log = log;
    this.#options = options;
  }

  async read(): Promise<T> {
    const found = await this.#found();
    if (found !== "damaged") return found;
    return this.#storage.withLock(this.#options.name, () => this.#readOrReset());
  }

  /** Changes what was read. Rejects if the file was replaced meanwhile by somebody who did not wait for the lock. */
  async change(change: (content: T) => void): Promise<void> {
    const { name } = this.#options;
    await this.#storage.withLock(name, async () => {
      const version = (await this.#storage.stat(name))?.version;
      const content = await this.#readOrReset();
      // Damaged files are gone now.
      const expected = { version: (await this.#storage.stat(name)) && version };
      change(content);
      await this.#storage.replace(name, encodedRecord(content), expected);
    });
  }

  async #found(): Promise<T | "damaged"> {
    const { name, schema, empty } = this.#options;
    const bytes = await this.#storage.read(name);
    return bytes ? (schema.safeParse(parsedRecord(bytes)).data ?? "damaged") : empty();
  }

  /** Only with the lock. */
  async #readOrReset(): Promise<T> {
    const { name, empty, records, loss } = this.#options;
    const found = await this.#found();
    if (found !== "damaged") return found;
    const bytes = (await this.#storage.read(name)) ?? new Uint8Array();
    const aside = `${name}.damaged-${(await sha256(bytes)).slice(0, 8)}`;
    await this.#storage.rename(name, aside);
    this.#log.error(
      `The file ${name}, which records ${records}, could not be read. It was renamed to ${aside}, and ${loss}.`,
    );
    return empty();
  }
}

/** JSON that a person can read. */
export function encodedRecord(value: unknown): Uint8Array {
  return new TextEncoder().encode(`${JSON.stringify(value, null, 2)}\n`);
}

/** undefined: it is not JSON. */
export function parsedRecord(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return undefined;
  }
}
