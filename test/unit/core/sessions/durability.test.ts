import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/core/sessions/db/database.ts";
import { MIGRATIONS } from "../../../../src/core/sessions/db/schema.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { isWhole, rounds, sampled } from "../../../support/random.ts";
import {
  assets,
  clockAt,
  closeWritten,
  MemoryStorage,
  newSession,
  quietLog,
  userMessage,
} from "./support.ts";

// Seconds on an idle machine are many on a busy one.
const open = (storage: MemoryStorage, steps?: readonly string[]) =>
  openSessionStore(storage, assets, clockAt(), quietLog, steps ? { migrations: steps } : {});

const DATABASE = "sessions.db";

async function texts(storage: MemoryStorage, session = "s1"): Promise<(string | undefined)[]> {
  const store = await open(storage);
  return (await store.load(session))?.messages.map((message) => message.display) ?? [];
}

/** A store with a session of so many messages, in its journal or (after a checkpoint) in its database. */
async function filled(count: number, checkpoint: boolean, text = (index: number) => `message ${index}`) {
  const storage = new MemoryStorage();
  const store = await open(storage);
  await store.create(newSession("s1"));
  for (let index = 0; index < count; index++) await store.append("s1", userMessage(text(index), `m${index}`));
  if (checkpoint) await closeWritten(store);
  return storage;
}

describe("a journal", () => {
  it("torn at each byte of its last record loses that record and nothing else", async () => {
    const storage = await filled(3, false);
    const [name = ""] = storage.names("journal");
    const before = storage.files.get(name)?.length ?? 0;
    const more = await open(storage);
    await more.append("s1", userMessage("last", "last"));
    const [, second = ""] = storage.names("journal");
    const whole = storage.files.get(second) ?? new Uint8Array();
    // Each byte is tried on the journal alone; here enough of them to see the store do the same.
    for (let length = 0; length < whole.length; length += 1 + (length % (isWhole ? 17 : 97))) {
      const torn = storage.copy();
      torn.put(second, whole.slice(0, length));
      // Its mirror is written after it.
      torn.files.delete(second.replace("journal/", "mirror/"));
      const store = await open(torn);
      expect((await store.load("s1"))?.messages).toHaveLength(3);
      expect(store.problems).toEqual([]);
    }
    expect(before).toBeGreaterThan(0);
    expect(await texts(storage)).toEqual(["message 0", "message 1", "message 2", "last"]);
  });

  it("damaged in its middle is set aside, the rest of it taken over, and that is said", async () => {
    const storage = await filled(5, false);
    const [name = ""] = storage.names("journal");
    const bytes = storage.files.get(name) ?? new Uint8Array();
    const at = Buffer.from(bytes).indexOf("message 2");
    bytes[at] = 0;
    storage.put(name, bytes);
    storage.loseSpares();
    const store = await open(storage);
    expect((await store.load("s1"))?.messages.map((message) => message.id)).toEqual(["m0", "m1", "m3", "m4"]);
    expect(store.problems.map((problem) => problem.code)).toEqual(["journal-damaged"]);
    await store.append("s1", userMessage("after"));
    await closeWritten(store);
    expect(storage.names("journal")).toEqual([]);
    const [kept = ""] = storage.names("damaged");
    expect(storage.files.get(kept)).toEqual(bytes);
    expect(await texts(storage)).toHaveLength(5);
  });

  it("damaged in its middle is whole again from its mirror, and that is said", async () => {
    const storage = await filled(5, false);
    const [name = ""] = storage.names("journal");
    const bytes = storage.files.get(name) ?? new Uint8Array();
    bytes[Buffer.from(bytes).indexOf("message 2")] = 0;
    storage.put(name, bytes);
    const store = await open(storage);
    expect((await store.load("s1"))?.messages.map((message) => message.id)).toEqual([
      "m0",
      "m1",
      "m2",
      "m3",
      "m4",
    ]);
    expect(store.problems).toEqual([{ code: "journal-restored", detail: "1" }]);
    await closeWritten(store);
    expect(storage.names("damaged")).toHaveLength(1);
    expect(storage.names("mirror")).toEqual([]);
    const again = await open(storage);
    expect((await again.load("s1"))?.messages).toHaveLength(5);
    expect(again.problems).toEqual([]);
  });

  it("whose record is lost names the session", async () => {
    const storage = await filled(5, false);
    const [name = ""] = storage.names("journal");
    const bytes = storage.files.get(name) ?? new Uint8Array();
    bytes[Buffer.from(bytes).indexOf("message 2")] = 0;
    storage.put(name, bytes);
    storage.loseSpares();
    const [problem] = (await open(storage)).problems;
    expect(problem?.detail).toContain("A title");
  });
});

describe("a write that fails", () => {
  it("rejects, changes nothing, and the next one goes on", async () => {
    const storage = await filled(1, false);
    const store = await open(storage);
    for (const torn of [0, 1, 11, 12, 40]) {
      storage.tearNextAppendAt = torn;
      await expect(store.append("s1", userMessage("lost"))).rejects.toThrow("no space left");
      expect((await store.load("s1"))?.messages).toHaveLength(1);
    }
    await store.append("s1", userMessage("kept"));
    expect(await texts(storage)).toEqual(["message 0", "kept"]);
    expect((await open(storage)).problems).toEqual([]);
    await closeWritten(store);
    expect(await texts(storage)).toEqual(["message 0", "kept"]);
  });

  it("can be tried again with the same message, even where it had reached the disk", async () => {
    const storage = await filled(0, false);
    const store = await open(storage);
    const message = userMessage("twice");
    storage.tearNextAppendAt = 1_000_000;
    await expect(store.append("s1", message)).rejects.toThrow("no space left");
    await store.append("s1", message);
    expect(await texts(storage)).toEqual(["twice"]);
  });

  it("leaves a read-only folder readable", async () => {
    const storage = await filled(2, true);
    storage.beforeChange = () => {
      throw new Error("EROFS: read-only file system");
    };
    const store = await open(storage);
    expect(await store.list()).toHaveLength(1);
    expect((await store.load("s1"))?.messages).toHaveLength(2);
    await expect(store.append("s1", userMessage("no"))).rejects.toThrow("EROFS");
    await expect(store.append("s1", userMessage("x".repeat(9000)))).rejects.toThrow("EROFS");
    await store.close();
  });

  it("at each step of a checkpoint loses nothing and takes nothing in twice", async () => {
    for (let step = 0; ; step++) {
      const storage = await filled(3, true);
      const store = await open(storage);
      await store.append("s1", userMessage("late"));
      // A second writer, whose older change must not come again when its journal alone is left.
      const early = await open(storage);
      await early.update("s1", { title: "Early" });
      await store.list();
      await store.update("s1", { title: "Late" });
      let left = step;
      storage.beforeChange = () => {
        if (left-- === 0) throw new Error("power failed");
      };
      await store.checkpoint().catch(() => {});
      storage.beforeChange = () => {};
      // Another process finds what a crash left, and the same one can go on.
      const expected = ["message 0", "message 1", "message 2", "late"];
      const copy = storage.copy();
      const other = await open(copy);
      expect((await other.load("s1"))?.messages.map((message) => message.display)).toEqual(expected);
      expect((await other.list())[0]).toMatchObject({ title: "Late", messageCount: 4 });
      await other.append("s1", userMessage("other"));
      await closeWritten(other);
      expect(await texts(copy)).toEqual([...expected, "other"]);
      await store.append("s1", userMessage("on"));
      await closeWritten(store);
      expect(await texts(storage)).toEqual([...expected, "on"]);
      expect(storage.names("journal")).toEqual([]);
      if (left >= 0) {
        expect(step).toBeGreaterThan(2);
        return;
      }
    }
  });
});

describe("two processes on one project", () => {
  it("see each other's changes and overwrite nothing, checkpoints in between included", async () => {
    const storage = new MemoryStorage();
    const one = await open(storage);
    const two = await open(storage);
    await one.create(newSession("a"));
    await two.create(newSession("b"));
    const expected: string[] = [];
    for (let turn = 0; turn < 40; turn++) {
      const writer = turn % 3 ? one : two;
      await writer.append(turn % 2 ? "a" : "b", userMessage(`${turn}`));
      expected.push(`${turn}`);
      if (turn % 7 === 0) await one.checkpoint();
      if (turn % 5 === 0) await two.checkpoint();
      const reader = turn % 4 ? one : two;
      const seen = await Promise.all(["a", "b"].map((id) => reader.load(id)));
      const all = seen.flatMap((session) => session?.messages.map((message) => message.display) ?? []);
      expect(all.sort()).toEqual([...expected].sort());
    }
    await Promise.all([one.close(), two.close()]);
    const after = [...(await texts(storage, "a")), ...(await texts(storage, "b"))];
    expect(after.sort()).toEqual([...expected].sort());
  });

  it("keep a session's order when they take turns in it", async () => {
    const storage = await filled(0, false);
    const stores = [await open(storage), await open(storage)];
    for (let turn = 0; turn < 12; turn++) {
      const store = stores[turn % 2];
      await store?.load("s1");
      await store?.append("s1", userMessage(`${turn}`));
      if (turn === 6) await stores[0]?.checkpoint();
    }
    const expected = Array.from({ length: 12 }, (_, turn) => `${turn}`);
    expect(await texts(storage)).toEqual(expected);
    for (const store of stores) await closeWritten(store);
    expect(await texts(storage)).toEqual(expected);
  });

  it("write again what a checkpoint took away under their hands", async () => {
    const storage = await filled(0, false);
    const one = await open(storage);
    const other = await open(storage);
    await one.append("s1", userMessage("first"));
    // In the middle of an append: the bytes are written, the file is renamed, read and removed.
    const stat = storage.stat.bind(storage);
    let once = true;
    storage.stat = async (name) => {
      if (once && name.startsWith("journal/") && !name.endsWith(".sealed")) {
        once = false;
        const bytes = storage.files.get(name);
        // What the other process has read of it lacks the last record.
        if (bytes) storage.put(name, bytes.slice(0, bytes.length - 20));
        await other.checkpoint();
      }
      return stat(name);
    };
    await one.append("s1", userMessage("second"));
    expect(once).toBe(false);
    expect(await texts(storage)).toEqual(["first", "second"]);
    await closeWritten(one);
    expect(await texts(storage)).toEqual(["first", "second"]);
  });

  it("notice a checkpoint that died after it took the journals away", async () => {
    const storage = await filled(0, false);
    const [reader, writer, dying] = [await open(storage), await open(storage), await open(storage)];
    await writer.append("s1", userMessage("1"));
    expect((await reader.load("s1"))?.messages).toHaveLength(1);
    storage.beforeChange = (change) => {
      if (change === "replace") throw new Error("killed");
    };
    await expect(dying.checkpoint()).rejects.toThrow("killed");
    // The writer's new file is as long as the part of the old one that the reader knows, to the byte.
    await writer.append("s1", userMessage("2"));
    await writer.append("s1", userMessage("3"));
    const seen = (await reader.load("s1"))?.messages.map((message) => message.display);
    expect(seen).toEqual(["1", "2", "3"]);
  });

  it("do not bring back what one of them deleted while the other writes to it", async () => {
    const storage = await filled(1, true);
    const [one, other] = [await open(storage), await open(storage)];
    await other.load("s1");
    await one.remove("s1");
    await one.checkpoint();
    await other.append("s1", userMessage("too late"));
    await other.create(newSession("s1"));
    expect(await one.list()).toEqual([]);
    expect(await other.list()).toEqual([]);
    await closeWritten(other);
    expect(await (await open(storage)).list()).toEqual([]);
  });

  /** One deletes the only session with a long text, and the other names the same text at some moment of that. */
  async function sharing(
    at: (storage: MemoryStorage, remove: () => Promise<void>, append: () => Promise<void>) => Promise<void>,
  ) {
    const storage = await filled(0, false);
    const [one, two] = [await open(storage), await open(storage)];
    const long = "x".repeat(9000);
    await one.create(newSession("gone"));
    await one.append("gone", userMessage(long));
    await at(
      storage,
      () => one.remove("gone"),
      () => two.append("s1", userMessage(long)),
    );
    expect(await texts(storage)).toEqual([long]);
    const store = await open(storage);
    await store.load("s1");
    expect(store.problems).toEqual([]);
    await store.remove("s1");
    expect(storage.names("payloads")).toEqual([]);
  }

  it("keep a long text that the other names just before it is moved away", () =>
    sharing(async (storage, remove, append) => {
      const rename = storage.rename.bind(storage);
      let other: Promise<void> | undefined;
      storage.rename = async (from, to) => {
        if (from.startsWith("payloads/") && !from.endsWith(".leaving")) {
          other ??= append();
          await other;
        }
        return rename(from, to);
      };
      await remove();
      expect(other).toBeDefined();
    }));

  it("keep a long text that the other had seen before it was removed and names after", () =>
    sharing(async (storage, remove, append) => {
      const real = storage.append.bind(storage);
      let other: Promise<void> | undefined;
      storage.append = async (name, bytes) => {
        if (!other) {
          other = remove();
          await other;
        }
        return real(name, bytes);
      };
      await append();
      expect(other).toBeDefined();
    }));
});

describe("a store that another process rewrites", () => {
  it("goes on where it looked between the new database and the journals that were put away", async () => {
    const storage = await filled(3, false);
    const one = await open(storage);
    const two = await open(storage);
    const rename = storage.rename.bind(storage);
    let looked: Promise<unknown> | undefined;
    storage.rename = async (from, to) => {
      if (to.startsWith("previous/")) {
        looked ??= two.list();
        await looked;
      }
      return rename(from, to);
    };
    await one.append("s1", userMessage("by one", "one"));
    await one.checkpoint();
    expect(looked).toBeDefined();
    await two.append("s1", userMessage("by two", "two"));
    await two.checkpoint();
    await one.load("s1");
    await one.append("s1", userMessage("by one again", "again"));
    expect([...one.problems, ...two.problems]).toEqual([]);
    expect(await texts(storage)).toEqual([
      ...["message 0", "message 1", "message 2"],
      ...["by one", "by two", "by one again"],
    ]);
  });
});

describe("a database", () => {
  /** A store in its third generation: all messages are in the database, and both previous databases are kept. */
  async function ofThreeGenerations() {
    const storage = await filled(100, true, (index) => `message ${index} ${"filler ".repeat(20)}`);
    for (const late of ["late", "later"]) {
      const store = await open(storage);
      await store.append("s1", userMessage(late));
      await closeWritten(store);
    }
    const bases = storage.names("previous").filter((name) => name.endsWith(".db"));
    return { storage, bases, said: await texts(storage) };
  }

  it("cut short anywhere is set aside, and all is given back", async () => {
    const { storage, said } = await ofThreeGenerations();
    const whole = storage.files.get(DATABASE) ?? new Uint8Array();
    for (const part of sampled([0, 1, 2, 3, 4, 5, 6, 7, 8], 3)) {
      const cut = storage.copy();
      const bytes = whole.slice(0, Math.floor((whole.length * part) / 9));
      cut.put(DATABASE, bytes);
      const store = await open(cut);
      expect(store.problems).toEqual([{ code: "database-restored", detail: "checksum" }]);
      expect((await store.load("s1"))?.messages.map(({ display }) => display)).toEqual(said);
      const [kept = ""] = cut.names("damaged");
      expect(Buffer.compare(cut.files.get(kept) ?? new Uint8Array(), bytes)).toBe(0);
      await store.append("s1", userMessage("goes on"));
      await closeWritten(store);
      expect((await open(cut)).problems).toEqual([]);
      expect(await texts(cut)).toEqual([...said, "goes on"]);
    }
  });

  it("damaged together with one before it, or lost with it, gives back all", async () => {
    const { storage, bases, said } = await ofThreeGenerations();
    expect(bases.sort()).toEqual(["previous/sessions-1.db", "previous/sessions-2.db"]);
    for (const base of bases) {
      for (const isLost of [true, false]) {
        const broken = storage.copy();
        for (const name of [DATABASE, base]) {
          if (isLost) broken.files.delete(name);
          else broken.put(name, (broken.files.get(name) ?? new Uint8Array()).fill(0xff, 0, 4096));
        }
        const store = await open(broken);
        const fault = isLost ? "missing" : "checksum";
        expect(store.problems).toEqual([{ code: "database-restored", detail: fault }]);
        expect((await store.load("s1"))?.messages.map(({ display }) => display)).toEqual(said);
        await store.append("s1", userMessage("goes on"));
        await closeWritten(store);
        // What was recovered from is kept, and gives back all once more.
        broken.files.delete(DATABASE);
        expect(await texts(broken)).toEqual([...said, "goes on"]);
      }
    }
  });

  it("of which nothing is left is set aside, and that is said", async () => {
    const { storage, bases } = await ofThreeGenerations();
    for (const name of [DATABASE, ...bases]) storage.put(name, new Uint8Array(9000));
    const store = await open(storage);
    expect(store.problems.map(({ code }) => code)).toContain("database-damaged");
    expect(storage.names("damaged")).toHaveLength(1);
    await store.create(newSession("s2"), userMessage("goes on"));
    await closeWritten(store);
    expect(await texts(storage, "s2")).toEqual(["goes on"]);
  });

  it("that is no database at all is set aside, and the journals still count", async () => {
    const storage = await filled(3, false);
    for (const bytes of [new Uint8Array(), Buffer.from("not a database"), new Uint8Array(100_000).fill(7)]) {
      const copy = storage.copy();
      copy.put(DATABASE, bytes);
      const store = await open(copy);
      expect((await store.load("s1"))?.messages).toHaveLength(3);
      expect(copy.names("damaged")).toHaveLength(1);
    }
  });

  it("does not bring back what the user deleted", async () => {
    const storage = await filled(200, true);
    const store = await open(storage);
    await store.create(newSession("s2"));
    await store.append("s2", userMessage("stays"));
    await store.remove("s1");
    await closeWritten(store);
    const bytes = storage.files.get(DATABASE) ?? new Uint8Array();
    bytes.fill(0, 0, 100);
    storage.put(DATABASE, bytes);
    expect((await (await open(storage)).list()).map((session) => session.id)).toEqual(["s2"]);
  });

  it("of a newer version is read, never written, and that is said", async () => {
    const newer = [...MIGRATIONS, "ALTER TABLE sessions ADD COLUMN later INTEGER"];
    const storage = new MemoryStorage();
    const later = await open(storage, newer);
    await later.create(newSession("s1"));
    await later.append("s1", userMessage("from later"));
    await closeWritten(later);
    const before = [...storage.files.keys()];
    const store = await open(storage);
    expect(store.readOnly).toBe(true);
    expect(store.problems.map((problem) => problem.code)).toEqual(["newer-version"]);
    expect((await store.load("s1"))?.messages).toHaveLength(1);
    await expect(store.append("s1", userMessage("no"))).rejects.toThrow("newer version");
    await closeWritten(store);
    expect([...storage.files.keys()]).toEqual(before);
  });

  it("of a version that did not seal it is opened, sealed, and kept as the generation before", async () => {
    const storage = await filled(3, true);
    const old = await openDatabase(assets, storage.files.get(DATABASE));
    for (const column of ["permission", "parent", "worktree", "origin", "agent"])
      old.execute(`ALTER TABLE sessions DROP COLUMN ${column}`);
    old.execute("PRAGMA user_version = 3");
    const bytes = old.export();
    storage.put(DATABASE, bytes);
    storage.loseSpares();
    const store = await open(storage);
    expect((await store.load("s1"))?.messages).toHaveLength(3);
    expect(store.problems).toEqual([]);
    expect(storage.files.get("previous/sessions-1.db")).toEqual(bytes);
    await store.append("s1", userMessage("on"));
    await closeWritten(store);
    const sealed = storage.files.get(DATABASE) ?? new Uint8Array();
    expect(Buffer.from(sealed.slice(-200)).toString("latin1")).toMatch(/nekode-seal 1 .*\n$/);
    expect(await texts(storage)).toHaveLength(4);
  });

  it("that is whole but for its checksum is used as it is, where nothing else is left of it", async () => {
    const storage = await filled(3, true);
    const db = await openDatabase(assets, storage.files.get(DATABASE));
    db.execute("UPDATE sessions SET title = 'Changed by hand'");
    storage.put(DATABASE, db.export());
    storage.loseSpares();
    const store = await open(storage);
    expect((await store.list())[0]).toMatchObject({ title: "Changed by hand", messageCount: 3 });
    expect(store.problems.map(({ code }) => code)).toEqual(["database-damaged"]);
    await closeWritten(store);
    expect((await open(storage)).problems).toEqual([]);
  });

  it("of the version before is brought up to date and saved so", async () => {
    const storage = await filled(3, true);
    const old = await open(storage);
    await old.append("s1", userMessage("in the journal"));
    const next = [...MIGRATIONS, "ALTER TABLE sessions ADD COLUMN later INTEGER NOT NULL DEFAULT 0"];
    const store = await open(storage, next);
    expect((await store.load("s1"))?.messages).toHaveLength(4);
    expect(store.problems).toEqual([]);
    const saved = await openDatabase(assets, storage.files.get(DATABASE));
    expect(saved.userVersion()).toBe(next.length);
    // The older process, still running, notices and writes no more.
    await old.list();
    expect(old.readOnly).toBe(true);
  });
});

describe("a checkpoint", () => {
  const COUNT = rounds(250, 400);

  it("comes by itself with the size of the journal, at a cost in proportion", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    const text = "猫".repeat(4000);
    let sent = 0;
    for (let index = 0; index < COUNT; index++) {
      const message = userMessage(`${index} ${text}`.slice(0, 4000));
      await store.append("s1", message);
      sent += Buffer.byteLength(JSON.stringify(message));
    }
    expect(storage.files.has(DATABASE)).toBe(true);
    expect(storage.written).toBeLessThan(sent * 4);
    expect(await texts(storage)).toHaveLength(COUNT);
  });
});

describe("closing", () => {
  const written = (storage: MemoryStorage) => storage.files.has(DATABASE);

  it("leaves a short session in its journal, which the next process reads", async () => {
    const storage = await filled(3, false);
    const store = await open(storage);
    await store.append("s1", userMessage("last", "last"));
    await store.close();
    expect(written(storage)).toBe(false);
    expect(await texts(storage)).toEqual(["message 0", "message 1", "message 2", "last"]);
  });

  it("writes the database once much is in journals, or many journals are there", async () => {
    const long = await filled(90, false, () => "x".repeat(3_000));
    const store = await open(long);
    await store.append("s1", userMessage("last", "last"));
    await store.close();
    expect(written(long)).toBe(true);

    const many = new MemoryStorage();
    for (let run = 0; run < 9; run++) {
      expect(written(many)).toBe(false);
      const short = await open(many);
      await short.create(newSession(`s${run}`), userMessage("x", `m${run}`));
      await short.close();
    }
    expect([written(many), many.names("journal")]).toEqual([true, []]);
    expect(await (await open(many)).list()).toHaveLength(9);
  });
});

describe("a power failure", () => {
  const counted = () => {
    const storage = new MemoryStorage();
    const syncs: string[] = [];
    storage.beforeChange = (change, name) => {
      if (change === "sync") syncs.push(name.split("/")[0] ?? "");
    };
    return { storage, syncs };
  };

  it("takes nothing that was synced, and leaves a session that can be continued", async () => {
    const { storage } = counted();
    const store = await open(storage);
    await store.create(newSession("s1"), userMessage("first", "m0"));
    await store.sync();
    await store.append("s1", userMessage("second", "m1"));
    const left = storage.afterPowerFailure();
    expect(await texts(left)).toEqual(["first"]);
    const again = await open(left);
    expect(again.problems).toEqual([]);
    await again.append("s1", userMessage("third", "m2"));
    await closeWritten(again);
    expect(await texts(left.afterPowerFailure())).toEqual(["first", "third"]);
    await store.sync();
    expect(await texts(storage.afterPowerFailure())).toEqual(["first", "second"]);
  });

  it.each([
    ["nothing", undefined],
    ["an empty file", ""],
    ["zeros", "\0\0\0"],
  ])("may leave %s of the file that identifies a new store", async (_, left) => {
    const { storage, syncs } = counted();
    const store = await open(storage);
    await store.create(newSession("s1"), userMessage("first", "m0"));
    await store.sync();
    expect(syncs).toEqual(["journal"]);
    const after = storage.afterPowerFailure();
    expect(after.files.has("store.json")).toBe(false);
    if (left !== undefined) after.put("store.json", new TextEncoder().encode(left));
    const again = await open(after);
    expect(again.problems).toEqual([]);
    await again.append("s1", userMessage("second", "m1"));
    await closeWritten(again);
    const last = await open(after);
    expect(last.problems).toEqual([]);
    await last.close();
    expect(await texts(after)).toEqual(["first", "second"]);
  });

  it("takes nothing that is older than the delay, although nobody asked", async () => {
    const { storage, syncs } = counted();
    const waits: (() => void)[] = [];
    const clock = {
      ...clockAt(),
      after: (_: number, then: () => void) => {
        waits.push(then);
        return { dispose: () => {} };
      },
    };
    const store = await openSessionStore(storage, assets, clock, quietLog);
    await store.create(newSession("s1"), userMessage("first", "m0"));
    for (let index = 1; index < 20; index++) await store.append("s1", userMessage(`${index}`, `m${index}`));
    expect([syncs.length, waits.length]).toEqual([0, 1]);
    waits.pop()?.();
    await store.sync();
    expect(await texts(storage.afterPowerFailure())).toHaveLength(20);
    expect(syncs).toEqual(["journal"]);
    await store.append("s1", userMessage("later", "later"));
    expect(waits).toHaveLength(1);
  });

  it("is told of as a danger if the disk does not sync", async () => {
    const { storage } = counted();
    const store = await open(storage);
    await store.create(newSession("s1"), userMessage("first", "m0"));
    storage.beforeChange = (change) => {
      if (change === "sync") throw new Error("EIO: i/o error");
    };
    await store.sync();
    expect(store.problems).toEqual([{ code: "not-synced", detail: "EIO: i/o error" }]);
    storage.beforeChange = () => {};
    await store.sync();
    expect(await texts(storage.afterPowerFailure())).toEqual(["first"]);
  });
});
