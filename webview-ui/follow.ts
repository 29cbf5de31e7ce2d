/**
 * Keeps a scrolled box at its end while the person is there, and never moves it when they are not. They leave the end by
 * scrolling up, however they do that; they come back by reaching it, or by `toEnd`.
 */

/** Pixels from the end that still count as being there. */
const near = 16;

export class Follow {
  #following: boolean;
  #top = 0;
  #height = 0;
  readonly #box: HTMLElement;
  readonly #changed: (following: boolean) => void;
  readonly #observer: ResizeObserver;

  /** `changed` is called when following begins or ends. */
  constructor(box: HTMLElement, following: boolean, changed: (following: boolean) => void) {
    this.#box = box;
    this.#following = following;
    this.#changed = changed;
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(box);
    box.addEventListener("scroll", this.#scrolled, { passive: true });
    box.addEventListener("wheel", this.#wheeled, { passive: true });
  }

  get following(): boolean {
    return this.#following;
  }

  /** Also watches the size of something inside the box. */
  watch(content: Element): void {
    this.#observer.observe(content, { box: "border-box" });
  }

  toEnd(): void {
    this.#set(true);
    this.#pin();
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#box.removeEventListener("scroll", this.#scrolled);
    this.#box.removeEventListener("wheel", this.#wheeled);
  }

  #pin(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#top = this.#box.scrollTop;
    this.#height = this.#box.scrollHeight;
  }

  #resized(): void {
    if (this.#following) this.#pin();
  }

  readonly #scrolled = (): void => {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - scrollTop - clientHeight <= near;
    // A box whose content shrinks is moved up by the browser, not by the person.
    const movedUp = scrollTop < this.#top - 1 && scrollHeight >= this.#height;
    this.#top = scrollTop;
    this.#height = scrollHeight;
    if (atEnd) this.#set(true);
    else if (movedUp) this.#set(false);
    else if (this.#following) this.#pin();
  };

  /** Heard before the scroll itself, so that growth in between cannot undo it. */
  readonly #wheeled = (event: WheelEvent): void => {
    if (event.deltaY < 0 && this.#box.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#changed(following);
  }
}
