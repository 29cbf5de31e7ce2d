/** Sessions that a task started, listed under its own: order, pages, what is found by itself, and links that lead nowhere. */
import { beforeEach, describe, expect, it } from "vitest";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import {
  historyQuerySchema,
  historySortSchema,
  type SessionSummary,
} from "../../../../src/shared/protocol.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

let storage: MemoryStorage;
let store: SessionStore;

const open = () => openSessionStore(storage, assets, clockAt(), quietLog);

beforeEach(async () => {
  storage = new MemoryStorage();
  store = await open();
});

/** `second`: of the minute in which it started. */
async function add(id: string, parent?: string, second = 0, text = "words"): Promise<void> {
  const startedAt = `2025-01-01T00:00:${String(second).padStart(2, "0")}.000Z`;
  await store.create({ ...newSession(id), title: `title of ${id}`, parent, startedAt }, userMessage(text));
}

const list = async (query: Record<string, unknown> = {}, from = store) =>
  (await from.find(historyQuerySchema.parse({ grouped: true, ...query }))).sessions;

/** `a(b c)`: b and c are under a. */
const shape = (sessions: readonly SessionSummary[]): string[] =>
  sessions.map(({ id, children }) => (children ? `${id}(${shape(children).join(" ")})` : id));

const spent = (cost: number) => ({
  totals: {
    ...{ requests: 1, inputTokens: cost, outputTokens: 0, cachedTokens: 0, cost },
    ...{ contextTokens: 0, contextWindow: 0 },
  },
});

describe("a grouped list", () => {
  it("has what a task started under it, in the order it was started, whatever the order of the list", async () => {
    await add("early", undefined, 1);
    await add("parent", undefined, 2);
    await add("second", "parent", 4);
    await add("first", "parent", 3);
    await add("late", undefined, 5);
    // Two that started in one instant are in the order in which they were stored.
    await add("y", "late", 6);
    await add("x", "late", 6);
    await store.update("early", spent(3));
    await store.update("parent", spent(9));
    await store.update("second", spent(8));
    await store.update("first", spent(1));
    const [parent, late] = ["parent(first second)", "late(y x)"];
    for (const from of [store, await open()]) {
      expect(shape(await list({}, from))).toEqual([parent, "early", late]);
      expect(shape(await list({ sort: "oldest" }, from))).toEqual(["early", parent, late]);
      expect(shape(await list({ sort: "cost" }, from))).toEqual([parent, "early", late]);
      expect(shape(await list({ sort: "tokens" }, from))).toEqual([parent, "early", late]);
    }
    expect(shape(await list({ grouped: false, sort: "oldest" }))).toEqual([
      "early",
      "parent",
      "first",
      "second",
      "late",
      "y",
      "x",
    ]);
  });

  it("comes in pages that count what stands for itself, with all that is under it", async () => {
    for (let index = 0; index < 5; index++) {
      await add(`p${index}`, undefined, index);
      for (let child = 0; child < 3; child++) await add(`p${index}.${child}`, `p${index}`, 10 * (index + 1));
    }
    const page = async (offset: number) => {
      const query = { grouped: true, sort: "oldest", offset, limit: 2 };
      const { sessions, more } = await store.find(historyQuerySchema.parse(query));
      return [...shape(sessions), more];
    };
    const whole = (index: number) => `p${index}(p${index}.0 p${index}.1 p${index}.2)`;
    expect(await page(0)).toEqual([whole(0), whole(1), true]);
    expect(await page(2)).toEqual([whole(2), whole(3), true]);
    expect(await page(4)).toEqual([whole(4), false]);
  });

  it("says which of them another process works on", async () => {
    await add("parent");
    await add("child", "parent");
    const other = await open();
    expect(await other.claim("child")).toBe(true);
    expect((await list())[0]?.children?.[0]?.elsewhere).toBe(true);
    expect((await list({}, other))[0]?.children?.[0]?.elsewhere).toBeUndefined();
  });
});

describe("a session that a task started stands for itself", () => {
  beforeEach(async () => {
    await add("parent", undefined, 1, "about cats");
    await add("one", "parent", 2, "about dogs");
    await add("two", "parent", 3, "about cats and dogs");
  });

  it("when it is found, or a favorite, with what started it", async () => {
    expect(shape(await list({ text: "dogs" }))).toEqual(["two", "one"]);
    // What matches is seen, also where what started it matches too.
    expect(shape(await list({ text: "cats" }))).toEqual(["two", "parent"]);
    expect(shape(await list({ text: "  " }))).toEqual(["parent(one two)"]);
    await store.update("one", { favourite: true });
    expect(shape(await list({ favorites: true }))).toEqual(["one"]);
    await store.update("parent", { favourite: true });
    expect(shape(await list({ favorites: true }))).toEqual(["one", "parent"]);
    const parent = { id: "parent", title: "title of parent" };
    expect((await list({ favorites: true }))[0]?.parent).toEqual(parent);
    expect((await list({ text: "dogs" }))[0]?.parent).toEqual(parent);
  });

  it("while what started it is deleted, and for good when that is removed", async () => {
    await store.update("parent", { deletedAt: "2025-01-02T00:00:00.000Z" });
    expect(shape(await list())).toEqual(["two", "one"]);
    expect((await list())[0]?.parent).toEqual({ id: "parent" });
    await store.update("parent", { deletedAt: null });
    expect(shape(await list())).toEqual(["parent(one two)"]);
    await store.remove("parent");
    expect(shape(await list())).toEqual(["two", "one"]);
    expect((await list())[0]?.parent).toEqual({ id: "parent" });
  });

  it("and leaves the list alone when it is deleted itself", async () => {
    await store.update("one", { deletedAt: "2025-01-02T00:00:00.000Z", title: "still there" });
    expect(shape(await list())).toEqual(["parent(two)"]);
    await store.update("one", { deletedAt: null, favourite: true });
    expect(shape(await list())).toEqual(["parent(one two)"]);
    expect((await list())[0]?.children?.[0]).toMatchObject({ title: "still there", favourite: true });
  });

  it("as a branch of its own", async () => {
    await store.append("one", userMessage("more", "one-more"));
    await store.fork("one", "one-more", newSession("branch"));
    await store.append("branch", userMessage("other"));
    expect(shape(await list())).toEqual(["branch", "parent(one two)"]);
  });
});

it("no link makes a session vanish or stand twice", async () => {
  const links = [undefined, "a", "b", "c", "nobody"];
  for (const linkOfA of links) {
    for (const linkOfB of links) {
      storage = new MemoryStorage();
      store = await open();
      await add("a", linkOfA);
      await add("b", linkOfB);
      await add("c", "a");
      for (const sort of historySortSchema.options) {
        const ids = (await list({ sort })).flatMap(({ id, children = [] }) => [
          id,
          ...children.map((child) => child.id),
        ]);
        expect(ids.sort(), `${linkOfA} ${linkOfB} ${sort}`).toEqual(["a", "b", "c"]);
      }
      await store.close();
    }
  }
});
