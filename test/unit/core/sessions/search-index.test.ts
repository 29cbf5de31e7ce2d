/** What searches need, made in the background: in short slices, with results of what is there so far, and kept. */
import { describe, expect, it } from "vitest";
import { Library } from "../../../../src/core/agent/session-library.ts";
import type { Clock } from "../../../../src/core/ports/system.ts";
import { openDatabase } from "../../../../src/core/sessions/db/database.ts";
import { MIGRATIONS, migrate } from "../../../../src/core/sessions/db/schema.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import type { Message } from "../../../../src/shared/message.ts";
import { historyQuerySchema, type IndexProgress } from "../../../../src/shared/protocol.ts";
import { memoryHost } from "../../../support/memory-host.ts";
import {
  assets,
  clockAt,
  closeWritten,
  MemoryStorage,
  newSession,
  quietLog,
  userMessage,
} from "./support.ts";

/** A time that passes with each look at it: three milliseconds. */
class BusyClock implements Clock {
  #time = Date.parse("2025-01-01T00:00:00.000Z");
  #timers: { due: number; run: () => void }[] = [];
  /** How often others had their turn. */
  turns = 0;

  now(): Date {
    this.#time += 3;
    for (const timer of this.#timers.filter(({ due }) => due <= this.#time)) {
      this.#timers = this.#timers.filter((other) => other !== timer);
      timer.run();
    }
    return new Date(this.#time);
  }

  after(ms: number, run: () => void) {
    if (ms === 0) {
      this.turns += 1;
      setImmediate(run);
      return { dispose: () => {} };
    }
    const timer = { due: this.#time + ms, run };
    this.#timers.push(timer);
    return {
      dispose: () => {
        this.#timers = this.#timers.filter((other) => other !== timer);
      },
    };
  }
}

const open = (storage: MemoryStorage, clock: Clock = clockAt()) =>
  openSessionStore(storage, assets, clock, quietLog);
const find = (store: SessionStore, text: string, more: Record<string, unknown> = {}) =>
  store.find(historyQuerySchema.parse({ text, ...more }));
const ids = (page: { sessions: { id: string }[] }) => page.sessions.map(({ id }) => id);

const filled = new Map<string, Promise<MemoryStorage>>();

/** Sessions of 70 messages, in a store that nobody has searched; made once for all tests. */
async function unindexed(count: number, words = 160): Promise<MemoryStorage> {
  const key = `${count} ${words}`;
  const made = filled.get(key) ?? fill(count, words);
  filled.set(key, made);
  return (await made).copy();
}

async function fill(count: number, words: number): Promise<MemoryStorage> {
  const storage = new MemoryStorage();
  const store = await open(storage);
  for (let index = 0; index < count; index++) {
    const messages = Array.from({ length: 70 }, (_, at) =>
      userMessage(`${at === 35 ? `needle 針${index}` : "hay"} ${"straw ".repeat(words)}`, `s${index}-${at}`),
    );
    await store.import(newSession(`s${index}`), messages, {});
  }
  await closeWritten(store);
  return storage;
}

describe("a store that was never searched", () => {
  it("answers at once from what is taken in so far, says how far that is, and when it is all", async () => {
    const clock = new BusyClock();
    const store = await open(await unindexed(12), clock);
    const told: IndexProgress[] = [];
    const complete = new Promise<void>((resolve) => {
      store.onIndexing((progress) => {
        told.push(progress);
        if (progress.done === progress.total) resolve();
      });
    });
    const first = await find(store, "needle");
    expect(first.indexing?.total).toBe(12 * 70);
    expect(first.indexing?.done).toBeLessThan(12 * 70);
    // The newest first.
    const newest = Array.from({ length: 12 }, (_, index) => `s${11 - index}`);
    expect(ids(first)).toEqual(newest.slice(0, first.sessions.length));
    // It goes on by itself, and nobody has to wait for it.
    clock.turns = 0;
    await store.append("s3", userMessage("said in the middle of it"));
    await complete;
    expect(clock.turns).toBeGreaterThan(20);
    expect(told.length).toBeGreaterThan(2);
    expect(told.map(({ done }) => done)).toEqual(told.map(({ done }) => done).sort((a, b) => a - b));
    const all = await find(store, "針", { limit: 100, sort: "oldest" });
    expect(all.indexing).toBeUndefined();
    expect(all.sessions).toHaveLength(12);
    expect(ids(await find(store, "said in the middle"))).toEqual(["s3"]);
  });

  it("begins to index when the user opens the list, and not when the list is only prepared", async () => {
    const clock = new BusyClock();
    const store = await open(await unindexed(12), clock);
    await new Library({ host: memoryHost().host, store }).prepare();
    expect(clock.turns).toBe(0);
    const complete = new Promise<void>((resolve) => {
      store.onIndexing(({ done, total }) => {
        if (done === total) resolve();
      });
    });
    expect((await find(store, "", { limit: 5 })).sessions).toHaveLength(5);
    await complete;
    expect(clock.turns).toBeGreaterThan(20);
  });

  it("goes on where it was after it was closed", async () => {
    const storage = await unindexed(180, 1);
    const clock = new BusyClock();
    const store = await open(storage, clock);
    const half = new Promise<void>((resolve) => {
      store.onIndexing(({ done, total }) => {
        if (done > total * 0.75) resolve();
      });
    });
    await find(store, "needle");
    await half;
    await store.close();
    const again = await open(storage, new BusyClock());
    const { indexing } = await find(again, "needle");
    expect(indexing?.total).toBeLessThan(180 * 70 * 0.3);
    expect(indexing?.total).toBeGreaterThan(0);
    await again.close();
  });

  it("goes on where it was when a process died in the middle of it", async () => {
    const storage = await unindexed(60, 1);
    const clock = new BusyClock();
    const store = await open(storage, clock);
    let left = storage;
    const late = new Promise<void>((resolve) => {
      store.onIndexing(({ done, total }) => {
        if (done > total * 0.9 && done < total) left = storage.copy();
        if (done === total) resolve();
      });
    });
    await find(store, "needle");
    await late;
    expect(left).not.toBe(storage);
    const { indexing } = await find(await open(left, new BusyClock()), "needle");
    expect(indexing?.total).toBeLessThan(60 * 70 * 0.7);
  });

  it("misses nothing when another process rewrites the database in the middle of it", async () => {
    const storage = new MemoryStorage();
    const filler = await open(storage);
    const messages = Array.from({ length: 200 }, (_, at) =>
      userMessage(`${at === 0 ? "needle" : "hay"} ${"straw ".repeat(1200)}`, `m${at}`),
    );
    await filler.import(newSession("s"), messages, {});
    await filler.checkpoint();
    const clock = new BusyClock();
    const store = await open(storage, {
      now: () => clock.now(),
      after(ms, run) {
        if (ms > 0 || clock.turns !== 20) return clock.after(ms, run);
        clock.turns += 1;
        filler
          .append("s", userMessage("said by the other", "other"))
          .then(() => filler.checkpoint())
          .then(() => store.list())
          .then(run);
        return { dispose: () => {} };
      },
    });
    let page = await find(store, "needle");
    while (page.indexing) page = await find(store, "needle");
    expect(clock.turns).toBeGreaterThan(20);
    expect(ids(page)).toEqual(["s"]);
    expect(ids(await find(store, "said by the other"))).toEqual(["s"]);
  });

  it("begins with a look at the list, which does not wait for it", async () => {
    const store = await open(await unindexed(4), new BusyClock());
    const complete = new Promise<void>((resolve) => {
      store.onIndexing(({ done, total }) => {
        if (done === total) resolve();
      });
    });
    const page = await store.find(historyQuerySchema.parse({}));
    expect(page.sessions).toHaveLength(4);
    await complete;
    expect((await find(store, "needle")).indexing).toBeUndefined();
  });

  it("tells whoever was answered before it was complete that it is, however soon that was", async () => {
    const store = await open(await unindexed(1), {
      ...clockAt(),
      // Nobody waits for it, and no time passes in which its progress would be told.
      after(_, run) {
        run();
        return { dispose: () => {} };
      },
    });
    const told: IndexProgress[] = [];
    const complete = new Promise<void>((resolve) => {
      store.onIndexing((progress) => {
        told.push(progress);
        resolve();
      });
    });
    expect((await find(store, "needle")).indexing).toBeDefined();
    await complete;
    expect(told).toEqual([{ done: 70, total: 70 }]);
  });

  it("is not held up by a clock that jumps back", async () => {
    const storage = await unindexed(3);
    const clock = clockAt("2025-06-01T00:00:00.000Z");
    const store = await open(storage, {
      ...clock,
      after(_, run) {
        setImmediate(run);
        return { dispose: () => {} };
      },
    });
    clock.set("2020-01-01T00:00:00.000Z");
    await find(store, "needle");
    expect((await find(store, "needle")).sessions).toHaveLength(3);
  });
});

describe("the best match", () => {
  const printed = (id: string, text: string): Message => ({
    ...userMessage(text, id),
    role: "tool",
    blocks: [
      {
        ...{ type: "tool-result", callId: id, name: "read_file", label: "read_file", outcome: "done" },
        parts: [{ type: "text", text }],
      },
    ],
    display: "",
  });

  it("is found however old it is and however many match", async () => {
    const store = await open(new MemoryStorage());
    await store.create({ ...newSession("title"), title: "about llamas" });
    await store.append("title", printed("t", "nothing"));
    await store.create({ ...newSession("asked"), title: "" });
    await store.append("asked", userMessage("tell me of llamas"));
    for (let index = 0; index < 200; index++) {
      await store.create({ ...newSession(`p${index}`), title: "" });
      await store.append(`p${index}`, printed(`p${index}`, "llamas in a listing"));
    }
    const page = await find(store, "llamas", { sort: "relevance", limit: 50 });
    expect(ids(page).slice(0, 3)).toEqual(["title", "asked", "p199"]);
    expect(page.more).toBe(true);
    const last = await find(store, "llamas", { sort: "relevance", limit: 50, offset: 200 });
    expect(ids(last)).toEqual(["p1", "p0"]);
    expect(last.more).toBe(false);
  });

  it("shows whose words are worth most, and where they are", async () => {
    const store = await open(new MemoryStorage());
    await store.create(newSession("s"));
    await store.append("s", userMessage("a llama, please", "asked"));
    // Chunks of their own.
    for (let index = 0; index < 3; index++) {
      await store.append("s", printed(`p${index}`, `llama ${"straw ".repeat(12_000)}`));
    }
    const [hit] = (await find(store, "llama", { sort: "relevance" })).sessions;
    expect(hit).toMatchObject({ excerpt: "a llama, please", found: "asked" });
  });
});

describe("a database of the second version", () => {
  it("is brought up to date, and what searches need is made anew", async () => {
    const db = await openDatabase(assets);
    migrate(db, MIGRATIONS.slice(0, 2));
    const columns = "id, started_at, project_path, model_used, title, updated_at, mode, todo, touched";
    const body =
      '{"blocks":[{"at":"content","length":6,"rest":{"type":"text"}}],"rest":{"display":"needle"}}';
    db.run(`INSERT INTO sessions (${columns}) VALUES ('s', 't', '/p', 'm', '', 't', 'act', '', 1)`);
    db.run("INSERT INTO messages VALUES ('m', 's', 't', 'user', 'needle', NULL, NULL, 1, ?)", [body]);
    db.run("INSERT INTO search_chunks VALUES ('s', 1, 1, 6, x'00')");
    const storage = new MemoryStorage();
    storage.put("sessions.db", db.export());
    const store = await open(storage);
    expect(store.problems).toEqual([]);
    expect(ids(await find(store, "needle"))).toEqual(["s"]);
    const saved = await openDatabase(assets, storage.files.get("sessions.db"));
    expect(saved.userVersion()).toBe(MIGRATIONS.length);
  });
});
