import { describe, expect, it } from "vitest";
import { emptyTotals } from "../../../src/shared/totals.ts";
import { measurements, slopeOf } from "../../../src/shared/words/health-words.ts";
import { translator } from "../../../src/shared/words/task-words.ts";

const minute = (count: number, bytes: number) => ({ at: count * 60_000, bytes });

describe("the growth of the heap", () => {
  it("is that of the line through the samples, an hour", () => {
    expect(slopeOf([0, 4, 8, 12].map((count) => minute(count, 5_000 + count * 100)))).toBeCloseTo(6_000);
    expect(slopeOf([minute(0, 10), minute(5, 30), minute(10, 10)])).toBeCloseTo(0);
  });

  it("is not known from few samples or a short time", () => {
    expect(slopeOf([])).toBeUndefined();
    expect(slopeOf([minute(0, 1), minute(90, 2)])).toBeUndefined();
    // One garbage collection makes a slope of some 400 MB an hour of a minute's samples.
    expect(slopeOf([minute(0, 3), minute(1, 2), minute(9, 1)])).toBeUndefined();
    expect(slopeOf([0, 1, 2].map((count) => ({ at: count, bytes: count })))).toBeUndefined();
  });
});

it("shows what was measured beside the budgets, and what is not known", () => {
  const totals = { ...emptyTotals, requests: 4, inputTokens: 1_000, cachedTokens: 750 };
  const delay = { mean: 10.2, p99: 12.34, max: 80 };
  const rows = measurements(translator({}), {
    ...{ delay, heap: 2 ** 20, heapSlope: undefined, minutes: 3, totals, sentPerTurn: 54_321 },
  }).map(({ name, now, budget }) => `${name} | ${now} | ${budget}`);
  expect(rows).toContain("Event loop delay, 99th percentile | 12.3 ms | < 50 ms");
  expect(rows).toContain("Heap in use | 1.0 MB | ");
  expect(rows).toContain("Heap growth per hour | not known yet | ");
  expect(rows).toContain("Input tokens from the prompt cache | 75% | 96%");
  expect(rows).toContain("Input tokens per request | 250 | ");
  expect(rows).toContain("Bytes sent per turn | 54,321 | 127,000 over 25 turns");
});
