/** Disposables and events, with the same interfaces as in VS Code. */
export interface Disposable {
  dispose(): void;
}

/** Owns disposables. An item added after the store was disposed is disposed immediately. */
export class DisposableStore implements Disposable {
  #items: Disposable[] | null = [];

  add<T extends Disposable>(item: T): T {
    if (this.#items) this.#items.push(item);
    else item.dispose();
    return item;
  }

  /** Disposes the items in reverse order. */
  dispose(): void {
    const items = this.#items ?? [];
    this.#items = null;
    for (const item of items.reverse()) item.dispose();
  }
}

/** An event with any number of listeners, called in the order in which they were added. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => void>();

  readonly on = (listener: (value: T) => void): Disposable => {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  };

  emit(value: T): void {
    for (const listener of [...this.#listeners]) listener(value);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}
