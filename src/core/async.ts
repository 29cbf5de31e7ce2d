/** Helpers for asynchronous work: delays that can be aborted, and calls in parallel, one after another, or once for each key. */
import { Interrupt } from "./errors.ts";
import type { Clock } from "./ports/system.ts";

/** Resolves after `ms`; rejects with Interrupt when `signal` aborts. */
export function wait(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      timer.dispose();
      reject(new Interrupt());
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener("abort", onAbort);
      resolve();
    });
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** Lets other work that is due run first. */
export function giveWay(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.after(0, resolve);
  });
}

const DEFAULT_WIDTH = 16;

/**
 * Calls `work` for each item, a few at a time, because each call may keep a file open. Rejects with the first failure.
 */
export async function inParallel<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  width = DEFAULT_WIDTH,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Runs asynchronous work one at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /** Resolves when everything queued so far has settled; undefined if nothing is queued. */
  get over(): Promise<void> | undefined {
    return this.#last;
  }

  /** Resolves and rejects as `work` does. Later work also runs after earlier work fails. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = (this.#last ?? Promise.resolve()).then(work);
    const over = done
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (this.#last === over) this.#last = undefined;
      });
    this.#last = over;
    return done;
  }
}
