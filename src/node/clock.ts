import type { Clock } from "../core/ports/system.ts";

/** Milliseconds of the longest timer in Node. */
export const LONGEST_TIMER = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), LONGEST_TIMER));
    return { dispose: () => clearTimeout(timer) };
  },
};

/** The result of `work`, or "late" after `ms` milliseconds (Infinity: no limit). Rejects if `work` rejects in time. */
export async function within<T>(work: PromiseLike<T>, ms: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    if (Number.isFinite(ms)) timer = setTimeout(() => resolve("late"), Math.min(ms, LONGEST_TIMER));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Resolves when the output of a process that ended is closed, or after `ms` if others keep it open; its own was read then. */
export async function drained(closed: PromiseLike<unknown>, ms: number): Promise<void> {
  // In a busy process the timer fires late, before pending pipe reads; an immediate runs after them.
  if ((await within(closed, ms)) === "late") await new Promise(setImmediate);
}
