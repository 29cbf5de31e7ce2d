/** How costs grow: with files, messages, tasks, servers, and the slowness of a disk. */
import type { Curve } from "../report.ts";
import { fileCurves } from "./files.ts";
import { messageCurves } from "./messages.ts";
import { serverCurves } from "./servers.ts";
import { slowDiskCurves } from "./slow-disk.ts";
import { taskCurves } from "./tasks.ts";

const KINDS: Record<string, () => Promise<Curve[]>> = {
  files: fileCurves,
  messages: messageCurves,
  tasks: taskCurves,
  servers: serverCurves,
  disk: slowDiskCurves,
};

/** $NEKODE_BENCH_GROWTH names some of the kinds, where not all are wanted. */
export async function growthCurves(): Promise<Curve[]> {
  const wanted = process.env.NEKODE_BENCH_GROWTH?.split(",") ?? Object.keys(KINDS);
  const curves: Curve[] = [];
  for (const kind of wanted) {
    const measure = KINDS[kind];
    if (!measure) throw new Error(`There is no growth by ${kind}: ${Object.keys(KINDS).join(", ")}.`);
    curves.push(...(await measure()));
  }
  return curves;
}

export function growthText(curves: readonly Curve[]): string {
  return curves
    .map(({ name, size, unit, points, exponent, target }) => {
      const values = points.map(
        (point) => `${point.size.toLocaleString("en")}: ${point.value.toPrecision(3)}`,
      );
      return `  ${name} (${unit}, by ${size}): ${values.join(", ")}; exponent ${exponent.toFixed(2)}${target === "" ? "" : ` (${target})`}`;
    })
    .join("\n");
}
