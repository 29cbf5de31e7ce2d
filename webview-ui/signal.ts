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

/** Pixels. A smaller frame shows nothing. */
const LEAST = 20;

/**
 * VS Code gives the frame of a hidden panel no size. Laid out so, every row would take another height, and the reading position would
 * be lost. So the page keeps the size that it had until it is shown again.
 */
export function keepSize(root: HTMLElement): void {
  let size = { width: window.innerWidth, height: window.innerHeight };
  // Before the layout that follows.
  window.addEventListener("resize", () => {
    const { innerWidth: width, innerHeight: height } = window;
    const isHidden = width < LEAST || height < LEAST;
    root.style.width = isHidden ? `${size.width}px` : "";
    root.style.height = isHidden ? `${size.height}px` : "";
    if (!isHidden) size = { width, height };
  });
}
