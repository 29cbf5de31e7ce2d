/** Measures the extension host while the agent runs, for the screen "Performance and checks". */
import { monitorEventLoopDelay } from "node:perf_hooks";
import type { Disposable } from "../core/lifecycle.ts";
import type { TaskEvent } from "../shared/event.ts";
import { type Health, slopeOf } from "../shared/words/health-words.ts";

/** Maximum number of samples of the heap; the oldest are dropped. */
const MOST_SAMPLES = 500;
const NANOSECONDS = 1_000_000;

export class HealthMonitor implements Disposable {
  readonly #delay = monitorEventLoopDelay({ resolution: 10 });
  readonly #startedAt = Date.now();
  readonly #listening: Disposable;
  #samples: { at: number; bytes: number }[] = [];

  constructor(project: { readonly onEvent: (listener: (event: TaskEvent) => void) => Disposable }) {
    this.#delay.enable();
    this.#sample();
    this.#listening = project.onEvent(({ type }) => {
      if (type === "totals") this.#sample();
    });
  }

  now(session: Pick<Health, "totals" | "sentPerTurn">): Health {
    this.#sample();
    const { mean, max } = this.#delay;
    return {
      delay: {
        mean: (mean || 0) / NANOSECONDS,
        p99: this.#delay.percentile(99) / NANOSECONDS,
        max: max / NANOSECONDS,
      },
      heap: this.#samples.at(-1)?.bytes ?? 0,
      heapSlope: slopeOf(this.#samples),
      minutes: Math.round((Date.now() - this.#startedAt) / 60_000),
      ...session,
    };
  }

  #sample(): void {
    const sample = { at: Date.now(), bytes: process.memoryUsage().heapUsed };
    this.#samples = [...this.#samples.slice(1 - MOST_SAMPLES), sample];
  }

  dispose(): void {
    this.#delay.disable();
    this.#listening.dispose();
  }
}
