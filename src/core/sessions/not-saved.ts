/** What the disk did not take, told apart from other faults: the person can do something about it. */
import { messageOf } from "../errors.ts";
import type { Storage } from "../ports/storage.ts";

/** The disk is full, read-only or broken. The message is the system's own. */
export class NotSaved extends Error {
  override name = "NotSaved";
}

/** The same storage; writes that fail reject with NotSaved. */
export function withSaveErrors(storage: Storage): Storage {
  const told = async <T>(write: Promise<T>): Promise<T> => {
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
    append: (name, bytes, synced) => told(storage.append(name, bytes, synced)),
    duplicate: (from, to) => told(storage.duplicate(from, to)),
    replace: (name, bytes, expected) => told(storage.replace(name, bytes, expected)),
  };
}
