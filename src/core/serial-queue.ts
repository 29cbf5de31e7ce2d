/** Works done one after the other, and a promise for when none is left. */
export class SerialQueue {
  #last: Promise<void> | undefined;

  /** Resolves when what was begun so far is over, however it went; undefined when nothing is under way. */
  get over(): Promise<void> | undefined {
    return this.#last;
  }

  /** Rejects as `work` does; a work that failed does not keep the next one from its turn. */
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
