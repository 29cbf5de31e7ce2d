/**
 * The time limits of requests to one server. A limit counts the time without a sign of life, and stands still while the server
 * waits for the user's answer to a question.
 */
import { LONGEST_TIMER } from "../clock.ts";

export interface RunningTimer {
  /** There was a sign of life. */
  restart(): void;
  stop(): void;
}

export class CallTimers {
  readonly #running = new Set<{ pause(): void; restart(): void }>();
  #questions = 0;

  /** Calls `onLate` after `ms` milliseconds without a restart. */
  start(ms: number, onLate: () => void): RunningTimer {
    let timer: NodeJS.Timeout | undefined;
    const entry = {
      pause: () => clearTimeout(timer),
      restart: () => {
        clearTimeout(timer);
        if (this.#questions === 0 && this.#running.has(entry))
          timer = setTimeout(onLate, Math.min(ms, LONGEST_TIMER));
      },
    };
    this.#running.add(entry);
    entry.restart();
    return {
      restart: entry.restart,
      stop: () => {
        this.#running.delete(entry);
        clearTimeout(timer);
      },
    };
  }

  /** Stops all limits while `question` is open. */
  async during<T>(question: Promise<T>): Promise<T> {
    this.#questions++;
    for (const entry of this.#running) entry.pause();
    try {
      return await question;
    } finally {
      this.#questions--;
      if (this.#questions === 0) for (const entry of this.#running) entry.restart();
    }
  }
}
