import type { Clock } from "../core/ports.ts";

/** The longest that a timer of Node can wait. */
const longest = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longest));
    return { dispose: () => clearTimeout(timer) };
  },
};
