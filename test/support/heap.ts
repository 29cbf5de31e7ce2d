/** The heap of this process as it is after a full garbage collection, and how it grows. */
import { setImmediate as turn } from "node:timers/promises";
import v8 from "node:v8";
import vm from "node:vm";

let collect: (() => void) | undefined;

function collector(): () => void {
  if (globalThis.gc) return globalThis.gc;
  // Only contexts that are made after this have it.
  v8.setFlagsFromString("--expose-gc");
  return vm.runInNewContext("gc");
}

/** Bytes that are still in use after everything unreachable was collected. */
export async function heldHeap(): Promise<number> {
  collect ??= collector();
  // Callbacks that are about to run hold what they were made with; what finalizers release goes in the second round.
  await turn();
  collect();
  await turn();
  collect();
  return process.memoryUsage().heapUsed;
}

export interface Point {
  turn: number;
  bytes: number;
}

/** Bytes a turn, as the straight line that fits the points best (least squares) rises. */
export function slopeOf(points: readonly Point[]): number {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const turns = mean(({ turn }) => turn);
  const bytes = mean((point) => point.bytes);
  const spread = points.reduce((sum, { turn }) => sum + (turn - turns) ** 2, 0);
  const together = points.reduce((sum, point) => sum + (point.turn - turns) * (point.bytes - bytes), 0);
  return together / spread;
}
