import type { Clock } from "../../src/core/ports/system.ts";
import { systemClock } from "../../src/node/clock.ts";

/** Milliseconds. The waits before another attempt are shorter, the limits of an endpoint's answer are not. */
const SHORTEST_LIMIT = 60_000;

/** The system's clock, on which the wait before another attempt takes no time. */
export const hurriedClock: Clock = {
  now: () => systemClock.now(),
  after: (ms, run) => systemClock.after(ms < SHORTEST_LIMIT ? 0 : ms, run),
};
