/** Times in a page, as the page itself sees them: from the user's press to the frame that shows what follows. */
import type { Frame, Page } from "playwright-core";

/** What a frame shows. */
export type Goal =
  /** The row is in sight, an answer as Markdown. */
  | { row: string }
  /** The current match has this text, highlighted and in sight. */
  | { text: string }
  /** The current match is in this row, highlighted and in sight. */
  | { match: string }
  /** The focus went to another row. */
  | { moved: true };

export interface Scrolled {
  framesPerSecond: number;
  longestMs: number;
  /** Elements of the whole page, at most. */
  elements: number;
}

type Watched = Pick<Frame, "evaluate">;

/** Call once for each page, after it has loaded. */
export async function installClock(page: Watched): Promise<void> {
  await page.evaluate(() => {
    let pressed: number | undefined;
    for (const type of ["click", "keydown"]) {
      document.addEventListener(type, (event) => (pressed = event.timeStamp), true);
    }
    // Highlights are no elements: setting them is no mutation.
    const marked = new EventTarget();
    const { highlights } = CSS;
    const set = highlights.set.bind(highlights);
    highlights.set = (name, highlight) => {
      const registry = set(name, highlight);
      marked.dispatchEvent(new Event("marked"));
      return registry;
    };
    const isSeen = (rect: DOMRect | undefined) => {
      const box = document.querySelector("[data-testid=transcript]")?.getBoundingClientRect();
      return rect !== undefined && box !== undefined && rect.bottom > box.top && rect.top < box.bottom;
    };
    const rowOf = (id: string) => document.querySelector(`[data-row="${CSS.escape(id)}"]`);
    const focusedRow = () => document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
    const current = () => {
      const [range] = highlights.get("nekode-find-current") ?? [];
      return range instanceof Range && isSeen(range.getBoundingClientRect()) ? range : undefined;
    };
    const isIn = (range: Range | undefined, row: string) =>
      range !== undefined && rowOf(row)?.contains(range.startContainer) === true;
    const isDrawn = (id: string) => {
      const row = document.querySelector(".history") ? null : rowOf(id);
      const isAnswer = id.includes(":");
      return (
        row !== null &&
        (!isAnswer || row.querySelector(".md p") !== null) &&
        isSeen(row.getBoundingClientRect())
      );
    };
    /** A goal as a condition that is not met yet. */
    const conditionOf = (goal: Goal): (() => boolean) => {
      if ("row" in goal) return () => isDrawn(goal.row);
      if ("match" in goal) return () => isIn(current(), goal.match);
      if ("text" in goal) return () => current()?.toString() === goal.text;
      const before = focusedRow();
      return () => focusedRow() !== undefined && focusedRow() !== before;
    };
    const untilShown = (goal: Goal) =>
      new Promise<number>((resolve) => {
        pressed = undefined;
        const isShown = conditionOf(goal);
        const over = new AbortController();
        const look = () => {
          if (pressed === undefined || !isShown()) return;
          const from = pressed;
          observer.disconnect();
          over.abort();
          requestAnimationFrame(() => {
            // A message is handled after the frame is drawn.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - from);
            port2.postMessage(null);
          });
        };
        const observer = new MutationObserver(look);
        const everything = { childList: true, characterData: true, attributes: true, subtree: true };
        observer.observe(document, everything);
        marked.addEventListener("marked", look, { signal: over.signal });
        for (const type of ["focusin", "scroll"])
          document.addEventListener(type, look, { capture: true, signal: over.signal });
      });
    Reflect.set(window, "awaitGoal", (goal: Goal) => void Reflect.set(window, "goalShown", untilShown(goal)));
  });
}

/** Milliseconds from the last key press or click that `press` makes to the end of the frame that shows the goal. */
export async function timed(page: Watched, goal: Goal, press: () => Promise<unknown>): Promise<number> {
  // A press that is sent at the same time can arrive first.
  await page.evaluate((wanted) => Reflect.get(window, "awaitGoal")(wanted), goal);
  await press();
  return page.evaluate(async (): Promise<number> => Reflect.get(window, "goalShown"));
}

/** Scrolls by so many pixels a frame, negative: up, until there is no more in that direction, and none to be loaded. */
export async function scrollThrough(page: Page, pixels: number): Promise<Scrolled> {
  return page.evaluate(async (step) => {
    const box = document.querySelector("[data-testid=transcript]");
    if (!box) throw new Error("no conversation");
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const isOver = () =>
      step < 0
        ? box.scrollTop === 0 && !document.querySelector("[data-testid=earlier]")
        : box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
    const all = document.getElementsByTagName("*");
    const begun = await frame();
    let [frames, longestMs, elements, last] = [0, 0, 0, begun];
    while (!isOver()) {
      box.scrollTop += step;
      const now = await frame();
      longestMs = Math.max(longestMs, now - last);
      elements = Math.max(elements, all.length);
      last = now;
      frames++;
    }
    return { framesPerSecond: (frames * 1000) / (last - begun), longestMs, elements };
  }, pixels);
}
