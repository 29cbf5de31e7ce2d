/** Contents by their hash, and how they are removed while others may use them. */
import { beforeEach, describe, expect, it } from "vitest";
import { sha256 } from "../../../src/core/bytes.ts";
import { ContentStore } from "../../../src/core/content-store.ts";
import { MemoryStorage } from "./sessions/support.ts";

const bytes = new TextEncoder().encode("a content");
const hash = await sha256(bytes);
const other = new TextEncoder().encode("another one");
const otherHash = await sha256(other);
const file = `contents/${hash}`;
const nobody = async () => new Set<string>();

let storage: MemoryStorage;
let contents: ContentStore;
beforeEach(async () => {
  storage = new MemoryStorage();
  contents = new ContentStore(storage, "contents");
  await contents.put(hash, bytes);
  await contents.put(otherHash, other);
});

it("writes each once, and again what was cut short", async () => {
  expect(await contents.put(hash, bytes)).toBe(false);
  storage.put(file, bytes.subarray(1));
  expect(await contents.has(hash, bytes.length)).toBe(false);
  expect(await contents.read(hash)).toBe("damaged");
  expect(await contents.put(hash, bytes)).toBe(true);
  expect(await contents.read(hash)).toEqual(bytes);
  expect(await contents.read("0".repeat(64))).toBe("missing");
});

it("lists its own files alone", async () => {
  storage.put("contents/notes.txt", bytes);
  storage.put(`${file}.tmp`, bytes);
  expect((await contents.hashes()).sort()).toEqual([hash, otherHash].sort());
  expect(await contents.sizes()).toEqual(
    new Map([
      [hash, bytes.length],
      [otherHash, other.length],
    ]),
  );
});

describe("a removal", () => {
  it("removes what nobody uses by then, and keeps what somebody does", async () => {
    await contents.release([hash, otherHash], async () => new Set([otherHash]));
    expect(storage.names("contents")).toEqual([`contents/${otherHash}`]);
  });

  it("that has begun can be read, and is undone where it was cut off", async () => {
    const cut = contents.release([hash], () => Promise.reject(new Error("died")));
    await expect(cut).rejects.toThrow("died");
    expect([await contents.hashes(), await contents.pendingRemovals()]).toEqual([[otherHash], [hash]]);
    expect(await contents.has(hash, bytes.length)).toBe(true);
    expect(await contents.read(hash)).toEqual(bytes);
    await contents.cancelRemoval([hash]);
    expect(await contents.pendingRemovals()).toEqual([]);
    expect(storage.names("contents")).toContain(file);
  });

  it("keeps what was put again meanwhile", async () => {
    await contents.release([hash], async () => {
      await contents.put(hash, bytes);
      return nobody();
    });
    expect(await contents.read(hash)).toEqual(bytes);
  });

  it("passes over what another process removes at the same moment", async () => {
    const rename = storage.rename.bind(storage);
    storage.rename = async (from, to) => {
      if (from === file) await storage.remove(from);
      await rename(from, to);
    };
    await contents.release([hash, otherHash], nobody);
    expect(storage.names("contents")).toEqual([]);
  });

  it("goes on with the others where one cannot be moved, and then says so", async () => {
    const rename = storage.rename.bind(storage);
    storage.rename = async (from, to) => {
      if (from === file) throw new Error("EBUSY");
      await rename(from, to);
    };
    await expect(contents.release([hash, otherHash], nobody)).rejects.toThrow("EBUSY");
    expect(storage.names("contents")).toEqual([file]);
  });
});
