/** Figures of processes beside those that were kept: what is beyond its tolerance is named. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { Compared } from "../../bench/report.ts";
import { baselinesSchema } from "../../bench/startup/baselines.ts";
import { baselinesOf, beyondBaselines, compared, measureOf } from "../../bench/startup/compared.ts";

const time = (values: number[], plain: number[]): Compared =>
  compared({ name: "a task", unit: "ms", target: "< 450 ms", beside: "bare Node" }, values, plain);
const count = (value: number): Compared =>
  compared({ name: "requests", unit: "times", target: "4" }, [value]);

describe("a figure", () => {
  it("is the median of its rounds, and is kept as a ratio to something plain", () => {
    const row = time([900, 300, 600], [60, 10, 20]);
    expect(row).toMatchObject({ value: 600, best: 300, plain: { value: 20, best: 10 } });
    expect(measureOf(row)).toBe(30);
    expect(measureOf(count(4))).toBe(4);
  });
});

describe("beside its baseline, a figure", () => {
  const baselines = { "a task": { measure: 30, tolerance: 0.2 }, requests: { measure: 4, tolerance: 0 } };

  it("may be larger by the tolerance, and smaller by anything", () => {
    expect(beyondBaselines([time([720], [20]), count(4)], baselines)).toEqual([]);
    expect(beyondBaselines([time([20], [20]), count(3)], baselines)).toEqual([]);
  });

  it("is named with both values if it is larger than that", () => {
    expect(beyondBaselines([time([840], [20]), count(5)], baselines)).toEqual([
      "a task: 42.00, baseline 30, 40 % above it; 20 % are allowed.",
      "requests: 5.000, baseline 4, 25 % above it; 0 % are allowed.",
    ]);
  });

  it("is named if it has none, and a baseline if nothing was measured for it", () => {
    expect(beyondBaselines([time([20], [20]), { ...count(1), name: "new" }], baselines)).toEqual([
      "new: has no baseline. Keep one with --keep.",
      "requests: was not measured, but has a baseline.",
    ]);
  });

  it("that could not be measured is beyond it", () => {
    expect(beyondBaselines([time([Number.NaN], [20]), count(4)], baselines)).toHaveLength(1);
  });

  it("becomes the next one with the tolerance that somebody has set", () => {
    const kept = baselinesOf([time([500], [20]), { ...count(2), name: "new" }], {
      "a task": { measure: 30, tolerance: 0.5 },
    });
    expect(kept).toEqual({
      "a task": { measure: 25, tolerance: 0.5 },
      new: { measure: 2, tolerance: 0 },
    });
  });
});

it("the baselines in the repository can be read", () => {
  const file = path.join(import.meta.dirname, "../../bench/startup/baselines.json");
  expect(Object.keys(baselinesSchema.parse(JSON.parse(readFileSync(file, "utf8"))))).not.toEqual([]);
});
