/** The keys of a menu: arrows, Home, End, and typing the beginning of an item. */

/** Milliseconds after which a typed letter begins another word. */
const WORD_MS = 700;

export class MenuKeys {
  #typed = "";
  #typedAt = 0;

  /** Moves the focus among the items of the menu. True: the key was one of the menu's. */
  press(menu: HTMLElement, { key, timeStamp }: { key: string; timeStamp: number }): boolean {
    const items = [...menu.querySelectorAll<HTMLElement>("[role^=menuitem]")];
    const at = items.findIndex((item) => item.matches(":focus"));
    if (key.length > 1) this.#typed = "";
    const next = this.#next(items, at, key, timeStamp);
    if (next === undefined) return false;
    items[next]?.focus();
    return true;
  }

  #next(items: readonly HTMLElement[], at: number, key: string, now: number): number | undefined {
    const { length } = items;
    switch (key) {
      case "ArrowDown":
        return (at + 1) % length;
      case "ArrowUp":
        return (at <= 0 ? length : at) - 1;
      case "Home":
        return 0;
      case "End":
        return length - 1;
      default:
        return key.length === 1 && key !== " " ? this.#typing(items, at, key, now) : undefined;
    }
  }

  /** The item that begins with what was typed; a single letter, also repeated, selects the next such item. */
  #typing(items: readonly HTMLElement[], at: number, key: string, now: number): number {
    this.#typed = now - this.#typedAt < WORD_MS ? this.#typed + key.toLowerCase() : key.toLowerCase();
    this.#typedAt = now;
    const [first = ""] = this.#typed;
    const isOneLetter = this.#typed === first.repeat(this.#typed.length);
    const wanted = isOneLetter ? first : this.#typed;
    const from = isOneLetter ? at + 1 : Math.max(at, 0);
    const order = [...items.slice(from), ...items.slice(0, from)];
    const match = order.find((item) => (item.textContent ?? "").trim().toLowerCase().startsWith(wanted));
    return match ? items.indexOf(match) : at;
  }
}
