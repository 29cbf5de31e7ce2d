/** Delays: an abortable one, and the shortest. */
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
