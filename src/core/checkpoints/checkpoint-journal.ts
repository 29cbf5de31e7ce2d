/** The journal of one session: its changes so far, and the file that they are written to. */

import { SerialQueue } from "../serial-queue.ts";
import type { CheckpointRecord } from "./change-records.ts";
import { CheckpointHistory } from "./changes.ts";
import type { CheckpointStore } from "./checkpoint-store.ts";

export class CheckpointJournal {
  readonly id: string;
  readonly history: CheckpointHistory;
  readonly #store: CheckpointStore;
  readonly #queue = new SerialQueue();

  static async load(store: CheckpointStore, id: string): Promise<CheckpointJournal> {
    return new CheckpointJournal(store, id, CheckpointHistory.of(await store.load(id)));
  }

  private constructor(store: CheckpointStore, id: string, history: CheckpointHistory) {
    this.#store = store;
    this.id = id;
    this.history = history;
  }

  /** Durable when it resolves, in the order of the calls. */
  write(record: CheckpointRecord): Promise<void> {
    return this.#queue.run(async () => {
      await this.#store.append(this.id, record);
      this.history.add(record);
    });
  }

  /** Resolves when all pending writes are done. */
  async written(): Promise<void> {
    await this.#queue.over;
  }
}
