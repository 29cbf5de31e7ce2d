/** Problems that the store found and recovered from. Each is reported to the user once. */

import { messageOf } from "../errors.ts";
import { Emitter } from "../lifecycle.ts";
import type { Storage } from "../ports/storage.ts";
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

/** The disk is full, read-only or broken. The message is the operating system's. */
export class NotSaved extends Error {
  override name = "NotSaved";
}

/** Wraps a storage so that failed writes reject with NotSaved. */
export function withSaveErrors(storage: Storage): Storage {
  const withNotSaved = async <T>(write: Promise<T>): Promise<T> => {
    try {
      return await write;
    } catch (error) {
      throw new NotSaved(messageOf(error), { cause: error });
    }
  };
  return {
    read: (name, from) => storage.read(name, from),
    stat: (name) => storage.stat(name),
    remove: (name) => storage.remove(name),
    rename: (from, to) => storage.rename(from, to),
    list: (name) => storage.list(name),
    withLock: (name, work, waitMs) => storage.withLock(name, work, waitMs),
    takeLock: (name, takeOver) => storage.takeLock(name, takeOver),
    lockedElsewhere: (name) => storage.lockedElsewhere(name),
    appender(name) {
      const appender = storage.appender(name);
      return {
        append: (bytes) => withNotSaved(appender.append(bytes)),
        sync: () => withNotSaved(appender.sync()),
        close: () => appender.close(),
      };
    },
    append: (name, bytes, synced) => withNotSaved(storage.append(name, bytes, synced)),
    sync: (name) => withNotSaved(storage.sync(name)),
    duplicate: (from, to) => withNotSaved(storage.duplicate(from, to)),
    replace: (name, bytes, expected, synced) => withNotSaved(storage.replace(name, bytes, expected, synced)),
  };
}
