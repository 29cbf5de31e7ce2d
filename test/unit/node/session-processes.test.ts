/** The session store on a real disk, worked on by real processes. */
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import type { StoreProblem } from "../../../src/core/sessions/problems.ts";
import type { SessionStore } from "../../../src/core/sessions/session-store.ts";
import { generator, rounds, sampled } from "../../support/random.ts";
import { messageOf } from "./session-content.ts";
import { buildWriter, expectRested, fillRested, openAt, seed, start } from "./session-processes-support.ts";
import { temporaryFolder } from "./support.ts";

beforeAll(buildWriter);

const kills = rounds(2, 100);
const appends = rounds(15, 10_000);

const payloadsIn = (folder: string) => readdir(path.join(folder, "payloads")).catch(() => []);

/** Kills the writer so many milliseconds after its `after`-th message was acknowledged, and looks at what is there. */
async function killedRun(after: number, delayMs: number, runSeed: number): Promise<void> {
  const folder = await temporaryFolder();
  // Sessions that rest are packed while this one is written.
  await fillRested(folder);
  const child = start({ folder, session: "s", count: 100_000, seed: runSeed });
  const acknowledged: number[] = [];
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === after + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
  }
  const store = await openAt(folder);
  expect(damageOf(store)).toEqual([]);
  const messages = (await store.load("s"))?.messages ?? [];
  expect(messages.length).toBeGreaterThanOrEqual(acknowledged.length);
  expect(messages.length).toBeLessThanOrEqual(acknowledged.length + 1);
  expect(messages).toEqual(messages.map((_, index) => messageOf("s", index)));
  await store.append("s", messageOf("s", messages.length));
  expect((await (await openAt(folder)).load("s"))?.messages).toHaveLength(messages.length + 1);
  await expectRested(store);
}

/** What is told beside a lock that another process had, or that one that was killed has left. */
function damageOf(store: SessionStore): StoreProblem[] {
  return store.problems.filter(({ code }) => code !== "checkpoint-failed");
}

/** Who sweeps waits but a moment for the others: then nothing is freed this time. Any other error is one. */
function isBusy(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ELOCKED")) throw error;
}

describe(`a process killed at any moment (NEKODE_SEED=${seed})`, () => {
  it("leaves every message that it acknowledged", { timeout: 120_000 + kills * 3000 }, async () => {
    const next = generator(seed);
    for (let kill = 0; kill < kills; kill += 4) {
      await Promise.all(
        Array.from({ length: Math.min(4, kills - kill) }, () =>
          killedRun(Math.floor(next() * 60), next() * 4, Math.floor(next() * 2 ** 31)),
        ),
      );
    }
  });
});

describe("a process killed between a file beside the database and the record that names it", () => {
  it("leaves a file that the next one frees, and nothing else goes", async () => {
    const folder = await temporaryFolder();
    await fillRested(folder);
    // Some die in the middle of a message, some in the middle of packing.
    for (const dieAfter of sampled([1, 3, 4, 6], 3)) {
      const writing = { folder, session: `s${dieAfter}`, count: 60, seed: dieAfter, dieAfter };
      const child = start(writing);
      child.stdout?.resume();
      const [, signal] = await once(child, "exit");
      expect(signal).toBe("SIGKILL");
      // As time would: a lock that its holder, dead in the middle of packing, no longer refreshes is free after 15 s.
      await rm(path.join(folder, "sessions.lock"), { recursive: true, force: true });
    }
    const store = await openAt(folder);
    const before = await payloadsIn(folder);
    const removed = await store.sweep();
    expect(removed).toBeGreaterThan(0);
    expect(await payloadsIn(folder)).toHaveLength(before.length - removed);
    expect(await store.sweep()).toBe(0);
    await expectRested(store);
    for (const { id } of await store.list()) {
      const messages = (await store.load(id))?.messages ?? [];
      expect(messages).toEqual(messages.map((_, index) => messageOf(id, index)));
    }
    expect(store.problems).toEqual([]);
  });

  it("nothing that others write goes while one sweeps", async () => {
    const folder = await temporaryFolder();
    // What both are about to need is there already, and nothing names it yet.
    const orphans = await openAt(folder);
    await orphans.import(
      { id: "gone", title: "", projectPath: "/p", model: "m", mode: "act", startedAt: "2025" },
      Array.from({ length: appends }, (_, index) => messageOf("a", index)),
      {},
    );
    const children = ["a", "b"].map((session, index) =>
      start({ folder, session, count: appends, seed: seed + index }),
    );
    for (const child of children) child.stdout?.resume();
    const codes = Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    await orphans.remove("gone");
    let isOver = false;
    void codes.then(() => {
      isOver = true;
    });
    while (!isOver) await orphans.sweep().catch(isBusy);
    expect(await codes).toEqual([0, 0]);
    for (const session of ["a", "b"]) {
      const expected = Array.from({ length: appends }, (_, index) => messageOf(session, index));
      expect((await orphans.load(session))?.messages).toEqual(expected);
    }
    expect(damageOf(orphans)).toEqual([]);
  });
});
