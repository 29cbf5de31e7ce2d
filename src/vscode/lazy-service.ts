/** Something of which the window has one: started when it is first needed, closed when the window closes. */
export class LazyService<T extends { close(): Promise<void> }> {
  readonly #start: () => Promise<T>;
  #starting: Promise<T> | undefined;
  #closed = false;
  /** The running one; undefined: it is not needed yet, or does not run yet. */
  current: T | undefined;

  constructor(start: () => Promise<T>) {
    this.#start = start;
  }

  /** Starts it, or gives the running one. A start that failed is tried again by the next call. */
  async get(): Promise<T> {
    if (this.#closed) throw new Error("the window is closing");
    this.#starting ??= this.#start().then(
      (running) => {
        this.current = running;
        return running;
      },
      (error: unknown) => {
        this.#starting = undefined;
        throw error;
      },
    );
    return this.#starting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    const running = await this.#starting?.catch(() => undefined);
    await running?.close();
  }
}
