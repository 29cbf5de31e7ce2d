/** Long lists, without holding up the process. */
import { setImmediate } from "node:timers/promises";

/** Items that are taken at once: a millisecond or two for most work. */
const PORTION = 5_000;

/** The items in portions. Other work of the process has its turn after each. */
export async function* inPortions<T>(items: readonly T[]): AsyncGenerator<readonly T[]> {
  for (let at = 0; at < items.length; at += PORTION) {
    yield items.slice(at, at + PORTION);
    await setImmediate();
  }
}
