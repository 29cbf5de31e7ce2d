/** The signals that ask a program to end. The last one is sent when the user closes the terminal. */
import type { Disposable } from "../core/lifecycle.ts";

const ENDINGS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Where signals arrive: the process. */
export interface EndSignals {
  on(name: (typeof ENDINGS)[number], listener: () => void): unknown;
  once(name: (typeof ENDINGS)[number], listener: () => void): unknown;
  off(name: (typeof ENDINGS)[number], listener: () => void): unknown;
}

/** Until it is disposed, none of the signals ends the process by itself. */
export function onEndSignal(signals: EndSignals, listener: () => void): Disposable {
  for (const name of ENDINGS) signals.on(name, listener);
  return {
    dispose() {
      for (const name of ENDINGS) signals.off(name, listener);
    },
  };
}

/** The first signal of each kind. The next one ends the process. */
export function onceEndSignal(signals: EndSignals, listener: () => void): void {
  for (const name of ENDINGS) signals.once(name, listener);
}
