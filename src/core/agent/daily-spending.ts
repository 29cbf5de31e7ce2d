/**
 * How many requests were answered today, and what they cost in USD, in the user's data folder: all windows and terminals of this
 * machine count together. A day is one of the user's time zone.
 */
import * as z from "../../shared/zod.ts";
import { SerialQueue } from "../async.ts";
import type { Storage } from "../ports/storage.ts";
import type { Clock, Log } from "../ports/system.ts";

const FILE = "spending.json";
/** Earlier versions did not count requests. */
const fileSchema = z.object({
  version: z.literal(1),
  day: z.string(),
  cost: z.number().check(z.gte(0)),
  requests: z._default(z.number().check(z.gte(0)), 0),
});

export interface Spent {
  /** USD. */
  cost: number;
  requests: number;
}
const NOTHING: Spent = { cost: 0, requests: 0 };
const sum = (some: Spent, other: Spent): Spent => ({
  cost: some.cost + other.cost,
  requests: some.requests + other.requests,
});

export class DailySpending {
  readonly #storage: Storage;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #countsRequests: () => boolean;
  readonly #saves = new SerialQueue();
  /** Not on disk yet. */
  #unsaved = NOTHING;

  /** `storage`: a folder of the user's. `countsRequests`: whether a limit needs each request on disk. */
  constructor(storage: Storage, clock: Clock, log: Log, countsRequests: () => boolean = () => true) {
    this.#storage = storage;
    this.#clock = clock;
    this.#log = log;
    this.#countsRequests = countsRequests;
  }

  /** Never rejects: what cannot be read counts as nothing, and is logged. */
  async today(): Promise<Spent> {
    return sum(await this.#read(), this.#unsaved);
  }

  add(spent: Spent): void {
    this.#unsaved = sum(this.#unsaved, spent);
    // Requests without a cost are written with the next cost, or by `flush`.
    if (spent.cost > 0 || (spent.requests > 0 && this.#countsRequests()))
      void this.#saves.run(() => this.#save());
  }

  /** Resolves when everything is on disk, or could not be written. */
  async flush(): Promise<void> {
    await this.#saves.run(() => this.#save());
  }

  #day(): string {
    const now = this.#clock.now();
    return [now.getFullYear(), now.getMonth() + 1, now.getDate()].join("-");
  }

  async #save(): Promise<void> {
    const added = this.#unsaved;
    if (added.requests === 0 && added.cost === 0) return;
    try {
      await this.#storage.withLock(FILE, async () => {
        const text = JSON.stringify({ version: 1, day: this.#day(), ...sum(await this.#read(), added) });
        // Not synced, because it is written with each request. A power failure loses at most the last half minute.
        await this.#storage.replace(FILE, new TextEncoder().encode(text), undefined, false);
      });
      this.#unsaved = sum(this.#unsaved, { cost: -added.cost, requests: -added.requests });
    } catch (error) {
      this.#log.error("today's costs could not be stored", error);
    }
  }

  async #read(): Promise<Spent> {
    try {
      const bytes = await this.#storage.read(FILE);
      if (!bytes) return NOTHING;
      const { day, cost, requests } = fileSchema.parse(JSON.parse(new TextDecoder().decode(bytes)));
      return day === this.#day() ? { cost, requests } : NOTHING;
    } catch (error) {
      this.#log.error("today's costs could not be read", error);
      return NOTHING;
    }
  }
}
