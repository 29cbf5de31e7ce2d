/** A process that only writes does not read the database, and whoever asks it something finds everything. */
import { describe, expect, it } from "vitest";
import { DATABASE_FILE } from "../../../../src/core/sessions/db/open-database.ts";
import { MIGRATIONS } from "../../../../src/core/sessions/db/schema.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import {
  assets,
  clockAt,
  closeWritten,
  MemoryStorage,
  newSession,
  quietLog,
  userMessage,
} from "./support.ts";

const open = (storage: MemoryStorage, migrations?: readonly string[]) =>
  openSessionStore(storage, assets, clockAt(), quietLog, migrations ? { migrations } : {});

/** Two sessions in the database, and one in a journal of a process that ended. */
async function filled(): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  const first = await open(storage);
  await first.create(newSession("oldest"), userMessage("one"));
  await first.create(newSession("older"), userMessage("two"));
  await closeWritten(first);
  const second = await open(storage);
  await second.create(newSession("journaled"), userMessage("three"));
  await second.close();
  storage.endAll();
  return storage;
}

const idsIn = async (store: SessionStore) => (await store.list()).map(({ id }) => id);

async function textsOf(store: SessionStore, id: string): Promise<(string | undefined)[]> {
  return (await store.load(id))?.messages.map(({ display }) => display) ?? [];
}

/** Changes a byte of the database in place, as a failing disk does. */
function damageDatabase(storage: MemoryStorage): void {
  const bytes = storage.files.get(DATABASE_FILE)?.slice() ?? new Uint8Array();
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 0xff;
  storage.put(DATABASE_FILE, bytes);
}

describe("a process that only writes", () => {
  it("reads no database, in an empty project and in one with sessions", async () => {
    for (const storage of [new MemoryStorage(), await filled()]) {
      const store = await open(storage);
      await store.claim("new");
      await store.create(newSession("new"), userMessage("hello"));
      await store.append("new", userMessage("again"));
      await store.markCall("new", "call-1", "started");
      await store.update("new", { title: "Another title" });
      await store.sync();
      expect(store.isRead).toBe(false);
      await store.close();
      expect(store.isRead).toBe(false);
    }
  });

  it("writes what others and itself find, newest first", async () => {
    const storage = await filled();
    const store = await open(storage);
    await store.create(newSession("new"), userMessage("four"));
    await store.append("new", userMessage("five"));
    await store.markCall("new", "call-1", "started");
    const other = await open(storage);
    for (const reader of [other, store]) {
      expect(await idsIn(reader)).toEqual(["new", "journaled", "older", "oldest"]);
      expect(await textsOf(reader, "new")).toEqual(["four", "five"]);
      expect([...(await reader.startedCalls("new"))]).toEqual(["call-1"]);
      expect(reader.problems).toEqual([]);
    }
    // What it wrote before and after it read is one conversation.
    await store.append("new", userMessage("six"));
    expect(await textsOf(store, "new")).toEqual(["four", "five", "six"]);
    expect(await textsOf(other, "new")).toEqual(["four", "five", "six"]);
    await closeWritten(store);
    expect(await textsOf(await open(storage), "new")).toEqual(["four", "five", "six"]);
  });

  it("reads before it changes a session that it did not begin", async () => {
    const store = await open(await filled());
    await store.append("older", userMessage("more"));
    expect(store.isRead).toBe(true);
    expect(await textsOf(store, "older")).toEqual(["two", "more"]);
    await expect(store.append("none", userMessage("lost"))).rejects.toThrow("there is no session none");
  });

  it("rewrites the database at the end once its journals are many", async () => {
    const storage = await filled();
    for (let run = 0; run < 8; run++) {
      const store = await open(storage);
      await store.create(newSession(`run-${run}`), userMessage("hello"));
      await store.close();
    }
    expect(storage.names("journal").length).toBeLessThan(8);
    const store = await open(storage);
    expect(await idsIn(store)).toHaveLength(11);
    expect(store.problems).toEqual([]);
  });
});

describe("a store that is not as it was left is read when it is opened", () => {
  it("where the database was copied, or damaged", async () => {
    const storage = await filled();
    storage.put(DATABASE_FILE, storage.files.get(DATABASE_FILE) ?? new Uint8Array());
    const copied = await open(storage);
    expect(copied.isRead).toBe(true);
    expect(copied.problems).toEqual([]);
    damageDatabase(storage);
    const damaged = await open(storage);
    expect(damaged.problems.map(({ code }) => code)).toContain("database-restored");
    expect(await idsIn(damaged)).toEqual(["journaled", "older", "oldest"]);
  });

  it("where the database is missing", async () => {
    const storage = await filled();
    storage.files.delete(DATABASE_FILE);
    const store = await open(storage);
    expect(store.isRead).toBe(true);
    expect(await idsIn(store)).toEqual(["journaled", "older", "oldest"]);
  });

  it("where a journal is damaged", async () => {
    const storage = await filled();
    const [journal = ""] = storage.names("journal");
    storage.put(journal, (storage.files.get(journal) ?? new Uint8Array()).slice(0, -3));
    const store = await open(storage);
    expect(store.isRead).toBe(true);
    expect(await idsIn(store)).toEqual(["journaled", "older", "oldest"]);
  });

  it("where this version migrates it, and where a newer one wrote it", async () => {
    const storage = await filled();
    const later = [...MIGRATIONS, "ALTER TABLE sessions ADD COLUMN later TEXT"];
    const migrated = await open(storage, later);
    expect(migrated.isRead).toBe(true);
    await closeWritten(migrated);
    const store = await open(storage);
    expect(store.isRead).toBe(true);
    expect(store.readOnly).toBe(true);
  });

  it("where a process died after it wrote the database and before it said so", async () => {
    const storage = await filled();
    const head = storage.files.get("store.json") ?? new Uint8Array();
    const writer = await open(storage);
    await writer.create(newSession("new"), userMessage("hello"));
    await closeWritten(writer);
    storage.put("store.json", head);
    const store = await open(storage);
    expect(store.isRead).toBe(true);
    expect(await idsIn(store)).toEqual(["new", "journaled", "older", "oldest"]);
    expect(store.problems).toEqual([]);
  });

  it("where an earlier version wrote the head, until the database is written again", async () => {
    const storage = await filled();
    const { database: _, ...file } = JSON.parse(new TextDecoder().decode(storage.files.get("store.json")));
    storage.put("store.json", new TextEncoder().encode(JSON.stringify(file)));
    const store = await open(storage);
    expect(store.isRead).toBe(true);
    await closeWritten(store);
    expect((await open(storage)).isRead).toBe(false);
  });

  it("where what the head says of the database was changed", async () => {
    const storage = await filled();
    const file = JSON.parse(new TextDecoder().decode(storage.files.get("store.json")));
    file.database.facts.seq = 1;
    storage.put("store.json", new TextEncoder().encode(JSON.stringify(file)));
    expect((await open(storage)).isRead).toBe(true);
  });
});
