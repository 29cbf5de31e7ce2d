import type { Bench } from "./bench.ts";
import type { Result } from "./report.ts";

const WARM_UP_MS = 200;
export const ROUNDS = 21;

type Run = Bench["run"];

async function time(run: Run): Promise<number> {
  const from = performance.now();
  const counted = await run();
  return typeof counted === "number" ? counted : performance.now() - from;
}

/**
 * The times of each run, in milliseconds, the shortest first. The runs take turns, so that what else the machine does falls on all
 * of them alike and their ratios stay comparable.
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

export async function measure(suite: string, benches: Bench[]): Promise<Result[]> {
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

/** The results as lines of text for a terminal. */
export function resultsText(results: Result[]): string {
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
