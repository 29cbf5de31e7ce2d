/** Runs the loop, one run at a time. Stop aborts a run, and the next run waits for it. */
import type { UserStop } from "../errors.ts";
import type { RunEnd } from "../loop/loop.ts";

export interface Run {
  /** Appends messages before the loop runs. */
  first(signal: AbortSignal): Promise<void>;
  loop(signal: AbortSignal): Promise<RunEnd>;
}

export interface RunnerDeps {
  /** Called after a run. Has to call `release` when the next run may begin. */
  ended(end: RunEnd): Promise<RunEnd>;
  /** Called if `ended` rejects, for example because the session cannot be written. The run is over nevertheless. */
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

  /** Resolves when the run is over, with how it ended; undefined if there is none. */
  get idle(): Promise<RunEnd | undefined> {
    return this.#running?.done ?? Promise.resolve(undefined);
  }

  abort(reason?: UserStop): void {
    this.#running?.controller.abort(reason);
  }

  release(): void {
    this.#running = undefined;
  }

  /** Starts a run; the runner is busy immediately. Rejects only if `first` does. */
  start({ first, loop }: Run): Promise<void> {
    const controller = new AbortController();
    const { signal } = controller;
    const firstDone = first(signal);
    const done = firstDone
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
    return firstDone;
  }
}
