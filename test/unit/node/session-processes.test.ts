/** The session store on a real disk, worked on by real processes. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openSessionStore } from "../../../src/core/sessions/sessions.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/storage.ts";
import { messageOf, random } from "./session-content.ts";
import { temporaryFolder } from "./support.ts";

const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));
const quiet = { info: () => {}, error: () => {} };
const seed = Number(process.env.NEKODE_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** More by hand: NEKODE_KILLS=100. */
const kills = Number(process.env.NEKODE_KILLS ?? 4);

let writer = "";

beforeAll(async () => {
  const bundle = await build({
    entryPoints: [path.join(import.meta.dirname, "session-writer.ts")],
    bundle: true,
    platform: "node",
    format: "cjs",
    write: false,
    logLevel: "error",
  });
  writer = bundle.outputFiles[0]?.text ?? "";
});

function start(folder: string, session: string, count: number, runSeed: number): ChildProcess {
  const args = ["-", folder, wasm, session, String(count), String(runSeed)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.end(writer);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

const openAt = (folder: string) =>
  openSessionStore(createStorage(folder), createAssets(wasm), systemClock, quiet);

describe(`a process killed at any moment (NEKODE_SEED=${seed})`, () => {
  it("leaves every message that it acknowledged", { timeout: 60_000 + kills * 3000 }, async () => {
    const next = random(seed);
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
  const child = start(folder, "s", 100_000, runSeed);
  const acknowledged: number[] = [];
  if (!child.stdout) throw new Error("no output");
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged.push(Number(line));
    if (acknowledged.length === after + 1) setTimeout(() => child.kill("SIGKILL"), delayMs);
  }
  const store = await openAt(folder);
  expect(store.problems).toEqual([]);
  const messages = (await store.load("s"))?.messages ?? [];
  expect(messages.length).toBeGreaterThanOrEqual(acknowledged.length);
  expect(messages.length).toBeLessThanOrEqual(acknowledged.length + 1);
  expect(messages).toEqual(messages.map((_, index) => messageOf("s", index)));
  await store.append("s", messageOf("s", messages.length));
  expect((await (await openAt(folder)).load("s"))?.messages).toHaveLength(messages.length + 1);
}

describe("two processes on one project", () => {
  it("append at once, checkpoint in between, and nothing is lost", {
    timeout: 60_000,
  }, async () => {
    const folder = await temporaryFolder();
    const count = Number(process.env.NEKODE_APPENDS ?? 150);
    const children = ["a", "b"].map((session, index) => start(folder, session, count, seed + index));
    for (const child of children) child.stdout?.resume();
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0]);
    const store = await openAt(folder);
    for (const session of ["a", "b"]) {
      const expected = Array.from({ length: count }, (_, index) => messageOf(session, index));
      expect((await store.load(session))?.messages).toEqual(expected);
    }
    expect(store.problems).toEqual([]);
    await store.close();
  });
});
