/**
 * The session store on the local disk: listing, searching and opening. NEKODE_BENCH_SESSIONS=1000 makes it the 200,000
 * messages of the figures to reach; filling the store takes about a minute then.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { pageBefore } from "../../src/core/agent/earlier.ts";
import { earlierPages, FIRST_PAGE_SIZE } from "../../src/core/loop/transcript.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import type { SessionStore } from "../../src/core/sessions/session-store.ts";
import { openSessionStore } from "../../src/core/sessions/store.ts";
import { ToolRegistry } from "../../src/core/tools/registry.ts";
import { createAssets } from "../../src/node/assets.ts";
import { systemClock } from "../../src/node/clock.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { type HistoryQuery, historyQuerySchema } from "../../src/shared/protocol.ts";
import { type Bench, scan } from "./bench.ts";
import type { FreshStore } from "./report.ts";
import { Content } from "./session-content.ts";

const sessions = Number(process.env.NEKODE_BENCH_SESSIONS ?? 100);
const PER_SESSION = 200;
const LARGE = "00000000-0000-4000-9000-000000000000";
const log = { info: () => {}, error: (text: string) => console.error(text) };
const require = createRequire(import.meta.url);
const assets = createAssets(path.dirname(require.resolve("sql.js/dist/sql-wasm.wasm")));

function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "nekode-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const newSession = (id: string, title: string) => ({
  id,
  title,
  projectPath: "/project",
  model: "a-model",
  mode: "act" as const,
  startedAt: "2025-01-01T00:00:00.000Z",
});

/** A store of which nobody has searched anything, in a process that opens it. */
let fresh: FreshStore | undefined;

async function measureFresh(folder: string): Promise<FreshStore> {
  const since = (from: number) => performance.now() - from;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  let from = performance.now();
  const store = await openSessionStore(createStorage(folder), assets, systemClock, log);
  const openMs = since(from);
  const complete = new Promise<void>((resolve) => {
    store.onIndexing(({ done, total: all }) => {
      if (done === all) resolve();
    });
  });
  const pauses = monitorEventLoopDelay({ resolution: 1 });
  pauses.enable();
  from = performance.now();
  await store.find(queryOf({}));
  const listMs = since(from);
  const begun = from;
  from = performance.now();
  await store.find(queryOf({ text: "設定" }));
  const searchMs = since(from);
  await complete;
  const indexMs = since(begun);
  pauses.disable();
  await store.find(queryOf({ text: "設定", sort: "relevance" }));
  globalThis.gc?.();
  const growth = process.memoryUsage().rss - before;
  await store.close();
  return { openMs, listMs, searchMs, indexMs, longestPauseMs: pauses.max / 1e6, growth };
}

interface Filled {
  folder: string;
  store: SessionStore;
  /** A word that many messages hold, and one of few. */
  common: string;
  rare: string;
}

let filling: Promise<Filled> | undefined;
/** The messages of the large session as one text of JSON. */
const plainFile = path.join(temporaryFolder(), "large.json");
const registry = new ToolRegistry();

/** Filled once, by the first that asks; searched once, so that what searches need is there. */
function filled(): Promise<Filled> {
  filling ??= (async () => {
    const folder = temporaryFolder();
    const filler = await openSessionStore(createStorage(folder), assets, systemClock, log);
    const content = new Content(1);
    for (let index = 0; index < sessions; index++) {
      const id = `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
      await filler.import(newSession(id, content.text(40)), content.session(id, PER_SESSION), {});
    }
    const large = content.session(LARGE, 5000);
    writeFileSync(plainFile, JSON.stringify(large));
    await filler.import(newSession(LARGE, "a large one"), large, {});
    // Older messages are packed a part at a time.
    for (let times = 0; times < 12; times++) await filler.checkpoint();
    await filler.close();
    fresh = await measureFresh(folder);
    const store = await openSessionStore(createStorage(folder), assets, systemClock, log);
    const words = content.text(20_000).split(" ");
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const ranked = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
    return { folder, store, common: ranked[0] ?? "", rare: ranked.at(-1) ?? "" };
  })();
  return filling;
}

const queryOf = (query: Partial<HistoryQuery>): HistoryQuery =>
  historyQuerySchema.parse({ limit: 50, ...query });

const total = `${sessions.toLocaleString("en")} sessions, ${(sessions * PER_SESSION).toLocaleString("en")} messages`;
const sample = [new Content(2).text(1_000_000)];

function bench(name: string, target: string, run: (filled: Filled) => Promise<unknown>): Bench {
  return {
    name,
    target,
    run: async () => void (await run(await filled())),
    baseline: () => void scan(sample),
  };
}

/** What opening takes, as the panel does it; compared with reading and parsing the same messages from one file. */
function opening(name: string, target: string, run: (filled: Filled) => Promise<number>): Bench {
  return {
    name: `open a session of 5,000 messages, ${name}; ratio to reading and parsing its JSON`,
    target,
    run: async () => run(await filled()),
    baseline: () => void JSON.parse(readFileSync(plainFile, "utf8")),
  };
}

/** Milliseconds until the panel has what it shows first, and until all is loaded. */
async function openLarge(store: SessionStore): Promise<{ shownMs: number; loadedMs: number }> {
  const from = performance.now();
  const part = await store.load(LARGE, { skip: 0, count: FIRST_PAGE_SIZE });
  const newest = part?.messages ?? [];
  JSON.stringify(pageBefore(newest, newest.length, registry));
  const shownMs = performance.now() - from;
  for await (const page of earlierPages(store, LARGE, systemClock)) newest.unshift(...page);
  if (newest.length !== 5000) throw new Error(`the session has ${newest.length} messages`);
  return { shownMs, loadedMs: performance.now() - from };
}

async function openFirst({ folder }: Filled): Promise<number> {
  const from = performance.now();
  const store = await openSessionStore(createStorage(folder), assets, systemClock, log);
  await openLarge(store);
  const ms = performance.now() - from;
  await store.close();
  return ms;
}

export const benches: Bench[] = [
  bench(`first page of the history, ${total}`, "< 1,000 ms", ({ store }) => store.find(queryOf({}))),
  bench("the same by cost", "< 1,000 ms", ({ store }) => store.find(queryOf({ sort: "cost" }))),
  bench("search: a common word", "< 300 ms", ({ store, common }) => store.find(queryOf({ text: common }))),
  bench("search: a common word, best match first", "< 300 ms", ({ store, common }) =>
    store.find(queryOf({ text: common, sort: "relevance" })),
  ),
  bench("search: a rare word", "< 300 ms", ({ store, rare }) => store.find(queryOf({ text: rare }))),
  bench("search: one Japanese character", "< 300 ms", ({ store }) => store.find(queryOf({ text: "設" }))),
  bench("search: nothing", "< 300 ms", ({ store }) => store.find(queryOf({ text: "吾輩は猫である" }))),
  opening("with its store", "< 300 ms", openFirst),
  opening("again", "< 100 ms", async ({ store }) => (await openLarge(store)).loadedMs),
  opening(
    "again, until there is something to show",
    "",
    async ({ store }) => (await openLarge(store)).shownMs,
  ),
];

/** What the fresh store took; undefined when the store was not measured. */
export function freshStore(): { text: string; fresh: FreshStore } | undefined {
  if (!fresh) return undefined;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const lines = [
    `opened in ${ms(fresh.openMs)}, listed in ${ms(fresh.listMs)}`,
    `first search answered in ${ms(fresh.searchMs)}, all ready for searching after ${ms(fresh.indexMs)}`,
    `longest pause meanwhile ${ms(fresh.longestPauseMs)}, growth ${(fresh.growth / 1e6).toFixed(0)} MB`,
  ];
  return { text: `A store that nobody has searched, ${total}:\n${lines.join("\n")}`, fresh };
}

/** Bytes that the disk gets for one more message in a session of so many. */
export async function sessionBytes(): Promise<{ text: string; bytes: Record<string, number> }> {
  const bytes: Record<string, number> = {};
  for (const count of [10, 1_000, 10_000]) {
    let written = 0;
    const disk = createStorage(temporaryFolder());
    const counting: Storage = {
      ...disk,
      append: (name, data) => {
        written += data.length;
        return disk.append(name, data);
      },
      replace: (name, data) => {
        written += data.length;
        return disk.replace(name, data);
      },
    };
    const store = await openSessionStore(counting, assets, systemClock, log);
    const content = new Content(3);
    await store.import(newSession(LARGE, "a large one"), content.session(LARGE, count), {});
    await store.checkpoint();
    written = 0;
    const [message] = new Content(4).session("11111111-1111-4111-8111-111111111111", 1);
    if (message) await store.append(LARGE, message);
    bytes[`${count}`] = written;
    await store.close();
  }
  const lines = Object.entries(bytes).map(([count, size]) => `${count.padStart(8)} messages  ${size} bytes`);
  return { text: `Written for one more message in a session of\n${lines.join("\n")}`, bytes };
}
