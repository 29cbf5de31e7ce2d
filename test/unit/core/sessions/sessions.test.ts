import { describe, expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import type { Block, Message } from "../../../../src/shared/message.ts";
import { anyText, fc } from "../../../support/property.ts";
import { rounds } from "../../../support/random.ts";
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
const open = (storage: MemoryStorage, clock = clockAt()) =>
  openSessionStore(storage, assets, clock, quietLog);

const TOTALS = {
  requests: 2,
  inputTokens: 100,
  outputTokens: 20,
  cachedTokens: 0,
  cost: 0.5,
  contextTokens: 120,
  contextWindow: 1000,
};

describe("a session store", () => {
  it("writes nothing until there is something to write", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    expect(await store.list()).toEqual([]);
    expect(await store.unfinished()).toEqual([]);
    await store.close();
    expect(storage.files.size).toBe(0);
  });

  it("gives back what it was given, before and after a checkpoint and a crash", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    const message = userMessage("hello");
    await store.append("s1", message);
    await store.update("s1", { title: "Renamed", todo: "- [ ] one", mode: "plan", totals: TOTALS });
    const check = async (from: Awaited<ReturnType<typeof open>>) => {
      const session = await from.load("s1");
      expect(session?.messages).toEqual([message]);
      expect(session).toMatchObject({ mode: "plan", todo: "- [ ] one", totals: TOTALS, endedAt: null });
      expect(session?.summary).toMatchObject({ title: "Renamed", cost: 0.5, tokens: 120, messageCount: 1 });
    };
    await check(store);
    await check(await open(storage));
    await closeWritten(store);
    expect(storage.names("journal")).toEqual([]);
    await check(await open(storage));
  });

  it("keeps which session started another one, and its worktree until that is gone", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    const worktree = { path: "/trees/a", root: "/trees/a/app", branch: "nekode/a", base: "1234" };
    await store.create(newSession("parent"), userMessage("hello"));
    await store.create({ ...newSession("child"), parent: "parent", worktree }, userMessage("look"));
    const check = async (from: Awaited<ReturnType<typeof open>>, expected: typeof worktree | undefined) => {
      const [session, listed] = [
        await from.load("child"),
        (await from.list()).find(({ id }) => id === "child"),
      ];
      for (const summary of [session?.summary, listed]) {
        expect(summary?.parent).toEqual({ id: "parent", title: "A title" });
        expect(summary?.worktree).toEqual(expected);
      }
      expect(session?.worktree).toEqual(expected);
      expect((await from.load("parent"))?.summary).not.toHaveProperty("parent");
    };
    await check(store, worktree);
    await check(await open(storage), worktree);
    await store.update("child", { worktree: null });
    await check(await open(storage), undefined);
  });

  it("round-trips every message exactly", async () => {
    const text = fc.oneof(
      anyText(),
      fc.string({ unit: "grapheme" }),
      fc.constantFrom(
        "\ud800",
        "\0nul",
        "\ufeffbom",
        "x".repeat(5000),
        "あ".repeat(5000),
        "\ud83d".repeat(5000),
      ),
    );
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
    const params = fc.dictionary(
      fc.constantFrom("path", "$payload", "$escaped", "diff"),
      fc.oneof(text, json),
    );
    const part = fc.oneof(
      fc.record({ type: fc.constant("text" as const), text }),
      fc.record({ type: fc.constant("image" as const), mimeType: text, data: text }),
    );
    const block = fc.oneof(
      fc.record({ type: fc.constant("text" as const), text }),
      fc.record({ type: fc.constant("text" as const), text, source: fc.constant("context" as const) }),
      fc.record({ type: fc.constant("reasoning" as const), text }),
      fc.record({ type: fc.constant("image" as const), mimeType: text, data: text }),
      fc.record({ type: fc.constant("tool-call" as const), id: text, name: text, params }),
      fc.record({
        type: fc.constant("tool-result" as const),
        callId: text,
        name: text,
        label: text,
        outcome: fc.constantFrom("done" as const, "failed" as const),
        parts: fc.array(part, { maxLength: 3 }),
        shown: fc.record({ output: text, exitCode: fc.constant(null) }),
      }),
    );
    const anyMessage: fc.Arbitrary<Message> = fc.record(
      {
        id: fc.constant(""),
        role: fc.constantFrom("user" as const, "assistant" as const, "tool" as const),
        blocks: fc.array(block, { maxLength: 6 }),
        createdAt: fc.constant("2025-01-01T00:00:00.000Z"),
        display: text,
        interrupted: fc.boolean(),
        model: text,
        usage: fc.record({ inputTokens: fc.nat(), outputTokens: fc.nat() }),
      },
      { requiredKeys: ["id", "role", "blocks", "createdAt"] },
    );
    const storage = new MemoryStorage();
    const store = await open(storage);
    let count = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(anyMessage, { maxLength: 4 }), async (drawn) => {
        const id = `s${count++}`;
        const messages = drawn.map((message, index) => ({ ...message, id: `${id}-${index}` }));
        await store.create(newSession(id));
        for (const message of messages) await store.append(id, message);
        expect((await store.load(id))?.messages).toEqual(messages);
      }),
      { numRuns: rounds(8, 60) },
    );
    expect(store.problems).toEqual([]);
  });

  it("stores a long text once, beside the database", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    const long = "a file's content\n".repeat(10_000);
    for (let i = 0; i < 5; i++) await store.append("s1", userMessage(long));
    expect(storage.names("payloads")).toHaveLength(1);
    await closeWritten(store);
    expect(storage.files.get("sessions.db")?.length).toBeLessThan(100_000);
    const messages = (await (await open(storage)).load("s1"))?.messages ?? [];
    expect(messages).toHaveLength(5);
    expect(messages[4]?.display).toBe(long);
  });

  it("shows a message whose long text was lost, and says so", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    await store.append("s1", userMessage("x".repeat(9000)));
    for (const name of storage.names("payloads")) storage.put(name, new Uint8Array([1, 2, 3]));
    const [message] = (await store.load("s1"))?.messages ?? [];
    expect(message?.blocks).toEqual([
      { type: "text", source: "person", text: expect.stringContaining("could not be read") },
    ]);
  });

  it("skips a row that is no message, says so and leaves it there", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    await store.append("s1", userMessage("good"));
    // @ts-expect-error a role that does not exist; the store takes what its own schema of a stored message allows
    await store.append("s1", { ...userMessage("bad"), role: "system" }).catch(() => {});
    const odd = { ...userMessage("odd"), blocks: [{ type: "hologram" }] };
    // @ts-expect-error a block of a kind that does not exist
    await store.append("s1", odd);
    expect((await store.load("s1"))?.messages.map((message) => message.display)).toEqual(["good"]);
    expect(store.problems.map((problem) => problem.code)).toEqual(["message-unreadable"]);
    expect((await store.list())[0]?.messageCount).toBe(2);
  });

  it("takes the same message twice, but no other under its id, and none for a session that is not there", async () => {
    const store = await open(new MemoryStorage());
    await store.create(newSession("s1"));
    const message = userMessage("once");
    await store.append("s1", message);
    await store.append("s1", message);
    expect((await store.load("s1"))?.messages).toEqual([message]);
    await expect(store.append("s1", userMessage("other", message.id))).rejects.toThrow("another message");
    await expect(store.append("nowhere", userMessage("lost"))).rejects.toThrow("no session");
  });

  it("keeps order and newest-first when the clock jumps back", async () => {
    const storage = new MemoryStorage();
    const clock = clockAt("2030-06-01T00:00:00.000Z");
    const store = await open(storage, clock);
    await store.create(newSession("old"));
    await store.append("old", userMessage("1"));
    clock.set("1999-01-01T00:00:00.000Z");
    await store.create(newSession("new"));
    await store.append("new", userMessage("2"));
    await store.append("new", userMessage("3"));
    const again = await open(storage, clock);
    expect((await again.list()).map((session) => session.id)).toEqual(["new", "old"]);
    expect(await again.latest()).toBe("new");
    expect((await again.load("new"))?.messages.map((message) => message.display)).toEqual(["2", "3"]);
  });

  it("restores the newest session that nobody closed", async () => {
    const store = await open(new MemoryStorage());
    await store.create(newSession("a"), userMessage("x"));
    await store.create(newSession("b"), userMessage("x"));
    expect((await store.unfinished())[0]).toBe("b");
    await store.update("b", { endedAt: "2025-01-01T01:00:00.000Z" });
    expect((await store.unfinished())[0]).toBe("a");
    await store.update("b", { endedAt: null });
    expect((await store.unfinished())[0]).toBe("b");
  });

  it("lists one project's sessions or all", async () => {
    const store = await open(new MemoryStorage());
    await store.create(newSession("a", "/one"), userMessage("x"));
    await store.create(newSession("b", "/two"), userMessage("x"));
    expect((await store.list("/one")).map((session) => session.id)).toEqual(["a"]);
    expect(await store.list()).toHaveLength(2);
  });

  it("knows the calls that began and have no result, also after a crash", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    await store.markCall("s1", "c1", "started");
    await store.markCall("s1", "c2", "started");
    const result: Block = {
      type: "tool-result",
      callId: "c1",
      name: "t",
      label: "t",
      outcome: "done",
      parts: [],
    };
    await store.append("s1", { ...userMessage("r"), role: "tool", blocks: [result] });
    expect(await store.startedCalls("s1")).toEqual(new Set(["c2"]));
    expect(await (await open(storage)).startedCalls("s1")).toEqual(new Set(["c2"]));
  });

  it("removes a session for good, and its long texts unless another needs them", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    const shared = "s".repeat(9000);
    await store.create(newSession("gone"));
    await store.create(newSession("stays"));
    await store.append("gone", userMessage(shared));
    await store.append("gone", userMessage("g".repeat(9000)));
    await store.append("stays", userMessage(shared));
    await store.remove("gone");
    expect(storage.names("payloads")).toHaveLength(1);
    for (const from of [store, await open(storage)]) {
      expect((await from.list()).map((session) => session.id)).toEqual(["stays"]);
      expect(await from.load("gone")).toBeUndefined();
      expect((await from.load("stays"))?.messages[0]?.display).toBe(shared);
    }
    await closeWritten(store);
    expect((await (await open(storage)).list()).map((session) => session.id)).toEqual(["stays"]);
  });

  it("writes for one more message that message, however long the history is", async () => {
    const storage = new MemoryStorage();
    const store = await open(storage);
    await store.create(newSession("s1"));
    const cost = async () => {
      const before = storage.written;
      await store.append("s1", userMessage("a short message"));
      return storage.written - before;
    };
    const first = await cost();
    for (let i = 0; i < rounds(400, 2_000); i++) await store.append("s1", userMessage(`message ${i}`));
    // Longer numbers, in the journal and in its mirror.
    expect(Math.abs((await cost()) - first)).toBeLessThan(20);
  });
});
