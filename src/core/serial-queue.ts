/** Runs asynchronous work one at a time, in the order of the calls. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /** Resolves when everything queued so far has settled; undefined if nothing is queued. */
  get over(): Promise<void> | undefined {
    return this.#last;
  }

  /** Resolves and rejects as `work` does. Later work also runs after earlier work fails. */
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
