/** A busy store on a disk that fails: at the n-th write for every n, from the n-th write on, and a real full disk. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Storage } from "../../../../src/core/ports/storage.ts";
import type { SessionStore } from "../../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../../src/core/sessions/store.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";
import { historyQuerySchema } from "../../../../src/shared/protocol.ts";
import { sampled } from "../../../support/random.ts";
import { assets, clockAt, MemoryStorage, newSession, quietLog, userMessage } from "./support.ts";

const open = (storage: Storage) =>
  openSessionStore(storage, assets, clockAt(), quietLog, { packAbove: 20_000 });

/** Works as sessions do; what was acknowledged is in `said`, by session, and what is gone for good in `removed`. */
async function work(store: SessionStore, said: Map<string, string[]>, removed: Set<string>): Promise<void> {
  const step = async (done: () => Promise<unknown>, then: () => void = () => {}) => {
    await done().then(then, () => {});
  };
  for (const id of ["a", "b", "c"]) {
    await step(
      () => store.create(newSession(id)),
      () => said.set(id, []),
    );
    for (let index = 0; index < 5; index++) {
      // Every other one in a file of its own.
      const text = `${id}${index} ${"words ".repeat(index % 2 ? 1500 : 300)}`;
      await step(
        () => store.append(id, userMessage(text, `${id}-${index}`)),
        () => said.get(id)?.push(text),
      );
    }
    await step(() => store.checkpoint());
  }
  await step(
    () => store.fork("a", "a-3", newSession("d")),
    () => said.set("d", (said.get("a") ?? []).slice(0, 3)),
  );
  await step(() => store.update("b", { title: "Another" }));
  await step(() => store.markCall("c", "call", "started"));
  await step(
    () => store.remove("c"),
    () => removed.add("c"),
  );
  await step(() => store.find(historyQuerySchema.parse({ text: "words" })));
  await store.close().catch(() => {});
}

/** Everything that was acknowledged is there, nothing that was removed is, and it goes on. */
async function check(storage: Storage, said: Map<string, string[]>, removed: Set<string>): Promise<void> {
  const store = await open(storage);
  expect(store.problems).toEqual([]);
  for (const [id, texts] of said) {
    const session = await store.load(id);
    if (removed.has(id)) expect(session).toBeUndefined();
    // A removal that failed half-way was not acknowledged: either is true of it.
    else if (id !== "c" || session) {
      const now = session?.messages.map(({ display }) => display) ?? [];
      expect(now).toEqual(expect.arrayContaining(id === "d" ? [] : texts));
      expect(new Set(now).size).toBe(now.length);
      await store.append(id, userMessage("on", `${id}-on`));
    }
  }
  await store.create(newSession("new"));
  await store.append("new", userMessage("after", "new-after"));
  await store.checkpoint();
  await store.close();
  const again = await open(storage);
  expect((await again.load("new"))?.messages).toHaveLength(1);
  expect(again.problems).toEqual([]);
  await again.close();
}

/** What the work changes on a disk that does not fail, by kind: what is done, and to which files. */
async function changesOf(): Promise<string[]> {
  const storage = new MemoryStorage();
  const store = await open(storage);
  const changes: string[] = [];
  storage.beforeChange = (change, name) => changes.push(`${change} ${name.replace(/[/-].*/, "")}`);
  await work(store, new Map(), new Set());
  return changes;
}

describe.each([
  ["at its n-th change", false],
  ["from its n-th change on", true],
] as const)("a disk that fails %s", (_, forGood) => {
  it("loses nothing that was acknowledged, for every n", { timeout: 180_000 }, async () => {
    const changes = await changesOf();
    expect(changes.length).toBeGreaterThan(30);
    const steps = sampled([...changes.keys()], 20, (step) => changes[step] ?? "");
    for (const step of steps) {
      const storage = new MemoryStorage();
      const store = await open(storage);
      const said = new Map<string, string[]>();
      const removed = new Set<string>();
      let left = step;
      storage.beforeChange = (change, name) => {
        left -= 1;
        if (left === -1 || (forGood && left < 0)) throw new Error(`ENOSPC: no space left, ${change} ${name}`);
      };
      await work(store, said, removed);
      storage.beforeChange = () => {};
      storage.endAll();
      expect(left).toBeLessThan(0);
      await check(storage, said, removed);
    }
  });
});

const isRoot = process.getuid?.() === 0 && process.platform === "linux";

describe.skipIf(!isRoot)("a disk that is really full", () => {
  it.each(sampled([64, 200, 600], 3))(
    "of %d KB keeps what it took, and goes on when there is room",
    async (size) => {
      const folder = mkdtempSync(path.join(tmpdir(), "nekode-full-"));
      try {
        execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}k`, "tmpfs", folder], { stdio: "ignore" });
      } catch {
        // Not allowed in this container: the same is tried in memory above.
        rmSync(folder, { recursive: true, force: true });
        return;
      }
      try {
        const storage = createStorage(folder);
        const store = await open(storage);
        await store.create(newSession("s"));
        const said: string[] = [];
        let refusal: unknown;
        for (let index = 0; refusal === undefined; index++) {
          const text = `${index} ${"words ".repeat(index % 3 === 0 ? 2000 : 200)}`;
          await store.append("s", userMessage(text, `m${index}`)).then(
            () => said.push(text),
            (error: unknown) => {
              refusal = error;
            },
          );
        }
        expect(String(refusal)).toContain("ENOSPC");
        await store.checkpoint().catch(() => {});
        await store.close();
        const full = await open(storage);
        expect((await full.load("s"))?.messages.map(({ display }) => display)).toEqual(said);
        await full.close();
        execFileSync("mount", ["-o", `remount,size=${size * 10}k`, folder], { stdio: "ignore" });
        const roomy = await open(storage);
        await roomy.append("s", userMessage("there is room", "last"));
        await roomy.checkpoint();
        await roomy.close();
        const again = await open(storage);
        expect((await again.load("s"))?.messages.map(({ display }) => display)).toEqual([
          ...said,
          "there is room",
        ]);
        expect(again.problems).toEqual([]);
        await again.close();
      } finally {
        execFileSync("umount", [folder], { stdio: "ignore" });
        rmSync(folder, { recursive: true, force: true });
      }
    },
  );
});
