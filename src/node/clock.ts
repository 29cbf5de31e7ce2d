import type { Clock } from "../core/ports/system.ts";

/** The longest that a timer of Node can wait, in milliseconds. */
export const longestTimer = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => new Date(),
  after(ms, run) {
    const timer = setTimeout(run, Math.min(Math.max(ms, 0), longestTimer));
    return { dispose: () => clearTimeout(timer) };
  },
};

/** What `work` gives, or "late" when it takes longer than `ms` (Infinity: however long); rejects when `work` does before. */
export async function within<T>(work: PromiseLike<T>, ms: number): Promise<T | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<"late">((resolve) => {
    if (Number.isFinite(ms)) timer = setTimeout(() => resolve("late"), Math.min(ms, longestTimer));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
