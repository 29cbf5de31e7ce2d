/** How a cost grows with the size of what it is paid for. */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Curve } from "../report.ts";
import { median } from "../startup/compared.ts";

/** A cost at several sizes: medians of as many rounds as were measured of each. */
export interface Wanted {
  name: string;
  /** What is counted, as in "files". */
  size: string;
  unit: Curve["unit"];
  target?: string;
}

/** The values of one size, by the name of the cost. */
export type Costs = Record<string, number[]>;

/** Measures all costs at each size, one size after the other. */
export async function curvesOf(
  wanted: readonly Wanted[],
  sizes: readonly number[],
  measure: (size: number) => Promise<Costs>,
): Promise<Curve[]> {
  const measured: [number, Costs][] = [];
  for (const size of sizes) {
    measured.push([size, await measure(size)]);
    console.error(`  ${size.toLocaleString("en")} ${wanted[0]?.size}: measured`);
  }
  return wanted.map((each) => {
    const points = measured.map(([size, costs]) => {
      const values = costs[each.name];
      if (!values) throw new Error(`nothing was measured for: ${each.name}`);
      return { size, value: median(values) };
    });
    return { target: "", ...each, points, exponent: exponentOf(points) };
  });
}

/**
 * The power of the size with which the cost grows: the slope of the line that fits the logarithms best. 0: the size does not
 * matter; 1: twice the size costs twice as much.
 */
export function exponentOf(points: readonly { size: number; value: number }[]): number {
  const logs = points.map(({ size, value }) => [Math.log(size), Math.log(Math.max(value, 1e-3))] as const);
  const mean = (at: 0 | 1) => logs.reduce((sum, log) => sum + log[at], 0) / logs.length;
  const [x, y] = [mean(0), mean(1)];
  const along = logs.reduce((sum, log) => sum + (log[0] - x) ** 2, 0);
  return logs.reduce((sum, log) => sum + (log[0] - x) * (log[1] - y), 0) / along;
}

/** Milliseconds that the work took, and the longest that nothing else in this process had its turn meanwhile. */
export async function timed(work: () => Promise<unknown>): Promise<{ ms: number; pauseMs: number }> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const from = performance.now();
  await work();
  const ms = performance.now() - from;
  delay.disable();
  return { ms, pauseMs: Math.max(0, delay.max / 1e6) };
}
