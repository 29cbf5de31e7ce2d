/** Figures of whole processes: each beside that of something plain in the same run, and beside what it was when it was kept. */
import type { Compared } from "../report.ts";

type Unit = Compared["unit"];

/** What is measured, as in "process start to first request". */
export interface Wanted {
  name: string;
  unit: Unit;
  target: string;
  /** What is plain; absent: the figure is a count, which is the same on each machine. */
  beside?: string;
}

export const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

/** Of the values of all rounds. */
export function compared(
  { beside, ...wanted }: Wanted,
  values: readonly number[],
  plain: readonly number[] = [],
): Compared {
  return {
    ...wanted,
    value: median(values),
    best: Math.min(...values),
    ...(beside === undefined
      ? {}
      : { plain: { name: beside, value: median(plain), best: Math.min(...plain) } }),
  };
}

/** The number that is kept: a ratio where there is something plain, so that it says the same on each machine. */
export function measureOf({ value, plain }: Compared): number {
  return plain === undefined ? value : value / plain.value;
}

/** By how much of itself a measure may be larger than the one that was kept: what a busy machine makes of it. */
const TOLERANCES: Readonly<Record<Unit, number>> = {
  ms: 0.35,
  "CPU ms": 0.2,
  MB: 0.1,
  bytes: 0.01,
  times: 0,
};

export type Baselines = Record<string, { measure: number; tolerance: number }>;

/** Counts as they are. */
function rounded(row: Compared): number {
  return row.plain === undefined ? row.value : Number(measureOf(row).toPrecision(4));
}

/** The measures as baselines; a tolerance that somebody has set stays. */
export function baselinesOf(rows: readonly Compared[], before: Baselines): Baselines {
  return Object.fromEntries(
    rows.map((row) => {
      const tolerance = before[row.name]?.tolerance ?? TOLERANCES[row.unit];
      return [row.name, { measure: rounded(row), tolerance }];
    }),
  );
}

/** What is larger than its baseline and the tolerance allow, or has none, and baselines of nothing; none of them: []. */
export function beyondBaselines(rows: readonly Compared[], baselines: Baselines): string[] {
  const found = rows.flatMap((row) => {
    const baseline = baselines[row.name];
    if (!baseline) return [`${row.name}: has no baseline. Keep one with --keep.`];
    const { measure, tolerance } = baseline;
    const now = measureOf(row);
    if (now <= measure * (1 + tolerance)) return [];
    const above = measure === 0 ? "" : `, ${Math.round((now / measure - 1) * 100)} % above it`;
    return [
      `${row.name}: ${now.toPrecision(4)}, baseline ${measure}${above}; ${Math.round(tolerance * 100)} % are allowed.`,
    ];
  });
  const measured = new Set(rows.map(({ name }) => name));
  const lost = Object.keys(baselines).filter((name) => !measured.has(name));
  return [...found, ...lost.map((name) => `${name}: was not measured, but has a baseline.`)];
}

export function comparedText(rows: readonly Compared[], baselines: Baselines): string {
  const lines = rows.map((row) => {
    const { name, unit, value, best, plain, target } = row;
    const beside = plain
      ? `; ${plain.name} ${amount(plain.value)} (best ${amount(plain.best)}), ratio ${measureOf(row).toFixed(2)}`
      : "";
    const kept = baselines[name] ? `; baseline ${baselines[name].measure}` : "";
    const goal = target === "" ? "" : `; target ${target}`;
    const least = unit === "bytes" || unit === "times" ? "" : ` (best ${amount(best)})`;
    return `  ${name}: ${amount(value)} ${unit}${least}${beside}${kept}${goal}`;
  });
  return ["the terminal host as a process", ...lines].join("\n");
}

const amount = (value: number) => (value >= 100 ? Math.round(value).toLocaleString("en") : value.toFixed(1));
