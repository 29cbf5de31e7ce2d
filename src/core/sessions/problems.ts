/** What the store found and got over, for the person to be told once. */
import { Emitter } from "../lifecycle.ts";
import type { Log } from "../ports/system.ts";

export interface StoreProblem {
  code: /** Written by a newer version: history can be read, nothing can be added. */
    | "newer-version"
    /** The database was damaged: set aside, and what could be read was taken over. */
    | "database-damaged"
    /** The database was damaged, and the generation before it gave back everything. */
    | "database-restored"
    /** A journal was damaged in the middle: set aside, its whole records were taken over. */
    | "journal-damaged"
    /** A journal was damaged, and its mirror gave back everything. */
    | "journal-restored"
    /** A journal of another project: set aside. */
    | "journal-foreign"
    /** A long text of some sessions is damaged or gone. */
    | "payload-lost"
    /** Rows of the database are not what they should be: left out, or shown as far as they can be read. */
    | "rows-unreadable"
    /** A stored message is not one: left where it is, not shown. */
    | "message-unreadable"
    /** A record of a journal does not fit the database: skipped. */
    | "record-unusable"
    /** The database could not be rewritten now; the journals hold everything. */
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

  /** Each is told once, however often it is met. */
  add(code: StoreProblem["code"], detail: string): void {
    if (this.list.some((known) => known.code === code && known.detail === detail)) return;
    const problem = { code, detail };
    this.list.push(problem);
    this.#log.error(`session store: ${code}: ${detail}`);
    this.#added.emit(problem);
  }
}
