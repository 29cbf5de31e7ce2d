/**
 * Prints that the model has not answered for a while, for example while a slow machine processes a long prompt, because nothing
 * else is printed then.
 */
import type { Disposable } from "../core/lifecycle.ts";
import type { Clock } from "../core/ports/system.ts";
import type { TaskEvent } from "../shared/event.ts";

/** Milliseconds between two such messages. */
const EVERY_MS = 60_000;

export class LongWait implements Disposable {
  readonly #clock: Clock;
  readonly #say: (session: string, seconds: number) => void;
  #timer: Disposable | undefined;

  constructor(clock: Clock, say: (session: string, seconds: number) => void) {
    this.#clock = clock;
    this.#say = say;
  }

  /** Call for each event of the run. */
  follow(event: TaskEvent): void {
    if (event.type !== "status") return;
    this.dispose();
    if (event.status === "waiting") this.#wait(event.session, this.#clock.now().getTime());
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
  }

  #wait(session: string, since: number): void {
    this.#timer = this.#clock.after(EVERY_MS, () => {
      this.#say(session, Math.round((this.#clock.now().getTime() - since) / 1000));
      this.#wait(session, since);
    });
  }
}
