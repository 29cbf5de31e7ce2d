/** A service that exists once per window: it starts on first use and closes with the window. */
export class LazyService<T extends { close(): Promise<void> }> {
  readonly #start: () => Promise<T>;
  readonly #started: (running: T) => void;
  #starting: Promise<T> | undefined;
  #closed = false;
  /** The running service; undefined: not needed yet, or not running yet. */
  current: T | undefined;

  /** `started` is called once the service is `current`. */
  constructor(start: () => Promise<T>, started: (running: T) => void = () => {}) {
    this.#start = start;
    this.#started = started;
  }

  /** Starts the service, or returns the running one. The next call after a failed start tries again. */
  async get(): Promise<T> {
    if (this.#closed) throw new Error("the window is closing");
    this.#starting ??= this.#start().then(
      (running) => {
        this.current = running;
        this.#started(running);
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
