/** One run of the loop at a time: begun by what the user said, aborted by Stop, awaited by whoever comes next. */
import type { RunEnd } from "../loop/run-end.ts";

export interface Run {
  /** Says what there is to say before the loop. */
  first(signal: AbortSignal): Promise<void>;
  loop(signal: AbortSignal): Promise<RunEnd>;
}

export interface RunnerDeps {
  /** What follows a run; calls `release` when the next one may begin. */
  ended(end: RunEnd): Promise<RunEnd>;
  /** `ended` rejected, as when the session cannot be written: the run is over all the same. */
  failed(error: unknown): void;
}

export class Runner {
  readonly #deps: RunnerDeps;
  #running: { controller: AbortController; done: Promise<RunEnd> } | undefined;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
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

  /** Busy at once. Rejects only when `first` does. */
  start({ first, loop }: Run): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const begun = first(signal);
    const done = begun
      .then(
        () => loop(signal),
        (): RunEnd => ({ type: signal.aborted ? "stopped" : "failed" }),
      )
      .then((end) => this.#deps.ended(end))
      .catch((error: unknown): RunEnd => {
        this.release();
        this.#deps.failed(error);
        return { type: "failed" };
      });
    this.#running = { controller, done };
    return begun;
  }
}
