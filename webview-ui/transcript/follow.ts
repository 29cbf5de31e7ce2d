/**
 * Keeps a scrolled box at its end while the person is there, and leaves it alone when they are not. They leave the end by
 * scrolling up, however they do that; they come back by reaching it, or by `toEnd`.
 */

const beginsMoving = ["pointerdown", "touchstart", "keydown", "focusin"] as const;
const endsMoving = ["pointerup", "touchend", "touchcancel", "focusout", "scrollend"] as const;

const upKeys: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home", " "]);

/** Pixels from the end that still count as being there. */
const near = 16;

interface Told {
  /** Following begins or ends. */
  changed(following: boolean): void;
  /** A scroll is over, whoever began it, or what is read may stand elsewhere now. */
  rested(): void;
  /** Something changed its size, and the person has not moved since the box stood at a place of before. */
  restore(): void;
  /** The person wants the very beginning; true: there is more of it to come. */
  toStart(): boolean;
}

export class Follow {
  #following: boolean;
  /** The box stands at a place that the person left it at, until they move it. */
  #restoring: boolean;
  #top = 0;
  /** The person is doing what scrolls: a key, a press on the scroll bar, a drag, a focus that moved. */
  #moving = false;
  /** Between a scroll and its `scrollend`. */
  #scrolling = false;
  readonly #box: HTMLElement;
  readonly #on: Told;
  readonly #observer: ResizeObserver;

  constructor(box: HTMLElement, begin: "end" | "restored", on: Told) {
    this.#box = box;
    this.#following = begin === "end";
    this.#restoring = begin === "restored";
    this.#on = on;
    this.#observer = new ResizeObserver(() => this.#resized());
    this.#observer.observe(box);
    box.addEventListener("scroll", this.#scrolled, { passive: true });
    box.addEventListener("wheel", this.#wheeled, { passive: true });
    for (const name of beginsMoving) box.addEventListener(name, this.#begins);
    for (const name of endsMoving) box.addEventListener(name, this.#ends, { passive: true });
  }

  get following(): boolean {
    return this.#following;
  }

  get restoring(): boolean {
    return this.#restoring;
  }

  /** Also watches the size of something inside the box. */
  watch(content: Element): void {
    this.#observer.observe(content, { box: "border-box" });
  }

  toEnd(): void {
    this.#restoring = false;
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
    else if (this.#restoring) this.#on.restore();
    else if (!this.#moving) this.#on.rested();
  }

  readonly #scrolled = (): void => {
    this.#scrolling = true;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - scrollTop - clientHeight <= near;
    // The browser, too, moves the box when something in it changes: only the person's own move leaves the end.
    const movedUp = this.#moving && scrollTop < this.#top - 1;
    this.#top = scrollTop;
    if (this.#restoring) return;
    if (atEnd) this.#set(true);
    else if (movedUp) this.#set(false);
    else if (this.#following) this.#pin();
  };

  readonly #begins = (event: Event): void => {
    this.#restoring = false;
    if (event instanceof KeyboardEvent && event.target === this.#box && this.#jumped(event)) return;
    // A key's scrolling begins after the key is up again: of keys only those that scroll up count.
    if (event instanceof KeyboardEvent && !upKeys.has(event.key)) return;
    this.#moving = true;
  };

  /** The browser would take many frames to either end, and rows that get their height meanwhile would move it away. */
  #jumped(event: KeyboardEvent): boolean {
    if (event.shiftKey || event.altKey || (event.key !== "Home" && event.key !== "End")) return false;
    event.preventDefault();
    if (event.key === "End") this.toEnd();
    else {
      const isBelow = this.#box.scrollTop > 0;
      if (this.#on.toStart() || isBelow) this.#set(false);
    }
    return true;
  }

  readonly #ends = (event: Event): void => {
    if (event.type === "scrollend") {
      this.#scrolling = false;
      this.#on.rested();
    }
    // What is let go of while the box still scrolls has caused that scrolling.
    if (!this.#scrolling) this.#moving = false;
  };

  /** Heard before the scroll itself, so that growth in between cannot undo it. */
  readonly #wheeled = (event: WheelEvent): void => {
    this.#restoring = false;
    this.#moving = true;
    if (event.deltaY < 0 && this.#box.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#on.changed(following);
  }
}
