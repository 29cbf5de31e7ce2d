/** The screen "Performance and checks": what was measured in this window beside the budgets that the benchmarks hold. */

import type { HealthCheck, HealthReport } from "../health-report.ts";
import type { Totals } from "../totals.ts";
import type { Translate } from "./task-words.ts";

/** Milliseconds for delays, bytes for memory. */
export interface Health {
  /** Delays of the event loop since the agent started. */
  delay: { mean: number; p99: number; max: number };
  heap: number;
  /** Bytes per hour; undefined if the measurement is too short. */
  heapSlope: number | undefined;
  minutes: number;
  totals: Totals;
  /** Bytes of request bodies for each turn; undefined: none could be counted. */
  sentPerTurn: number | undefined;
}

/** Budgets as in docs/figures.md: of a turn's own work in milliseconds, and the share of a prompt that the cache supplies. */
const TURN_MS = 50;
const CACHED_PERCENT = 96;
/** Bytes per turn in the benchmark's session of 25 messages. */
const SENT_BYTES = 127_000;
const MEGABYTE = 1024 * 1024;
/** Minimum time span of the samples, in milliseconds, that separates growth from the effect of garbage collections. */
const SLOPE_MS = 600_000;

/** What was measured, as the screen lists it. */
export function measurements(
  t: Translate,
  { delay, heap, heapSlope, totals, sentPerTurn }: Health,
): HealthReport["measurements"] {
  const { requests, inputTokens, cachedTokens } = totals;
  const milliseconds = (value: number) => `${value.toFixed(1)} ms`;
  const megabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
  const cached = inputTokens > 0 ? `${Math.round((100 * cachedTokens) / inputTokens)}%` : "–";
  const rows: readonly (readonly [string, string, string])[] = [
    [t("Event loop delay, mean"), milliseconds(delay.mean), ""],
    [t("Event loop delay, 99th percentile"), milliseconds(delay.p99), `< ${TURN_MS} ms`],
    [t("Event loop delay, longest"), milliseconds(delay.max), ""],
    [t("Heap in use"), megabytes(heap), ""],
    [t("Heap growth per hour"), heapSlope === undefined ? t("not known yet") : megabytes(heapSlope), ""],
    [t("Input tokens from the prompt cache"), cached, `${CACHED_PERCENT}%`],
    [t("Input tokens per request"), requests > 0 ? String(Math.round(inputTokens / requests)) : "–", ""],
    [t("Requests"), String(requests), ""],
    [
      t("Bytes sent per turn"),
      sentPerTurn === undefined ? "–" : sentPerTurn.toLocaleString("en-US"),
      t("{0} over {1} turns", SENT_BYTES.toLocaleString("en-US"), 25),
    ],
  ];
  return rows.map(([name, now, budget]) => ({ name, now, budget }));
}

export function checkTitle(t: Translate, id: HealthCheck["id"]): string {
  switch (id) {
    case "model":
      return t("Model");
    case "connection":
      return t("Connection");
    case "sandbox":
      return t("Sandbox");
    case "git":
      return t("Git");
    case "terminal":
      return t("Terminal");
    case "servers":
      return t("MCP servers");
  }
}

/**
 * Growth in bytes per hour, as the slope of the line through the samples; undefined if there are fewer than three samples or
 * they span less than ten minutes.
 */
export function slopeOf(samples: readonly { at: number; bytes: number }[]): number | undefined {
  const [first] = samples;
  const last = samples.at(-1);
  if (!first || !last || samples.length < 3 || last.at - first.at < SLOPE_MS) return undefined;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const middle = mean(samples.map(({ at }) => at));
  const level = mean(samples.map(({ bytes }) => bytes));
  let above = 0;
  let below = 0;
  for (const { at, bytes } of samples) {
    above += (at - middle) * (bytes - level);
    below += (at - middle) ** 2;
  }
  return (above / below) * 3_600_000;
}
