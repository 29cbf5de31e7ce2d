/** The journal of one session: its changes so far, and the file that they are written to. */

import { SerialQueue } from "../async.ts";
import type { CheckpointRecord } from "./change-records.ts";
import { CheckpointHistory } from "./changes.ts";
import type { CheckpointStore, FileReading } from "./checkpoint-store.ts";

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

  /**
   * In the order of the calls. With `before`, the record and the contents that are about to be replaced are durable when it
   * resolves; otherwise it only survives the end of the process.
   */
  write(record: CheckpointRecord, before?: readonly FileReading[]): Promise<void> {
    return this.#queue.run(async () => {
      await this.#store.append(this.id, record, before);
      this.history.add(record);
    });
  }

  /** Resolves when all pending writes are done. */
  async written(): Promise<void> {
    await this.#queue.over;
  }
}
