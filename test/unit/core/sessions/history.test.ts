/** The list, the search in it, branches, deletion that can be undone, and whole sessions taken in. */
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../../../src/core/sessions/db/database.ts";
import { MIGRATIONS, migrate } from "../../../../src/core/sessions/db/schema.ts";
import {
  fold,
  hashesOf,
  mayContain,
  Signature,
  termsOf,
} from "../../../../src/core/sessions/search/grams.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import type { Message } from "../../../../src/shared/message.ts";
import { historyQuerySchema } from "../../../../src/shared/protocol.ts";
import { fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const open = (storage: MemoryStorage, steps?: readonly string[]) =>
  openSessionStore(storage, assets, clockAt(), quietLog, steps ? { migrations: steps } : {});

async function add(store: SessionStore, id: string, ...texts: string[]): Promise<void> {
  await store.create({ ...newSession(id), title: `title of ${id}` });
  for (const [index, text] of texts.entries()) await store.append(id, userMessage(text, `${id}-${index}`));
}

async function find(store: SessionStore, query: Record<string, unknown>): Promise<string[]> {
  return (await store.find(historyQuerySchema.parse(query))).sessions.map((session) => session.id);
}

const said = async (store: SessionStore, id: string) =>
  (await store.load(id))?.messages.map((message) => message.display);

const totals = (cost: number, inputTokens: number) => ({
  requests: 1,
  inputTokens,
  outputTokens: 0,
  cachedTokens: 0,
  cost,
  contextTokens: 0,
  contextWindow: 0,
});

describe("the signature of a text", () => {
  it("holds every term that the text contains", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme", maxLength: 300 }), fc.string({ maxLength: 300 }));
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.nat(),
        (texts, from, length) => {
          const folded = texts.map(fold);
          const bits = signatureOf(folded);
          const source = folded[from % folded.length] ?? "";
          const start = from % (source.length + 1);
          for (const term of termsOf(source.slice(start, start + (length % 12)))) {
            if (folded.some((one) => one.includes(term))) expect(mayContain(bits, hashesOf(term))).toBe(true);
          }
        },
      ),
    );
  });

  it("lacks nearly all others, in a fraction of the size", () => {
    const words = Array.from({ length: 3000 }, (_, index) => `word${index * 7919} 単語${index}`);
    const text = fold(words.join(" "));
    const bits = signatureOf([text]);
    expect(bits.length).toBeLessThan(text.length / 2);
    const absent = Array.from({ length: 500 }, (_, index) => `zq${index}xj`);
    const seen = absent.filter((term) => mayContain(bits, hashesOf(term)));
    expect(seen.length).toBeLessThan(5);
  });
});

describe("a search", () => {
  it("finds words in titles and messages, Japanese, both widths and cases, all of them in one session", async () => {
    const store = await open(new MemoryStorage());
    await add(store, "a", "The quick brown fox", "吾輩は猫である。名前はまだ無い。");
    await add(store, "b", "ＡＰＩキーを設定する", "ｶﾀｶﾅも");
    await add(store, "c", 'a "quoted\\path" and\nnewline');
    expect(await find(store, { text: "猫" })).toEqual(["a"]);
    expect(await find(store, { text: "名前 QUICK" })).toEqual(["a"]);
    expect(await find(store, { text: "api" })).toEqual(["b"]);
    expect(await find(store, { text: "カタカナ" })).toEqual(["b"]);
    expect(await find(store, { text: 'quoted\\path"' })).toEqual(["c"]);
    expect(await find(store, { text: "title" })).toEqual(["c", "b", "a"]);
    expect(await find(store, { text: "title fox" })).toEqual(["a"]);
    expect(await find(store, { text: "犬" })).toEqual([]);
    expect(await find(store, { text: "%" })).toEqual([]);
    expect(await find(store, { text: "' OR 1=1 --" })).toEqual([]);
  });

  it("looks into long texts and results, not into images, ids or what the product added", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    const long = `${"x ".repeat(5000)}needle ${"y ".repeat(5000)}`;
    const blocks: Message["blocks"] = [
      { type: "text", text: "<environment_details>secretplace", source: "context" },
      { type: "image", mimeType: "image/png", data: "aW1hZ2VkYXRh" },
      { type: "tool-call", id: "callnumber", name: "read_file", params: { path: "src/haystack.ts" } },
      {
        type: "tool-result",
        callId: "callnumber",
        name: "read_file",
        label: "read_file",
        outcome: "done",
        parts: [{ type: "text", text: long }],
      },
    ];
    await add(store, "s1", "hello");
    await store.append("s1", { ...userMessage("mixed", "m"), blocks });
    for (const from of [store, await open(storage)]) {
      expect(await find(from, { text: "needle" })).toEqual(["s1"]);
      expect(await find(from, { text: "haystack" })).toEqual(["s1"]);
      for (const text of ["secretplace", "aW1hZ2", "callnumber"])
        expect(await find(from, { text })).toEqual([]);
    }
    const [hit] = (await store.find(historyQuerySchema.parse({ text: "needle" }))).sessions;
    expect(hit?.excerpt).toMatch(/^…(x )+needle (y )+…$|^….*needle.*…$/);
  });

  it("takes in what is said after it, what another process says, and survives a checkpoint", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await add(store, "s1", "first");
    expect(await find(store, { text: "second" })).toEqual([]);
    await store.append("s1", userMessage("second"));
    expect(await find(store, { text: "second" })).toEqual(["s1"]);
    const other = await open(storage);
    await other.append("s1", userMessage("third"));
    expect(await find(store, { text: "third first" })).toEqual(["s1"]);
    for (let i = 0; i < 40; i++) await store.append("s1", userMessage(`${"filling ".repeat(400)}${i}`));
    await store.append("s1", userMessage("last"));
    await store.close();
    const again = await open(storage);
    expect(await find(again, { text: "first second third last" })).toEqual(["s1"]);
    expect(await find(again, { text: "absent" })).toEqual([]);
  });

  it("agrees with a plain scan", async () => {
    const store = await open(new MemoryStorage());
    const word = fc.constantFrom("猫", "犬が", "移行", "key", "Key2", "設定を", "x", "longerword", "wor");
    const texts: string[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(word, { minLength: 1, maxLength: 6 }),
        fc.array(word, { minLength: 1, maxLength: 2 }),
        async (content, asked) => {
          const id = `s${texts.length}`;
          const text = content.join(texts.length % 2 ? " " : "");
          texts.push(text);
          await store.create({ ...newSession(id), title: "" });
          await store.append(id, userMessage(text));
          const terms = termsOf(asked.join(" "));
          const expected = texts.flatMap((one, index) =>
            terms.every((term) => fold(one).includes(term)) ? [`s${index}`] : [],
          );
          const found = await find(store, { text: asked.join(" "), limit: 1000 });
          expect(found.sort()).toEqual(expected.sort());
        },
      ),
      { numRuns: rounds(10, 60) },
    );
  });
});

describe("the list", () => {
  it("never has a session without a message, which another version may have left", async () => {
    const store = await open(new MemoryStorage());
    await add(store, "whole", "said");
    await store.create(newSession("empty"));
    await store.fork("whole", "whole-0", newSession("branch"), userMessage("instead"));
    expect((await find(store, {})).sort()).toEqual(["branch", "whole"]);
    expect((await store.list()).map(({ id }) => id).sort()).toEqual(["branch", "whole"]);
    expect(await store.unfinished()).not.toContain("empty");
    expect(await store.latest()).not.toBe("empty");
    await store.append("empty", userMessage("late"));
    expect(await find(store, {})).toContain("empty");
  });

  it("comes in pages and in each order", async () => {
    const store = await open(new MemoryStorage());
    for (let index = 0; index < 5; index++) {
      const startedAt = `2025-01-0${index + 1}T00:00:00.000Z`;
      await store.create({ ...newSession(`s${index}`), startedAt }, userMessage("x"));
      await store.update(`s${index}`, {
        totals: totals([2, 0, 5, 1, 3][index] ?? 0, [9, 1, 3, 7, 5][index] ?? 0),
      });
    }
    await store.update("s1", { todo: "worked on again" });
    expect(await find(store, {})).toEqual(["s1", "s4", "s3", "s2", "s0"]);
    expect(await find(store, { sort: "oldest" })).toEqual(["s0", "s1", "s2", "s3", "s4"]);
    expect(await find(store, { sort: "cost" })).toEqual(["s2", "s4", "s0", "s3", "s1"]);
    expect(await find(store, { sort: "tokens" })).toEqual(["s0", "s3", "s4", "s2", "s1"]);
    const first = await store.find(historyQuerySchema.parse({ sort: "oldest", limit: 2 }));
    expect(first.more).toBe(true);
    expect(await find(store, { sort: "oldest", offset: 4, limit: 2 })).toEqual(["s4"]);
    const last = await store.find(historyQuerySchema.parse({ sort: "oldest", offset: 3, limit: 2 }));
    expect(last.more).toBe(false);
  });

  it("puts what people said before what tools printed, and titles before both", async () => {
    const store = await open(new MemoryStorage());
    await store.create({ ...newSession("title"), title: "about llamas" }, userMessage("x"));
    await add(store, "said", "tell me of llamas");
    await store.create(newSession("printed"));
    const assistant: Message = {
      ...userMessage("", "p"),
      role: "assistant",
      blocks: [{ type: "text", text: "llamas" }],
    };
    await store.append("printed", { ...assistant, display: "" });
    expect(await find(store, { text: "llamas", sort: "relevance" })).toEqual(["title", "said", "printed"]);
    expect(await find(store, { text: "llamas" })).toEqual(["printed", "said", "title"]);
  });

  it("keeps favorites and names, which change no order", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await add(store, "a", "1");
    await add(store, "b", "2");
    await store.update("a", { favourite: true });
    await store.update("a", { title: '<img src=x onerror=alert(1)> "; DROP TABLE sessions' });
    for (const from of [store, await open(storage)]) {
      expect(await find(from, {})).toEqual(["b", "a"]);
      expect(await find(from, { favorites: true })).toEqual(["a"]);
      expect(await find(from, { text: "drop table" })).toEqual(["a"]);
    }
    await store.update("a", { favourite: false });
    expect(await find(store, { favorites: true })).toEqual([]);
  });
});

describe("a branch", () => {
  it("shares what came before, and neither sees what the other says after", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await add(store, "s1", "1", "2", "3");
    await store.fork("s1", "s1-1", newSession("s2"));
    await store.append("s2", userMessage("2b"));
    await store.append("s1", userMessage("4"));
    await store.fork("s2", "s1-0", newSession("s3"));
    await store.append("s3", userMessage("1c"));
    for (const from of [store, await open(storage)]) {
      expect(await said(from, "s1")).toEqual(["1", "2", "3", "4"]);
      expect(await said(from, "s2")).toEqual(["1", "2b"]);
      expect(await said(from, "s3")).toEqual(["1c"]);
      const summary = (await from.list()).find((session) => session.id === "s2");
      expect(summary).toMatchObject({ messageCount: 2, forkOf: { id: "s1", title: "title of s1" } });
    }
    await expect(store.fork("s1", "nowhere", newSession("s4"))).rejects.toThrow("no message");
    await expect(store.fork("s2", "s1-2", newSession("s4"))).rejects.toThrow("no message");
  });

  it("keeps what it shares when the session it came from is deleted, long texts included", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    const long = "長い".repeat(5000);
    await add(store, "s1", "1", long, "3", "4", "5");
    await store.fork("s1", "s1-2", newSession("early"));
    await store.append("early", userMessage("early 3"));
    await store.fork("s1", "s1-4", newSession("late"));
    await store.append("late", userMessage("late 5"));
    await store.remove("s1");
    for (const from of [store, await open(storage)]) {
      expect(await said(from, "s1")).toBeUndefined();
      expect(await said(from, "early")).toEqual(["1", long, "early 3"]);
      expect(await said(from, "late")).toEqual(["1", long, "3", "4", "late 5"]);
      expect((await from.list()).map((session) => session.messageCount).sort()).toEqual([3, 5]);
      expect(await find(from, { text: "長い" })).toEqual(["late"]);
      expect(from.problems).toEqual([]);
    }
    await store.remove("late");
    expect(await said(store, "early")).toEqual(["1", long, "early 3"]);
    await store.remove("early");
    expect(storage.names("payloads")).toEqual([]);
  });

  it("of a branch survives the deletion of the one in the middle", async () => {
    const store = await open(new MemoryStorage());
    await add(store, "s1", "1", "2");
    await store.fork("s1", "s1-1", newSession("s2"));
    await store.append("s2", userMessage("2b", "s2-1"));
    await store.append("s2", userMessage("3b", "s2-2"));
    await store.fork("s2", "s2-2", newSession("s3"));
    await store.append("s3", userMessage("3c"));
    await store.remove("s2");
    expect(await said(store, "s3")).toEqual(["1", "2b", "3c"]);
    expect(await said(store, "s1")).toEqual(["1", "2"]);
    await store.remove("s1");
    expect(await said(store, "s3")).toEqual(["1", "2b", "3c"]);
  });
});

describe("a part of a session", () => {
  it("is the same as that part of the whole, in a branch of a branch too", async () => {
    const store = await open(new MemoryStorage());
    await add(store, "a", "1", "2", "3", "4");
    await store.fork("a", "a-3", newSession("b"));
    await store.append("b", userMessage("5", "b-0"));
    await store.append("b", userMessage("6", "b-1"));
    await store.fork("b", "b-1", newSession("c"));
    for (const text of ["7", "8", "9"]) await store.append("c", userMessage(text));
    for (const id of ["a", "b", "c"]) {
      const all = (await store.load(id))?.messages ?? [];
      for (let skip = 0; skip <= all.length + 1; skip++) {
        for (let count = 0; count <= all.length + 1; count++) {
          const end = Math.max(0, all.length - skip);
          const part = await store.load(id, { skip, count });
          expect(part?.messages).toEqual(all.slice(Math.max(0, end - count), end));
        }
      }
    }
    expect((await store.load("c"))?.messages.map(({ display }) => display).join("")).toBe("1235789");
  });
});

describe("a deleted session", () => {
  it("is gone from everywhere, and back again when that is undone", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await add(store, "a", "stays");
    await add(store, "b", "goes");
    await store.update("b", { deletedAt: "2025-01-01T00:00:00.000Z" });
    for (const from of [store, await open(storage)]) {
      expect(await find(from, {})).toEqual(["a"]);
      expect(await find(from, { text: "goes" })).toEqual([]);
      expect((await from.list()).map((session) => session.id)).toEqual(["a"]);
      expect(await from.latest()).toBe("a");
      expect((await from.unfinished())[0]).toBe("a");
      expect(await from.deleted()).toEqual([{ id: "b", deletedAt: "2025-01-01T00:00:00.000Z" }]);
    }
    await store.update("b", { deletedAt: null });
    expect(await find(store, {})).toEqual(["b", "a"]);
    expect(await said(store, "b")).toEqual(["goes"]);
  });
});

describe("a session taken in as a whole", () => {
  it("is there with all of it, or is a deleted one where it was torn", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    const long = "long ".repeat(2000);
    const messages = ["1", long, "3"].map((text, index) => userMessage(text, `m${index}`));
    await store.import(newSession("s1"), messages, { totals: totals(1, 2), favourite: true });
    expect((await store.load("s1"))?.messages).toEqual(messages);
    expect(await find(store, { favorites: true, text: "long" })).toEqual(["s1"]);
    const [journal = ""] = storage.names("journal");
    const whole = storage.files.get(journal) ?? new Uint8Array();
    for (const part of [0.3, 0.6, 0.95]) {
      const torn = storage.copy();
      torn.put(journal, whole.slice(0, Math.floor(whole.length * part)));
      torn.loseSpares();
      const after = await open(torn);
      expect(await find(after, {})).toEqual([]);
    }
  });
});

describe("two processes", () => {
  it("do not work on one session at once; one can take it over, and the other then changes nothing", async () => {
    const storage = new MemoryStorage();
    const [one, two] = [await open(storage), await open(storage)];
    await add(one, "s1", "1");
    expect(await one.claim("s1")).toBe(true);
    expect(await two.claim("s1")).toBe(false);
    expect(await two.unfinished()).toEqual([]);
    expect((await two.find(historyQuerySchema.parse({}))).sessions[0]?.elsewhere).toBe(true);
    expect((await one.find(historyQuerySchema.parse({}))).sessions[0]?.elsewhere).toBeUndefined();
    expect(await two.claim("s1", true)).toBe(true);
    await expect(one.append("s1", userMessage("late"))).rejects.toThrow("taken over");
    await expect(one.update("s1", { todo: "late" })).rejects.toThrow("taken over");
    await expect(one.markCall("s1", "c", "started")).rejects.toThrow("taken over");
    await two.append("s1", userMessage("2"));
    expect(await said(one, "s1")).toEqual(["1", "2"]);
    await two.close();
    expect(await one.claim("s1")).toBe(true);
    await one.append("s1", userMessage("3"));
  });
});

describe("a database of the first version", () => {
  it("is brought up to date with all that it holds", async () => {
    const [first = ""] = MIGRATIONS;
    const db = await openDatabase(assets);
    migrate(db, [first]);
    for (let index = 0; index < 50; index++) {
      db.run("INSERT INTO sessions VALUES (?, 't0', NULL, '/p', 'm', ?, 't1', 'act', '', NULL, ?)", [
        `s${index}`,
        `title ${index}`,
        index,
      ]);
      const body =
        '{"blocks":[{"at":"content","length":4,"rest":{"type":"text"}}],"rest":{"display":"text"}}';
      db.run("INSERT INTO messages VALUES (?, ?, 't', 'user', 'text', NULL, NULL, 1, ?)", [
        `m${index}`,
        `s${index}`,
        body,
      ]);
    }
    const storage = new MemoryStorage();
    storage.put("sessions.db", db.export());
    const store = await open(storage);
    expect(await store.list()).toHaveLength(50);
    expect(await find(store, { text: "text", limit: 100 })).toHaveLength(50);
    expect(await said(store, "s7")).toEqual(["text"]);
    await store.close();
    const saved = await openDatabase(assets, storage.files.get("sessions.db"));
    expect(saved.dump("SELECT favourite, forked_from, title FROM sessions WHERE id = 's9'")).toEqual([
      [0, null, "title 9"],
    ]);
  });
});

/** Bits for folded texts. */
function signatureOf(texts: readonly string[]): Uint8Array {
  const signature = new Signature(texts.reduce((sum, text) => sum + text.length, 0));
  for (const text of texts) signature.add(text);
  return signature.end();
}
