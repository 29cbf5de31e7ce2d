/** A session of up to 20,000 messages: opened, scrolled, searched and added to. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { earlierPages, FIRST_PAGE_SIZE } from "../../../src/core/loop/transcript.ts";
import { openSessionStore } from "../../../src/core/sessions/store.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { createStorage } from "../../../src/node/store/folder-storage.ts";
import { historyQuerySchema } from "../../../src/shared/protocol.ts";
import type { Curve } from "../report.ts";
import { Content } from "../session-content.ts";
import { type Costs, curvesOf, timed, type Wanted } from "./curve.ts";

const SIZES = [1_000, 5_000, 10_000, 20_000];
const ROUNDS = 5;
const ID = "00000000-0000-4000-8000-000000000001";
const size = "messages";
const WANTED: Wanted[] = [
  { name: "opened, until there is something to show", size, unit: "ms", target: "< 300 ms" },
  { name: "all of it loaded", size, unit: "ms" },
  { name: "one page in its middle", size, unit: "ms", target: "< 50 ms" },
  { name: "found by a word", size, unit: "ms", target: "< 300 ms" },
  { name: "one more message", size, unit: "ms", target: "< 20 ms" },
  { name: "longest pause of these", size, unit: "ms", target: "< 100 ms" },
];

const log = { info: () => {}, error: (text: string, cause?: unknown) => console.error(text, cause) };
const wasm = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm.wasm");
const assets = { read: () => readFile(wasm) };

async function ofSession(count: number, folder: string): Promise<Costs> {
  const costs: Costs = Object.fromEntries(WANTED.map(({ name }) => [name, []]));
  const open = () => openSessionStore(createStorage(folder), assets, systemClock, log);
  const filler = await open();
  const content = new Content(7);
  const startedAt = "2026-01-01T00:00:00.000Z";
  const start = { id: ID, title: "A long one", projectPath: "/project", model: "scripted", startedAt };
  await filler.import({ ...start, mode: "act" }, content.session(ID, count), {});
  for (let times = 0; times < 12; times++) await filler.checkpoint();
  // What searches need is made once, while nobody waits for it.
  const word = historyQuerySchema.parse({ limit: 50, text: content.text(20).split(" ")[0] });
  await filler.find(word);
  await filler.close();
  for (let round = 0; round < ROUNDS; round++) {
    const pauses: number[] = [];
    const watched = async (name: string, work: () => Promise<unknown>) => {
      const { ms, pauseMs } = await timed(work);
      costs[name]?.push(ms);
      pauses.push(pauseMs);
    };
    const store = await open();
    await watched("opened, until there is something to show", () =>
      store.load(ID, { skip: 0, count: FIRST_PAGE_SIZE }),
    );
    await watched("all of it loaded", async () => {
      let loaded = FIRST_PAGE_SIZE;
      for await (const page of earlierPages(store, ID, systemClock)) loaded += page.length;
      if (loaded < count) throw new Error(`only ${loaded} messages were loaded`);
    });
    await watched("one page in its middle", () =>
      store.load(ID, { skip: count >> 1, count: FIRST_PAGE_SIZE }),
    );
    await watched("found by a word", () => store.find(word));
    const text = content.text(500);
    await watched("one more message", () =>
      store.append(ID, {
        ...{ id: randomUUID(), role: "user", createdAt: startedAt, display: text },
        blocks: [{ type: "text", text, source: "person" }],
      }),
    );
    costs["longest pause of these"]?.push(Math.max(...pauses));
    await store.close();
  }
  return costs;
}

export function messageCurves(): Promise<Curve[]> {
  return curvesOf(WANTED, SIZES, async (count) => {
    const folder = mkdtempSync(path.join(tmpdir(), "nekode-bench-"));
    try {
      return await ofSession(count, folder);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
