/** A process that was so busy that another one took its lock over: neither writes over what the other did. */
import { expect, it } from "vitest";
import type { Storage } from "../../../../src/core/ports/storage.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const open = (storage: Storage) => openSessionStore(storage, assets, clockAt(), quietLog);

/** The same disk for another process, with some of its calls made otherwise. */
function seenBy(storage: MemoryStorage, other: Partial<Storage>): Storage {
  const seen: Storage = {
    appender: (name) => storage.appender(name, seen),
    read: (name, from) => storage.read(name, from),
    stat: (name) => storage.stat(name),
    append: (name, bytes, synced) => storage.append(name, bytes, synced),
    sync: (name) => storage.sync(name),
    duplicate: (from, to) => storage.duplicate(from, to),
    replace: (name, bytes, expected) => storage.replace(name, bytes, expected),
    remove: (name) => storage.remove(name),
    rename: (from, to) => storage.rename(from, to),
    list: (folder) => storage.list(folder),
    withLock: (name, work) => storage.withLock(name, work),
    takeLock: (name, takeOver) => storage.takeLock(name, takeOver),
    lockedElsewhere: (folder) => storage.lockedElsewhere(folder),
    ...other,
  };
  return seen;
}

it("while it writes the database: it gives up, and every message stays", async () => {
  const storage = new MemoryStorage();
  const quick = await open(seenBy(storage, { withLock: (_, work) => work() }));
  await quick.create(newSession("s"));
  await quick.append("s", userMessage("before", "1"));
  let isOver = false;
  const slow = await open(
    seenBy(storage, {
      async replace(name, bytes, expected) {
        if (name === "sessions.db" && !isOver) {
          isOver = true;
          // After the slow one took in what there was: only the quick one's database has this.
          await quick.append("s", userMessage("meanwhile", "2"));
          await quick.checkpoint();
        }
        await storage.replace(name, bytes, expected);
      },
    }),
  );
  await expect(slow.checkpoint()).rejects.toThrow("by another process");
  expect(isOver).toBe(true);
  await slow.append("s", userMessage("after", "3"));
  await slow.checkpoint();
  for (const store of [quick, slow, await open(storage)]) {
    expect((await store.load("s"))?.messages.map(({ display }) => display)).toEqual([
      "before",
      "meanwhile",
      "after",
    ]);
    expect(store.problems).toEqual([]);
  }
});
