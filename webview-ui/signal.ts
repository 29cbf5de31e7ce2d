/** Notifies listeners that something happened, without any data. */
export class Signal {
  readonly #listeners = new Set<() => void>();

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  fire(): void {
    for (const listener of this.#listeners) listener();
  }
}
