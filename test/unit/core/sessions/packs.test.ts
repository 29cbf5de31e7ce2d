/** Older messages of a large database, in files beside it: the same messages for everybody who asks. */
import { describe, expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { historyQuerySchema } from "../../../../src/shared/protocol.ts";
import { Content } from "../../../bench/session-content.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const open = (storage: MemoryStorage, packAbove = 1) =>
  openSessionStore(storage, assets, clockAt(), quietLog, { packAbove });

/** Sessions enough for some of them to have rested, each of so many messages; packed. */
async function packed(sessions = 24, count = 32) {
  const storage = new MemoryStorage();
  const content = new Content(7);
  const store = await open(storage);
  const messages = new Map<string, ReturnType<Content["session"]>>();
  for (let index = 0; index < sessions; index++) {
    const id = `session-number-${String(index).padStart(5, "0")}`;
    const all = content.session(id, count);
    messages.set(id, all);
    await store.import(newSession(id), all, {});
  }
  const journal = [...storage.files].filter(([name]) => name.startsWith("journal/"));
  const unpackedSize = journal.reduce((sum, [, bytes]) => sum + bytes.length, 0);
  await store.checkpoint();
  return { storage, store, messages, unpackedSize };
}

const text = (bytes: Uint8Array | undefined) => Buffer.from(bytes ?? []).toString("latin1");

describe("packed messages", () => {
  it("are the same after it, here and in another process, and are not in the database", async () => {
    const { storage, store, messages, unpackedSize } = await packed();
    expect(storage.files.get("sessions.db")?.length).toBeLessThan(unpackedSize * 0.75);
    for (const from of [store, await open(storage), await open(storage, 2 ** 40)]) {
      for (const [id, all] of messages) expect((await from.load(id))?.messages).toEqual(all);
      expect(from.problems).toEqual([]);
    }
  });

  it("are packed once, and what is said after stays at hand until it has rested", async () => {
    const { storage, store, messages } = await packed();
    const [id = ""] = messages.keys();
    // The session that is no longer one of the last ten rests from now on.
    const before = storage.names("payloads").length;
    await store.append(id, userMessage("said later", "later"));
    await store.checkpoint();
    expect(storage.names("payloads")).toHaveLength(before + 1);
    expect(text(storage.files.get("sessions.db"))).toContain("said later");
    const loaded = await (await open(storage)).load(id);
    expect(loaded?.messages).toEqual([...(messages.get(id) ?? []), userMessage("said later", "later")]);
  });

  it("are found, branched off from, appended again without harm, and gone with their session", async () => {
    const { storage, store, messages } = await packed();
    const [[id, all] = ["", []]] = messages;
    const word = all[0]?.display?.split(" ")[0] ?? "";
    const found = await (await open(storage)).find(historyQuerySchema.parse({ text: word }));
    expect(found.sessions.map((session) => session.id)).toContain(id);
    await store.append(id, all[5] ?? userMessage(""));
    await expect(store.append(id, userMessage("another", all[5]?.id))).rejects.toThrow("another message");
    await store.fork(id, all[30]?.id ?? "", newSession("branch"));
    expect((await store.load("branch"))?.messages).toEqual(all.slice(0, 30));
    for (const one of messages.keys()) await store.remove(one);
    await store.checkpoint();
    const again = await open(storage);
    expect((await again.load("branch"))?.messages).toEqual(all.slice(0, 30));
    await again.remove("branch");
    expect(storage.names("payloads")).toEqual([]);
  });

  it("whose file is lost are said to be unreadable, and all others are shown", async () => {
    const { storage, messages } = await packed();
    const [id = ""] = messages.keys();
    const isPack = (name: string) => text(storage.files.get(name)).startsWith('[{"id":"');
    const lost = storage
      .names("payloads")
      .filter((name) => isPack(name) && text(storage.files.get(name)).includes(`${id.slice(-6)}"`));
    expect(lost.length).toBeGreaterThan(0);
    for (const name of lost) storage.files.delete(name);
    const store = await open(storage);
    expect((await store.load(id))?.messages).toEqual([]);
    expect(new Set(store.problems.map(({ code }) => code))).toEqual(
      new Set(["payload-lost", "message-unreadable"]),
    );
    const [, other = ""] = [...messages.keys()];
    expect((await store.load(other))?.messages).toEqual(messages.get(other));
  });

  it("survive a disk that is full in the middle of it", async () => {
    const { storage, store, messages } = await packed();
    for (const id of messages.keys()) await store.append(id, userMessage("more ".repeat(500)));
    let left = 3;
    storage.beforeChange = (change, name) => {
      if (change === "replace" && (name.startsWith("payloads/") ? left-- <= 0 : true))
        throw new Error("ENOSPC");
    };
    await store.update([...messages.keys()][0] ?? "", { todo: "x" });
    await store.checkpoint().catch(() => {});
    storage.beforeChange = () => {};
    for (const from of [store, await open(storage)]) {
      for (const [id, all] of messages) expect((await from.load(id))?.messages.slice(0, -1)).toEqual(all);
    }
  });

  it("are given back with a damaged database, whatever generation they were packed in", async () => {
    const { storage, store: before, messages } = await packed();
    for (const later of [1, 2]) {
      await before.update([...messages.keys()][0] ?? "", { todo: `${later}` });
      await before.checkpoint();
    }
    const bases = storage.names("previous").filter((name) => name.endsWith(".db"));
    for (const lost of [undefined, ...bases]) {
      const broken = storage.copy();
      for (const name of ["sessions.db", ...(lost ? [lost] : [])])
        broken.put(name, (broken.files.get(name) ?? new Uint8Array()).fill(0, 0, 100));
      const store = await open(broken);
      expect(store.problems.map((problem) => problem.code)).toEqual(["database-restored"]);
      for (const [id, all] of messages) expect((await store.load(id))?.messages).toEqual(all);
    }
  });
});
