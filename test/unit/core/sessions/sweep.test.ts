/** Files that no record names go; those that somebody names, or is about to, stay. */
import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { Storage } from "../../../../src/core/ports/storage.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const long = "長い話".repeat(3000);
const name = `payloads/${createHash("sha256").update(long).digest("hex")}`;
const orphan = `payloads/${"0".repeat(64)}`;

let storage: MemoryStorage;

const open = (over: Storage = storage, readOnly = false) =>
  openSessionStore(over, assets, clockAt(), quietLog, { readOnly });

/** The storage with other work done at one call of it. */
function during(
  call: "rename" | "append",
  when: "before" | "after",
  of: string,
  work: () => Promise<unknown>,
): Storage {
  let isDone = false;
  const meanwhile = async (file: string) => {
    if (isDone || !file.startsWith(of)) return;
    isDone = true;
    await work();
  };
  const act = async (file: string, run: () => Promise<void>) => {
    if (when === "before") await meanwhile(file);
    await run();
    if (when === "after") await meanwhile(file);
  };
  const same = bound(storage);
  if (call === "rename") return { ...same, rename: (from, to) => act(from, () => same.rename(from, to)) };
  const append: Storage["append"] = (file, bytes) => act(file, () => same.append(file, bytes));
  return { ...same, append, appender: (file) => storage.appender(file, { ...same, append }) };
}

function bound(s: MemoryStorage): Storage {
  return {
    read: (file, from) => s.read(file, from),
    stat: (file) => s.stat(file),
    appender: (file) => s.appender(file),
    append: (file, bytes, synced) => s.append(file, bytes, synced),
    sync: (file) => s.sync(file),
    duplicate: (from, to) => s.duplicate(from, to),
    replace: (file, bytes) => s.replace(file, bytes),
    remove: (file) => s.remove(file),
    rename: (from, to) => s.rename(from, to),
    list: (folder) => s.list(folder),
    withLock: (file, work) => s.withLock(file, work),
    takeLock: (file, takeOver) => s.takeLock(file, takeOver),
    lockedElsewhere: (folder) => s.lockedElsewhere(folder),
  };
}

beforeEach(async () => {
  storage = new MemoryStorage();
  const store = await open();
  await store.create(newSession("s"));
  await store.append("s", userMessage(`${long}!`, "kept"));
  // As a process leaves it that died before its record was written.
  storage.put(name, new TextEncoder().encode(long));
});

const said = async () => (await (await open()).load("s"))?.messages.map(({ display }) => display);

describe("a sweep", () => {
  it("removes what nothing names, and takes back a removal that was cut off", async () => {
    const [used = ""] = storage.names("payloads").filter((file) => file !== name);
    await storage.rename(used, `${used}.leaving`);
    storage.put(`${orphan}.leaving`, new Uint8Array(1));
    storage.put("payloads/not one of ours", new Uint8Array(1));
    expect(await (await open()).sweep()).toBe(2);
    expect(storage.names("payloads").sort()).toEqual([used, "payloads/not one of ours"].sort());
    expect(await said()).toEqual([`${long}!`]);
  });

  it.each(["before", "after"] as const)(
    "a message that comes right %s the file is moved away keeps it",
    async (when) => {
      const writer = await open();
      const sweeper = await open(
        during("rename", when, name, () => writer.append("s", userMessage(long, "at once"))),
      );
      await sweeper.sweep();
      expect(await said()).toEqual([`${long}!`, long]);
    },
  );

  it("a message that found the file there, and names it when it is gone, writes it again", async () => {
    const sweeper = await open();
    const writer = await open(during("append", "before", "journal/", () => sweeper.sweep()));
    await writer.append("s", userMessage(long, "at once"));
    expect(await said()).toEqual([`${long}!`, long]);
  });

  it.each([
    ["others work on the project", async () => void (await storage.takeLock("open/other"))],
    ["something was damaged once", async () => storage.put("damaged/sessions.db", new Uint8Array(1))],
    ["something is damaged", async () => storage.put("sessions.db", new Uint8Array(9))],
  ])("touches nothing while %s", async (_, arrange) => {
    const before = storage.names("payloads");
    await arrange();
    expect(await (await open()).sweep()).toBe(0);
    expect(storage.names("payloads")).toEqual(before);
  });

  it("touches nothing in a store that is only read", async () => {
    const before = new Map(storage.files);
    const store = await open(storage, true);
    expect(store.readOnly).toBe(true);
    expect(await store.sweep()).toBe(0);
    await expect(store.append("s", userMessage("x"))).rejects.toThrow("to be read");
    await store.close();
    expect(storage.files).toEqual(before);
  });
});
