/**
 * What requests cost today, in USD, in the user's data folder: all windows and terminals of this machine count together. A day
 * is one of the user's time zone.
 */
import * as z from "zod";
import type { Storage } from "../ports/storage.ts";
import type { Clock, Log } from "../ports/system.ts";
import { SerialQueue } from "../serial-queue.ts";

const FILE = "spending.json";
const fileSchema = z.object({ version: z.literal(1), day: z.string(), cost: z.number().min(0) });

export class DailySpending {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #saves = new SerialQueue();
  /** Not on disk yet. */
  #unsaved = 0;

  /** `storage`: a folder of the user's. */
  constructor(storage: Storage, clock: Clock, log: Log) {
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
  }

  /** Never rejects: what cannot be read counts as nothing, and is logged. */
  async today(): Promise<number> {
    return (await this.#read()) + this.#unsaved;
  }

  add(cost: number): void {
    this.#unsaved += cost;
    void this.#saves.run(() => this.#save());
  }

  /** Resolves when everything is on disk, or was found impossible to write. */
  async flush(): Promise<void> {
    await this.#saves.run(() => this.#save());
  }

  #day(): string {
    const now = this.#clock.now();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()].join("-");
  }

  async #save(): Promise<void> {
    const added = this.#unsaved;
    if (added === 0) return;
    try {
      await this.#storage.withLock(FILE, async () => {
        const cost = (await this.#read()) + added;
        const text = JSON.stringify({ version: 1, day: this.#day(), cost });
        await this.#storage.replace(FILE, new TextEncoder().encode(text));
      });
      this.#unsaved -= added;
    } catch (error) {
      this.#log.error("today's costs could not be stored", error);
    }
  }

  async #read(): Promise<number> {
    try {
      const bytes = await this.#storage.read(FILE);
      if (!bytes) return 0;
      const { day, cost } = fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return day === this.#day() ? cost : 0;
    } catch (error) {
      this.#log.error("today's costs could not be read", error);
      return 0;
    }
  }
}
