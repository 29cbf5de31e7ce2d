/** Named points at which streams wait until a test releases them. */
export class Holds {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #permits = new Map<string, number>();
  readonly #watchers = new Map<string, (() => void)[]>();

  /** Waits for a release of this name; rejects when the signal aborts. */
  arrive(name: string, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    const permits = this.#permits.get(name) ?? 0;
    if (permits > 0) {
      this.#permits.set(name, permits - 1);
      return Promise.resolve();
    }
    const held = new Promise<void>((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener("abort", stop);
        resolve();
      };
      const stop = (): void => {
        const queue = this.#queue(name);
        queue.splice(queue.indexOf(go), 1);
        reject(signal.reason);
      };
      signal.addEventListener("abort", stop, { once: true });
      this.#queue(name).push(go);
    });
    for (const watcher of this.#watchers.get(name) ?? []) watcher();
    this.#watchers.delete(name);
    return held;
  }

  /** Releases one stream: the one that has waited longest, else the next to arrive. */
  release(name: string): void {
    const go = this.#queue(name).shift();
    if (go !== undefined) go();
    else this.#permits.set(name, (this.#permits.get(name) ?? 0) + 1);
  }

  /** Resolves once a stream waits at this name. */
  whenHeld(name: string): Promise<void> {
    if (this.#queue(name).length > 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#watchers.set(name, [...(this.#watchers.get(name) ?? []), resolve]);
    });
  }

  /** Discards releases that no stream has used. */
  forgetReleases(): void {
    this.#permits.clear();
  }

  #queue(name: string): (() => void)[] {
    const queue = this.#waiting.get(name) ?? [];
    this.#waiting.set(name, queue);
    return queue;
  }
}
