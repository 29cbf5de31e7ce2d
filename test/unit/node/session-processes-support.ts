/** Processes that write sessions on a real disk, and sessions that rest beside those. */
import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import path from "node:path";
import { build } from "esbuild";
import { expect, onTestFinished } from "vitest";
import type { SessionStore } from "../../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { createAssets } from "../../../src/node/assets.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { seedOf } from "../../support/random.ts";
import { messageOf } from "./session-content.ts";

export const wasm = path.dirname(createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm"));

export const quiet = { info: () => {}, error: () => {} };

export const seed = seedOf("session-processes");

/** Bytes of a database from which on older messages are packed: always, so that kills fall into that too. */
export const PACK_ABOVE = 1;

export const RESTED_SESSIONS = 14;

let writer = "";

export async function buildWriter(): Promise<void> {
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
}

export interface Writing {
  folder: string;
  session: string;
  count: number;
  seed: number;
  /** The process kills itself after so many files beside the database. */
  dieAfter?: number;
}

export function start({ folder, session, count, seed: runSeed, dieAfter = 0 }: Writing): ChildProcess {
  const args = ["-", folder, wasm, session, ...[count, runSeed, PACK_ABOVE, dieAfter].map(String)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin?.end(writer);
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

export const openAt = (folder: string) =>
  openSessionStore(createStorage(folder), createAssets(wasm), systemClock, quiet, { packAbove: PACK_ABOVE });

/** More sessions than are kept at hand as recent; the later ones are packed by whoever checkpoints next. */
export async function fillRested(folder: string): Promise<void> {
  const store = await openAt(folder);
  for (let index = 0; index < RESTED_SESSIONS; index++) {
    const id = `rested-${index}`;
    const common = { projectPath: "/p", model: "m", mode: "act" as const, startedAt: "2025" };
    const messages = Array.from({ length: 8 }, (_, at) => messageOf(id, at));
    await store.import({ id, title: id, ...common }, messages, {});
  }
}

export async function expectRested(store: SessionStore): Promise<void> {
  for (let index = 0; index < RESTED_SESSIONS; index++) {
    const id = `rested-${index}`;
    const expected = Array.from({ length: 8 }, (_, at) => messageOf(id, at));
    expect((await store.load(id))?.messages).toEqual(expected);
  }
}
