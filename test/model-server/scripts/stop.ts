import type { Script } from "../server.ts";

export interface StopOptions {
  /** Lines in each half of the text; default 200. */
  lines?: number;
  /** Milliseconds before each delta; default 0. */
  pace?: number;
  /** Name of the hold in the middle; default `middle`. */
  hold?: string;
}

/** A long text with a hold in its middle: wait for the hold, press Stop, and see the connection closed. */
export function stopScript(options: StopOptions = {}): Script {
  const { lines = 200, pace = 0, hold = "middle" } = options;
  const half = (from: number): string =>
    Array.from({ length: lines }, (_, index) => `Line ${from + index} of a long answer.\n`).join("");
  return {
    pace,
    turns: [{ name: "long", times: true, answer: [{ text: half(1) }, { hold }, { text: half(lines + 1) }] }],
  };
}
