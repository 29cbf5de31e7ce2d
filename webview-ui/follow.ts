/**
 * Keeps a scrolled box at its end while the person is there, and never moves it when they are not. They leave the end by
 * scrolling up, however they do that; they come back by reaching it, or by `toEnd`.
 */

const beginsMoving = ["pointerdown", "touchstart", "keydown", "focusin"] as const;
/** A key's or a focus's scrolling is over with `scrollend`, a pointer's when it is released. */
const endsMoving = ["pointerup", "touchend", "touchcancel", "scrollend"] as const;

/** Pixels from the end that still count as being there. */
const near = 16;

export class Follow {
  #following: boolean;
  #top = 0;
  /** The person is doing what scrolls: a key, a press on the scroll bar, a drag, a focus that moved. */
  #moving = false;
  readonly #box: HTMLElement;
  readonly #changed: (following: boolean) => void;
  readonly #resizedAway: () => void;
  readonly #moved: () => void;
  /** Between a scroll and its `scrollend`. */
  #scrolling = false;
  readonly #observer: ResizeObserver;

  /**
   * `changed` is called when following begins or ends, `moved` when the person has scrolled, `resizedAway` when
   * something changed its size while they read elsewhere and do not scroll.
   */
  constructor(
    box: HTMLElement,
    following: boolean,
    on: { changed: (following: boolean) => void; moved: () => void; resizedAway: () => void },
  ) {
    this.#moved = on.moved;
    this.#resizedAway = on.resizedAway;
    this.#box = box;
    this.#following = following;
    this.#changed = on.changed;
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(box);
    box.addEventListener("scroll", this.#scrolled, { passive: true });
    box.addEventListener("wheel", this.#wheeled, { passive: true });
    for (const name of beginsMoving) box.addEventListener(name, this.#begins, { passive: true });
    for (const name of endsMoving) box.addEventListener(name, this.#ends, { passive: true });
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
    for (const name of beginsMoving) this.#box.removeEventListener(name, this.#begins);
    for (const name of endsMoving) this.#box.removeEventListener(name, this.#ends);
  }

  #pin(): void {
    this.#box.scrollTop = this.#box.scrollHeight;
    this.#top = this.#box.scrollTop;
  }

  #resized(): void {
    if (this.#following) this.#pin();
    else if (!this.#moving) this.#resizedAway();
  }

  readonly #scrolled = (): void => {
    this.#scrolling = true;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - scrollTop - clientHeight <= near;
    // The list, too, moves the box while it measures rows: only the person's own move leaves the end.
    const movedUp = this.#moving && scrollTop < this.#top - 1;
    this.#top = scrollTop;
    if (atEnd) this.#set(true);
    else if (movedUp) this.#set(false);
    else if (this.#following) this.#pin();
  };

  readonly #begins = (): void => {
    this.#moving = true;
  };

  readonly #ends = (event: Event): void => {
    if (event.type === "scrollend") {
      this.#scrolling = false;
      if (this.#moving) this.#moved();
    }
    // A pointer that is released while the box still scrolls has caused that scrolling.
    if (!this.#scrolling) this.#moving = false;
  };

  /** Heard before the scroll itself, so that growth in between cannot undo it. */
  readonly #wheeled = (event: WheelEvent): void => {
    this.#moving = true;
    if (event.deltaY < 0 && this.#box.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#changed(following);
  }
}
