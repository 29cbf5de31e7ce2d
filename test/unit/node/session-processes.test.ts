/** The session store on a real disk, worked on by real processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { StoreProblem } from "../../../src/core/sessions/problems.ts";
import type { SessionStore } from "../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { generator, rounds, seedOf } from "../../support/random.ts";
import { messageOf } from "./session-content.ts";
import { temporaryFolder } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const quiet = { info: () => {}, error: () => {} };
const seed = seedOf("session-processes");
const kills = rounds(4, 100);
const appends = rounds(60, 10_000);
/** Bytes of a database from which on older messages are packed: always, so that kills fall into that too. */
const PACK_ABOVE = 1;

const RESTED_SESSIONS = 14;

let writer = "";

beforeAll(async () => {
  const bundle = await build({
    entryPoints: [path.join(import.meta.dirname, "session-writer.ts")],
    bundle: true,
    platform: "node",
    mainFields: ["module", "main"],
    format: "cjs",
    write: false,
    logLevel: "error",
  });
  writer = bundle.outputFiles[0]?.text ?? "";
});

interface Writing {
  folder: string;
  session: string;
  count: number;
  seed: number;
  /** The process kills itself after so many files beside the database. */
  dieAfter?: number;
}

function start({ folder, session, count, seed: runSeed, dieAfter = 0 }: Writing): ChildProcess {
  const args = ["-", folder, wasm, session, ...[count, runSeed, PACK_ABOVE, dieAfter].map(String)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.end(writer);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const openAt = (folder: string) =>
  openSessionStore(createStorage(folder), createAssets(wasm), systemClock, quiet, { packAbove: PACK_ABOVE });

const payloadsIn = (folder: string) => readdir(path.join(folder, "payloads")).catch(() => []);

describe(`a process killed at any moment (NEKODE_SEED=${seed})`, () => {
  it("leaves every message that it acknowledged", { timeout: 120_000 + kills * 3000 }, async () => {
    const next = generator(seed);
    for (let kill = 0; kill < kills; kill += 4) {
      await Promise.all(
        Array.from({ length: 4 }, () =>
          killedRun(Math.floor(next() * 60), next() * 4, Math.floor(next() * 2 ** 31)),
        ),
      );
    }
  });
});

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

/** More sessions than are kept at hand as recent; the later ones are packed by whoever checkpoints next. */
async function fillRested(folder: string): Promise<void> {
  const store = await openAt(folder);
  for (let index = 0; index < RESTED_SESSIONS; index++) {
    const id = `rested-${index}`;
    const common = { projectPath: "/p", model: "m", mode: "act" as const, startedAt: "2025" };
    const messages = Array.from({ length: 8 }, (_, at) => messageOf(id, at));
    await store.import({ id, title: id, ...common }, messages, {});
  }
}

async function expectRested(store: SessionStore): Promise<void> {
  for (let index = 0; index < RESTED_SESSIONS; index++) {
    const id = `rested-${index}`;
    const expected = Array.from({ length: 8 }, (_, at) => messageOf(id, at));
    expect((await store.load(id))?.messages).toEqual(expected);
  }
}

describe("a process killed between a file beside the database and the record that names it", () => {
  it("leaves a file that the next one frees, and nothing else goes", async () => {
    const folder = await temporaryFolder();
    await fillRested(folder);
    // Some die in the middle of a message, some in the middle of packing.
    for (const dieAfter of [1, 3, 4, 6]) {
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

/** What is told beside a lock that another process had, or that one that was killed has left. */
function damageOf(store: SessionStore): StoreProblem[] {
  return store.problems.filter(({ code }) => code !== "checkpoint-failed");
}

/** Who sweeps waits but a moment for the others: then nothing is freed this time. Any other error is one. */
function isBusy(error: unknown): void {
  if (!(error instanceof Error && "code" in error && error.code === "ELOCKED")) throw error;
}

describe("two processes on one project", () => {
  it("append at once, checkpoint in between, and nothing is lost", {
    timeout: 120_000 + appends * 100,
  }, async () => {
    const folder = await temporaryFolder();
    const count = appends;
    await fillRested(folder);
    const children = ["a", "b"].map((session, index) =>
      start({ folder, session, count, seed: seed + index }),
    );
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    const store = await openAt(folder);
    for (const session of ["a", "b"]) {
      const expected = Array.from({ length: count }, (_, index) => messageOf(session, index));
      expect((await store.load(session))?.messages).toEqual(expected);
    }
    await expectRested(store);
    expect(store.problems).toEqual([]);
    await store.close();
  });
});
