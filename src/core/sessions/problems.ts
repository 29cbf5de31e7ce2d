/** Problems that the store found and recovered from. Each is reported to the user once. */
import { Emitter } from "../lifecycle.ts";
import type { Log } from "../ports/system.ts";

export interface StoreProblem {
  code: /** Written by a newer version: history can be read, nothing can be added. */
    | "newer-version"
    /** The database was damaged and set aside. Previous generations and journals may not have restored everything. */
    | "database-damaged"
    /** The database was damaged, and a previous generation restored everything. */
    | "database-restored"
    /** A journal was damaged in the middle. It was set aside, and its intact records were applied. */
    | "journal-damaged"
    /** A journal was damaged, and its mirror restored everything. */
    | "journal-restored"
    /** A journal belongs to another project. It was set aside. */
    | "journal-foreign"
    /** A long text of some sessions is damaged or missing. */
    | "payload-lost"
    /** Rows of the database are invalid. They are skipped, or shown as far as they are readable. */
    | "rows-unreadable"
    /** A stored message is invalid. It stays in the database and is not shown. */
    | "message-unreadable"
    /** A journal record does not fit the database. It is skipped. */
    | "record-unusable"
    /** Changes could not be synced to the disk. A power failure could lose them. */
    | "not-synced"
    /** The database could not be rewritten. The journals still contain everything. */
    | "checkpoint-failed";
  detail: string;
}

export class Problems {
  readonly list: StoreProblem[] = [];
  readonly #added = new Emitter<StoreProblem>();
  readonly onAdded = this.#added.on;
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Reports each problem once, however often it occurs. */
  add(code: StoreProblem["code"], detail: string): void {
    if (this.list.some((known) => known.code === code && known.detail === detail)) return;
    const problem = { code, detail };
    this.list.push(problem);
    this.#log.error(`session store: ${code}: ${detail}`);
    this.#added.emit(problem);
  }
}
