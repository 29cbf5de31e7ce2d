/** Runs asynchronous work one after the other, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /** Resolves when everything queued so far is over, however it went; undefined when nothing is. */
  get over(): Promise<void> | undefined {
    return this.#last;
  }

  /** Resolves and rejects as `work` does; the next work runs also after one that failed. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const done = (this.#last ?? Promise.resolve()).then(work);
    const over = done
      .then(
        () => {},
        () => {},
      )
      .then(() => {
        if (this.#last === over) this.#last = undefined;
      });
    this.#last = over;
    return done;
  }
}
