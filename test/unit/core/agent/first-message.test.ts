/** A session begins with its first message: whatever moment the process dies at, both are on the disk, or neither is. */
import { afterEach, describe, expect, it } from "vitest";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { historyQuerySchema } from "../../../../src/shared/protocol.ts";
import type { Script } from "../../../model-server/server.ts";
import { type Agent, startAgent } from "../../../support/agent.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "../sessions/support.ts";

let agent: Agent;
afterEach(() => agent.close());

const answers: Script = {
  scope: "server",
  turns: Array.from({ length: 4 }, (_, index) => ({ answer: [{ text: `answer ${index}` }] })),
};
const everything = historyQuerySchema.parse({});

/** What a process finds that starts where the disk is left like this: the first messages of all sessions. */
async function firstMessages(disk: MemoryStorage): Promise<string[]> {
  const store = await openSessionStore(disk, assets, clockAt(), quietLog);
  expect(store.problems).toEqual([]);
  const { sessions } = await store.find(everything);
  const firsts: string[] = [];
  for (const { id, messageCount } of sessions) {
    expect(messageCount, "an empty session in the list").toBeGreaterThan(0);
    firsts.push((await store.load(id))?.messages.find(({ role }) => role === "user")?.display ?? "nothing");
  }
  await store.close();
  return firsts;
}

/** Keeps the disk as each change leaves it that `work` makes, appends also at several places in their middle. */
async function disksOf(storage: MemoryStorage, work: () => Promise<unknown>): Promise<MemoryStorage[]> {
  const disks = [storage.copy()];
  const append = storage.append.bind(storage);
  storage.append = async (name, bytes, ...rest) => {
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9, 0.99]) {
      const torn = storage.copy();
      const before = storage.files.get(name) ?? new Uint8Array();
      torn.put(name, Buffer.concat([before, bytes.subarray(0, Math.floor(bytes.length * part))]));
      disks.push(torn);
    }
    await append(name, bytes, ...rest);
    disks.push(storage.copy());
  };
  storage.beforeChange = () => disks.push(storage.copy());
  await work();
  storage.beforeChange = () => {};
  storage.append = append;
  disks.push(storage.copy());
  return disks;
}

describe.each([
  ["short", "change the cat to a dog"],
  ["in a file of its own", `a long one ${"長い".repeat(4000)}`],
])("a first message, %s", (_, text) => {
  it("and its session appear in one step of the disk, before the send resolves", async () => {
    agent = await startAgent({ script: answers });
    const disks = await disksOf(agent.storage, () => agent.view.send(text));
    const found = await Promise.all(disks.map(firstMessages));
    const counts = found.map((firsts) => firsts.length);
    expect(counts).toEqual([...counts].sort());
    expect(counts[0]).toBe(0);
    expect(found.at(-1)).toEqual([text]);
    await agent.view.active.idle;
  });
});

it("one that edits the first message leaves the old session alone until the new one is whole", async () => {
  agent = await startAgent({ script: answers });
  await agent.view.send("old words");
  await agent.view.active.idle;
  const id = agent.rows().find(({ kind }) => kind === "user")?.id ?? "";
  const disks = await disksOf(agent.storage, () => agent.view.editAndResend(id, "new words"));
  const found = await Promise.all(disks.map(firstMessages));
  expect(found[0]).toEqual(["old words"]);
  for (const firsts of found) expect([["old words"], ["new words", "old words"]]).toContainEqual(firsts);
  expect(found.at(-1)).toEqual(["new words", "old words"]);
  await agent.view.active.idle;
});

it("one that the disk does not take begins nothing, and can be sent again", async () => {
  for (let failing = 0; ; failing++) {
    agent = await startAgent({ script: answers });
    let left = failing;
    agent.storage.beforeChange = (_, name) => {
      if (name.startsWith("journal/") && left-- === 0) throw new Error("ENOSPC: no space left on device");
    };
    const taken = await agent.view.send("first").then(
      () => true,
      () => false,
    );
    agent.storage.beforeChange = () => {};
    await agent.view.active.idle;
    if (!taken) {
      expect(agent.view.active.chatView.session).toBeNull();
      expect(await agent.project.library.find(everything)).toMatchObject({ sessions: [] });
      await agent.view.send("again");
      await agent.view.active.idle;
      expect(agent.view.active.chatView.session?.title).toBe("again");
    }
    expect(await firstMessages(agent.storage.copy())).toEqual([taken ? "first" : "again"]);
    if (left >= 0) return expect(failing).toBeGreaterThan(0);
    await agent.close();
  }
});

it("what is queued, switched or stopped while it is prepared is not lost", async () => {
  agent = await startAgent({ script: answers, files: { "a.txt": "a\n" } });
  const sending = agent.view.send("look at @/a.txt");
  await agent.view.send("and then this");
  await agent.view.active.setMode("plan");
  await sending;
  expect(agent.view.active.chatView.mode).toBe("plan");
  expect(agent.events.filter(({ type }) => type === "status").at(-1)).not.toMatchObject({ status: "idle" });
  await agent.view.active.idle;
  const { store } = await agent.another();
  const stored = await store.load(agent.view.active.chatView.session?.id ?? "");
  expect(stored?.mode).toBe("plan");
  const said = stored?.messages.flatMap(({ display }) => (display === undefined ? [] : [display]));
  expect(said).toEqual(["look at @/a.txt", "and then this"]);
});

it("a session that is imported is complete or not there, wherever its one write is torn", async () => {
  agent = await startAgent({ script: answers });
  const storage = new MemoryStorage();
  const store = await openSessionStore(storage, assets, clockAt(), quietLog);
  const messages = Array.from({ length: 5 }, (_, index) => userMessage(`message ${index}`));
  const disks = await disksOf(storage, () => store.import(newSession(), messages, {}));
  for (const disk of disks) {
    const found = await firstMessages(disk);
    expect([[], ["message 0"]]).toContainEqual(found);
  }
});
