/** The last errors that ended a turn, for the report of `nekode doctor --report`. On this machine, in the user's data folder. */
import { type ErrorView, errorViewSchema } from "../../shared/models/request-error.ts";
import * as z from "../../shared/zod.ts";
import { SerialQueue } from "../async.ts";
import { messageOf } from "../errors.ts";
import type { Storage } from "../ports/storage.ts";
import type { Clock, Log } from "../ports/system.ts";
import { withoutKnownSecrets } from "../secrets.ts";

const FILE = "last.json";
/** Older errors are dropped. */
const MOST_ERRORS = 10;
/** Characters of an error's own text. */
const LONGEST_DETAIL = 2_000;

const lastErrorSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** The version of Nekode. */
  version: z.string(),
  code: errorViewSchema.shape.code,
  /** Not redacted. */
  detail: z.optional(z.string()),
});
export type LastError = z.infer<typeof lastErrorSchema>;

const fileSchema = z.object({ version: z.literal(1), errors: z.array(lastErrorSchema) });

export class LastErrors {
  readonly #storage: Storage;
  readonly #clock: Pick<Clock, "now">;
  readonly #log: Log;
  readonly #saves = new SerialQueue();

  /** `storage`: a folder of the user's that is used for nothing else. */
  constructor(storage: Storage, clock: Pick<Clock, "now">, log: Log) {
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
  }

  /** `version`: of Nekode. The error is on disk after `flush`. */
  add({ code, detail }: ErrorView, version: string): void {
    const at = this.#clock.now().toISOString();
    const text = detail === undefined ? undefined : withoutKnownSecrets(detail).slice(0, LONGEST_DETAIL);
    const error: LastError = { at, version, code, ...(text === undefined ? {} : { detail: text }) };
    void this.#saves.run(() => this.#save(error));
  }

  /** The newest last. Never rejects: a file that cannot be read is logged and counts as empty. */
  async read(): Promise<LastError[]> {
    try {
      const bytes = await this.#storage.read(FILE);
      return bytes === undefined
        ? []
        : fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes))).errors.slice(-MOST_ERRORS);
    } catch (error) {
      this.#log.error(`The file ${FILE}, with the last errors, is ignored: ${messageOf(error)}`);
      return [];
    }
  }

  /** Resolves when everything is on disk, or was found impossible to write. */
  async flush(): Promise<void> {
    await this.#saves.run(async () => undefined);
  }

  async #save(error: LastError): Promise<void> {
    try {
      await this.#storage.withLock(FILE, async () => {
        const errors = [...(await this.read()), error].slice(-MOST_ERRORS);
        const text = `${JSON.stringify({ version: 1, errors }, null, 2)}\n`;
        await this.#storage.replace(FILE, new TextEncoder().encode(text), undefined, false);
      });
    } catch (cause) {
      this.#log.error(`An error could not be stored for reports: ${messageOf(cause)}`);
    }
  }
}
