/**
 * Keeps a scrolling box at its end while the user is there, and does not move it otherwise. The user leaves the end by scrolling
 * up in any way, and returns by scrolling to it or by `toEnd`. Scrolling that a screen reader or a script starts counts as the
 * user's, except while the content changes. When the user opens something, the pressed button stays where it is.
 */

const BEGINS_MOVING = ["pointerdown", "touchstart", "keydown", "focusin"] as const;
const ENDS_MOVING = ["pointerup", "touchend", "touchcancel", "focusout", "scrollend"] as const;

const UP_KEYS: ReadonlySet<string> = new Set(["ArrowUp", "PageUp", "Home", " "]);

/** Maximum distance in pixels that still counts as the end. */
const NEAR = 16;

interface PressedButton {
  button: Element;
  /** The button and its row with their top positions in the window. The button may no longer exist after the click. */
  tops: (readonly [element: Element, top: number])[];
}

interface FollowListeners {
  /** Following started or stopped. */
  changed(following: boolean): void;
  /** A scroll ended, whoever started it, or the reading position may have changed. */
  rested(): void;
  /** A size changed, and the user has not moved since the box was at a restored position. */
  restore(): void;
  /**
   * The height of the box changed while the user reads above the end. The browser does not anchor the reading position in this
   * case, so content above it that changed at the same time has moved it.
   */
  reanchor(): void;
  /** The user pressed Home. Returns true when there is more to load. */
  toStart(): boolean;
}

export class Follow {
  #following: boolean;
  /** The box is at the position where the user left it, until the user moves it. */
  #restoring: boolean;
  #top = 0;
  /** Heights of the content and of the window onto it, as of `#top`. */
  #heights: readonly [content: number, window: number] = [0, 0];
  /** Height of the window as of the last change of a size. */
  #window: number;
  /** The user is doing something that scrolls: a key, a press on the scroll bar, a drag, a focus change. */
  #moving = false;
  /** The button that the user pressed at the end of the conversation, which may open something. */
  #pressed: PressedButton | undefined;
  /** Between a scroll and its `scrollend`. */
  #scrolling = false;
  readonly #box: HTMLElement;
  readonly #listeners: FollowListeners;
  readonly #observer: ResizeObserver;
  /**
   * The observer of sizes is called in the next frame. Until then a button at the end would be elsewhere for the pointer than on the
   * screen, so that a press on it could be lost or hit another one.
   */
  readonly #changes: MutationObserver;

  constructor(box: HTMLElement, begin: "end" | "restored", listeners: FollowListeners) {
    this.#box = box;
    this.#following = begin === "end";
    this.#restoring = begin === "restored";
    this.#listeners = listeners;
    this.#window = box.clientHeight;
    this.#observer = new ResizeObserver(() => this.#onResize());
    this.#observer.observe(box);
    this.#changes = new MutationObserver(() => {
      if (this.#following && !this.#restoring) this.#keepPlace();
    });
    this.#changes.observe(box, { subtree: true, childList: true, characterData: true });
    box.addEventListener("scroll", this.#onScroll, { passive: true });
    box.addEventListener("wheel", this.#onWheel, { passive: true });
    box.addEventListener("click", this.#onClick);
    for (const name of BEGINS_MOVING) box.addEventListener(name, this.#onMoveStart);
    for (const name of ENDS_MOVING) box.addEventListener(name, this.#onMoveEnd, { passive: true });
  }

  get following(): boolean {
    return this.#following;
  }

  get restoring(): boolean {
    return this.#restoring;
  }

  /** Also observes the size of an element inside the box. */
  watch(content: Element): void {
    this.#observer.observe(content, { box: "border-box" });
  }

  /** Must be called after rows were mounted, because mounting them does not always change the observed size of the content. */
  rowsChanged(): void {
    if (!this.#following || this.#restoring) this.#onResize();
  }

  toEnd(): void {
    this.#restoring = false;
    this.#set(true);
    this.#pin();
  }

  /** Leaves the end for the position to which `restore` scrolls, and keeps the box there until the user scrolls. */
  hold(): void {
    this.#restoring = true;
    this.#leave();
  }

  /** Does nothing if everything is visible: there is no end to leave then. */
  #leave(): void {
    if (this.#box.scrollHeight > this.#box.clientHeight) this.#set(false);
  }

  dispose(): void {
    this.#observer.disconnect();
    this.#changes.disconnect();
    this.#box.removeEventListener("scroll", this.#onScroll);
    this.#box.removeEventListener("wheel", this.#onWheel);
    this.#box.removeEventListener("click", this.#onClick);
    for (const name of BEGINS_MOVING) this.#box.removeEventListener(name, this.#onMoveStart);
    for (const name of ENDS_MOVING) this.#box.removeEventListener(name, this.#onMoveEnd);
  }

  /** After a change while the box follows: at the end, or where the user pressed a button that opened something. */
  #keepPlace(): void {
    if (!this.#holdPressed()) this.#pin();
  }

  #pin(): void {
    const { scrollHeight, clientHeight } = this.#box;
    this.#box.scrollTop = scrollHeight;
    this.#top = this.#box.scrollTop;
    this.#heights = [scrollHeight, clientHeight];
  }

  #onResize(): void {
    const { clientHeight } = this.#box;
    const hasOtherHeight = clientHeight !== this.#window;
    this.#window = clientHeight;
    if (this.#restoring) {
      this.#leave();
      this.#listeners.restore();
    } else if (this.#following) {
      this.#keepPlace();
    } else if (this.#isAtEndOfLess()) {
      this.#set(true);
    } else if (!this.#moving) {
      if (hasOtherHeight && !this.#scrolling) this.#listeners.reanchor();
      this.#listeners.rested();
    }
  }

  /** The content became shorter, so that the box is at its end. No scroll event reports that. */
  #isAtEndOfLess(): boolean {
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const isLess = scrollHeight < this.#heights[0];
    this.#heights = [scrollHeight, this.#heights[1]];
    return isLess && !this.#moving && scrollHeight - scrollTop - clientHeight <= NEAR;
  }

  /** Measures the positions before anything changes, because React handles the event later, at the root. */
  readonly #onClick = ({ target }: Event): void => {
    const button = target instanceof Element ? target.closest("[aria-expanded]") : null;
    const row = button?.closest("[data-row]");
    if (!button || !this.#following) return;
    const anchors = [button, ...(row ? [row] : [])];
    this.#pressed = {
      button,
      tops: anchors.map((element) => [element, element.getBoundingClientRect().top]),
    };
  };

  /** Leaves the end if what the user pressed opened something below it. */
  #holdPressed(): boolean {
    const { button, tops } = this.#pressed ?? {};
    if (!button || !tops || (button.isConnected && button.getAttribute("aria-expanded") !== "true"))
      return false;
    const [anchor, top] = tops.find(([element]) => element.isConnected) ?? [];
    if (!anchor || top === undefined) return false;
    this.#box.scrollTop += anchor.getBoundingClientRect().top - top;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    this.#top = scrollTop;
    this.#heights = [scrollHeight, clientHeight];
    if (scrollHeight - scrollTop - clientHeight > NEAR) {
      this.#pressed = undefined;
      this.#set(false);
    }
    return true;
  }

  /** The user may move the box from here on. */
  #endRestoring(): void {
    this.#pressed = undefined;
    if (!this.#restoring) return;
    this.#restoring = false;
    this.#listeners.rested();
  }

  readonly #onScroll = (): void => {
    this.#scrolling = true;
    const { scrollTop, scrollHeight, clientHeight } = this.#box;
    const atEnd = scrollHeight - scrollTop - clientHeight <= NEAR;
    // The browser also moves the box when its content changes; that does not leave the end. While nothing changes,
    // a screen reader, a search or a script moves it, as the user does.
    const [content, window] = this.#heights;
    const atRest = scrollHeight === content && clientHeight === window;
    const movedUp = (this.#moving || atRest) && scrollTop < this.#top - 1;
    this.#top = scrollTop;
    this.#heights = [scrollHeight, clientHeight];
    if (this.#restoring) return;
    if (atEnd) this.#set(true);
    else if (movedUp) this.#set(false);
    else if (this.#following) this.#pin();
  };

  readonly #onMoveStart = (event: Event): void => {
    this.#endRestoring();
    if (event instanceof KeyboardEvent && this.#takesScrollKeys(event.target) && this.#jumped(event)) return;
    // Scrolling by key starts after the key is released, so only keys that scroll up count.
    if (event instanceof KeyboardEvent && !UP_KEYS.has(event.key)) return;
    this.#moving = true;
  };

  /** Whether keys scroll the box when this element has the focus: it is the box, or a row. */
  #takesScrollKeys(target: EventTarget | null): boolean {
    return target === this.#box || (target instanceof HTMLElement && target.dataset.row !== undefined);
  }

  /**
   * Handles Home and End. The browser would take many frames to scroll to either end, and rows that get their height in the
   * meantime would move the target.
   */
  #jumped(event: KeyboardEvent): boolean {
    if (event.shiftKey || event.altKey || (event.key !== "Home" && event.key !== "End")) return false;
    event.preventDefault();
    if (event.key === "End") this.toEnd();
    else {
      const isBelow = this.#box.scrollTop > 0;
      if (this.#listeners.toStart() || isBelow) this.#set(false);
    }
    return true;
  }

  readonly #onMoveEnd = (event: Event): void => {
    if (event.type === "scrollend") {
      this.#scrolling = false;
      this.#listeners.rested();
    }
    // A key or button released while the box still scrolls caused that scrolling.
    if (!this.#scrolling) this.#moving = false;
  };

  /** Handled before the scroll itself, so that growth in between cannot undo it. */
  readonly #onWheel = (event: WheelEvent): void => {
    this.#endRestoring();
    this.#moving = true;
    if (event.deltaY < 0 && this.#box.scrollTop > 0) this.#set(false);
  };

  #set(following: boolean): void {
    if (following === this.#following) return;
    this.#following = following;
    this.#listeners.changed(following);
  }
}
