import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { resolve } from "node:path";
import { benches as assistant } from "./assistant.ts";
import type { Bench } from "./bench.ts";
import { benches as checkpoints } from "./checkpoints.ts";
import { benches as context } from "./context.ts";
import { benches as edits } from "./edits.ts";
import { editsTable } from "./edits-table.ts";
import { panelTyping } from "./panel.ts";
import { freshStore, sessionBytes, benches as sessions } from "./sessions.ts";
import { benches as turns } from "./turns.ts";

// Run by `npm run bench`. Names given as arguments choose the suites: `npm run bench -- assistant`.

const suites: Record<string, Bench[]> = { assistant, checkpoints, context, edits, sessions, turns };

const WARM_UP_MS = 200;
const ROUNDS = 21;

interface Result {
  suite: string;
  name: string;
  target: string;
  /** Medians, in milliseconds. */
  ms: number;
  /** The best of the rounds, in milliseconds: what the machine can do while nothing else runs on it. */
  bestMs: number;
  baselineMs: number;
  ratio: number;
  /** What one run keeps on the heap, in bytes, and as a multiple of its input. */
  memory?: { bytes: number; multiple: number };
}

type Run = Bench["run"];

async function time(run: Run): Promise<number> {
  const from = performance.now();
  const counted = await run();
  return typeof counted === "number" ? counted : performance.now() - from;
}

/**
 * The times of each run, in milliseconds, the shortest first. The runs take turns, so that what else the machine does falls on all
 * of them alike and their ratios hold.
 */
async function measureAll(runs: Run[]): Promise<number[][]> {
  for (const run of runs) {
    const until = performance.now() + WARM_UP_MS;
    do await run();
    while (performance.now() < until);
  }
  const times = runs.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, run] of runs.entries()) times[i]?.push(await time(run));
  }
  return times.map((list) => list.sort((a, b) => a - b));
}

/** The heap that stays in use while what `keep` returned is held; without `--expose-gc` there is no such figure. */
function heldBytes(keep: () => unknown): number | undefined {
  const { gc } = globalThis;
  if (gc === undefined) return undefined;
  // What earlier runs left may take a second round to go.
  gc();
  gc();
  const before = process.memoryUsage().heapUsed;
  const kept = [keep()];
  gc();
  const bytes = process.memoryUsage().heapUsed - before;
  return kept.length > 0 ? Math.max(0, bytes) : undefined;
}

async function measure(suite: string, benches: Bench[]): Promise<Result[]> {
  const times = await measureAll(benches.map((bench) => () => bench.run()));
  const baselines = await measureAll(benches.map((bench) => () => bench.baseline()));
  return benches.map(({ name, target, memory }, i) => {
    const ms = times[i]?.[ROUNDS >> 1] ?? 0;
    const bestMs = times[i]?.[0] ?? 0;
    const baselineMs = baselines[i]?.[ROUNDS >> 1] ?? 0;
    const result: Result = { suite, name, target, ms, bestMs, baselineMs, ratio: ms / baselineMs };
    const bytes = memory === undefined ? undefined : heldBytes(memory.keep);
    if (memory !== undefined && bytes !== undefined)
      result.memory = { bytes, multiple: bytes / memory.inputBytes };
    return result;
  });
}

function row(cells: string[], widths: number[]): string {
  return cells
    .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
    .join("  ");
}

function table(results: Result[]): string {
  const head = ["measurement", "ms", "best ms", "scan ms", "ratio", "held / input", "target"];
  const rows = results.map((result) => [
    result.name,
    result.ms.toFixed(2),
    result.bestMs.toFixed(2),
    result.baselineMs.toFixed(3),
    result.ratio.toFixed(1),
    result.memory === undefined ? "" : result.memory.multiple.toFixed(1),
    result.target,
  ]);
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((cells) => (cells[i] ?? "").length)));
  return [head, ...rows].map((cells) => row(cells, widths)).join("\n");
}

const chosen = process.argv.slice(2).filter((name) => name === "panel" || Object.hasOwn(suites, name));
const results: Result[] = [];
for (const [suite, benches] of Object.entries(suites)) {
  if (chosen.length > 0 && !chosen.includes(suite)) continue;
  results.push(...(await measure(suite, benches)));
}
console.log(table(results));
const kinds = chosen.length === 0 || chosen.includes("edits") ? editsTable() : undefined;
if (kinds !== undefined) console.log(`\n${kinds.text}`);
const written = chosen.length === 0 || chosen.includes("sessions") ? await sessionBytes() : undefined;
const opened = freshStore();
if (opened !== undefined) console.log(`\n${opened.text}`);
if (written !== undefined) console.log(`\n${written.text}`);
const typing = chosen.length === 0 || chosen.includes("panel") ? await panelTyping() : undefined;
if (typing !== undefined) console.log(`\n${typing.text}`);
const file = resolve("bench-results.json");
const machine = { node: process.version, cpu: cpus()[0]?.model ?? "", cores: cpus().length };
writeFileSync(
  file,
  `${JSON.stringify({ date: new Date().toISOString(), machine, results, edits: kinds?.tallies, bytesWritten: written?.bytes, freshStore: opened?.fresh, typing: typing?.typing }, null, 2)}\n`,
);
console.log(`\nmedians of ${ROUNDS} rounds; written to ${file}`);
