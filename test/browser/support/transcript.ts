/** What the tests of both tiers of transcript share. */
import { drawn, holdLine } from "./scroll.ts";
import { openPanel, page } from "./suite.ts";

export async function open(): Promise<void> {
  await openPanel();
  await page.getByTestId("row").first().waitFor();
}

/** Once texts are shown as Markdown: its parser comes in a chunk of its own, and makes each row anew. */
export const formatted = () => page.locator(".md p").first().waitFor();
export const box = () => page.getByTestId("transcript");
export const fromEnd = () =>
  box().evaluate((el) => Math.round(el.scrollHeight - el.scrollTop - el.clientHeight));
export const top = () => box().evaluate((el) => Math.round(el.scrollTop));
export const PARAGRAPH =
  "Some words that fill a line or two in a narrow panel, and then some more of them.\n\n";
export const delta = (words: string) =>
  ({ type: "delta", messageId: "stream", block: 0, kind: "text", delta: words }) as const;

/** Remembers a line in the middle of what is in sight, and says by how many pixels it has moved since. */
export async function holdMiddle(): Promise<() => Promise<number>> {
  const line = await box().evaluateHandle((el) => {
    const { left, top, width, height } = el.getBoundingClientRect();
    const found = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!found || found === el) throw new Error("nothing is in sight");
    return found;
  });
  return holdLine(line);
}

interface Work {
  rowsRemoved: number;
  rowsBack: number;
  added: number;
}

/** Counts from now on: rows taken off the page, those of them that came back, and elements that were put on it. */
export async function countWork(): Promise<() => Promise<Work>> {
  const work = await box().evaluateHandle((el) => {
    const counted = { rowsRemoved: 0, rowsBack: 0, added: 0 };
    const removed = new Set<string>();
    const rowsIn = (node: Node) =>
      node instanceof HTMLElement
        ? [node, ...node.querySelectorAll<HTMLElement>("[data-row]")].flatMap(
            ({ dataset }) => dataset.row ?? [],
          )
        : [];
    new MutationObserver((records) => {
      for (const { addedNodes, removedNodes } of records) {
        for (const node of addedNodes) {
          counted.added += 1 + (node instanceof Element ? node.querySelectorAll("*").length : 0);
          counted.rowsBack += rowsIn(node).filter((row) => removed.has(row)).length;
        }
        for (const row of [...removedNodes].flatMap(rowsIn)) {
          counted.rowsRemoved += 1;
          removed.add(row);
        }
      }
    }).observe(el, { childList: true, subtree: true });
    return counted;
  });
  return () => work.jsonValue();
}

/** Types while events arrive; milliseconds from the slowest key press to the frame that showed it. */
export async function typingWhile(presses: number, between: () => void): Promise<number> {
  await page.evaluate(() => {
    const delays: number[] = [];
    Reflect.set(window, "delays", delays);
    document.querySelector("[data-testid=chat-input]")?.addEventListener("keydown", (event) => {
      requestAnimationFrame(() => delays.push(performance.now() - event.timeStamp));
    });
  });
  for (let i = 0; i < presses; i++) {
    between();
    await page.keyboard.press("x");
  }
  await drawn(page);
  return page.evaluate(() => Math.max(...(Reflect.get(window, "delays") as number[])));
}
