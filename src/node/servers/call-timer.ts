/**
 * The time limits of requests to one server. A limit counts the time since the server last showed progress, up to a total
 * limit, and is paused while the server waits for the user's answer to a question.
 */
import { LONGEST_TIMER } from "../clock.ts";

export interface RunningTimer {
  /** Call when the server showed progress. */
  restart(): void;
  stop(): void;
}

export class CallTimers {
  readonly #running = new Set<{ pause(): void; restart(): void }>();
  #questions = 0;

  /** Calls `onLate` after `ms` milliseconds without a restart, and after `mostMs` however often it was restarted. */
  start(ms: number, onLate: () => void, mostMs = Number.POSITIVE_INFINITY): RunningTimer {
    let timer: NodeJS.Timeout | undefined;
    let since: number | undefined;
    let remaining = mostMs;
    const entry = {
      pause: () => {
        clearTimeout(timer);
        if (since !== undefined) remaining -= performance.now() - since;
        since = undefined;
      },
      restart: () => {
        entry.pause();
        if (this.#questions > 0 || !this.#running.has(entry)) return;
        since = performance.now();
        timer = setTimeout(onLate, Math.min(ms, Math.max(0, remaining), LONGEST_TIMER));
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
