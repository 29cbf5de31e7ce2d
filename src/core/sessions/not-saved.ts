/** Marks failed writes with an error type of their own, because the user can act on them. */
import { messageOf } from "../errors.ts";
import type { Storage } from "../ports/storage.ts";

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
    append: (name, bytes, synced) => withNotSaved(storage.append(name, bytes, synced)),
    sync: (name) => withNotSaved(storage.sync(name)),
    duplicate: (from, to) => withNotSaved(storage.duplicate(from, to)),
    replace: (name, bytes, expected, synced) => withNotSaved(storage.replace(name, bytes, expected, synced)),
  };
}
