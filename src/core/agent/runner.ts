/** One run of the loop at a time: begun by what the person said, aborted by Stop, waited for by whoever comes next. */
import type { RunEnd } from "../loop/task.ts";

export interface Run {
  loop(signal: AbortSignal): Promise<RunEnd>;
  /** What follows a run; calls `release` when the next one may begin. */
  ended(end: RunEnd): Promise<RunEnd>;
  /** `ended` rejected, as when the session cannot be written: the run is over all the same. */
  failed(error: unknown): void;
}

export class Runner {
  readonly #run: Run;
  #running: { controller: AbortController; done: Promise<RunEnd> } | undefined;

  constructor(run: Run) {
    this.#run = run;
  }

  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Resolves when the run is over, with how it ended; undefined when there was none. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#running?.done ?? Promise.resolve(undefined);
  }

  abort(): void {
    this.#running?.controller.abort();
  }

  release(): void {
    this.#running = undefined;
  }

  /** Busy at once. Runs the loop after `first` has said what there is to say; rejects only when `first` does. */
  start(first: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const begun = first(signal);
    const done = begun
      .then(
        () => this.#run.loop(signal),
        (): RunEnd => (signal.aborted ? "stopped" : "failed"),
      )
      .then((end) => this.#run.ended(end))
      .catch((error: unknown): RunEnd => {
        this.release();
        this.#run.failed(error);
        return "failed";
      });
    this.#running = { controller, done };
    return begun;
  }
}
