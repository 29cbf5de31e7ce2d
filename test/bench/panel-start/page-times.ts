/** When parts of a page are painted, in all frames of a window, in milliseconds since 1970. */
import type { Frame, Page } from "playwright-core";

export type Mark = "bare" | "input" | "content" | "ready" | "history" | "answer";

/** What to wait for in a frame, by name: the first element that fits, and a text in it. */
const MARKS: Readonly<Record<Mark, { selector: string; text?: string }>> = {
  bare: { selector: "#bare-input" },
  input: { selector: "[data-testid=chat-input]" },
  /** As the page remembers it, or as the host sent it. */
  content: { selector: ".empty:not([aria-busy]), [data-testid=row]" },
  ready: {
    selector: "main[aria-busy=false] .empty:not([aria-busy]), main[aria-busy=false] [data-testid=row]",
  },
  history: { selector: "[data-testid=history-item]" },
  answer: { selector: "[data-testid=row][data-kind=text]", text: "Everything is here." },
};

interface Times {
  clicked: number;
  marks: Partial<Record<Mark, number>>;
}

declare global {
  interface Window {
    nekodeTimes?: Times;
  }
}

/** Milliseconds between two looks at a webview's page. */
const LOOK_MS = 4;

/**
 * Watches every webview that loads from now on. VS Code replaces the document of a webview's page twice while it loads, so the page
 * is looked at from the frame that contains it.
 */
export async function followPage(page: Page): Promise<void> {
  await page.addInitScript(
    ([marks, lookMs]) => {
      const times: Times = { clicked: 0, marks: {} };
      window.nekodeTimes = times;
      if (window === window.top) {
        const note = (event: Event) => {
          times.clicked = performance.timeOrigin + event.timeStamp;
        };
        addEventListener("mousedown", note, true);
        return;
      }
      const waiting = new Map(Object.entries(marks));
      const look = () => {
        for (const { contentDocument } of document.querySelectorAll("iframe")) {
          for (const [name, { selector, text = "" }] of waiting) {
            const found = [...(contentDocument?.querySelectorAll(selector) ?? [])];
            if (!found.some((element) => element.textContent?.includes(text))) continue;
            waiting.delete(name);
            // The frame that paints it has begun when the task after it runs.
            requestAnimationFrame(() => {
              const { port1, port2 } = new MessageChannel();
              port2.onmessage = () =>
                Reflect.set(times.marks, name, performance.timeOrigin + performance.now());
              port1.postMessage(null);
            });
          }
        }
      };
      setInterval(look, lookMs);
    },
    [MARKS, LOOK_MS] as const,
  );
}

/** When the user last pressed the mouse in the workbench. */
export const clickTime = (page: Page): Promise<number> =>
  page.evaluate(() => window.nekodeTimes?.clicked ?? 0);

/** The time of a mark in a webview's page, once it is there. */
export async function painted(frame: Frame, mark: Mark): Promise<number> {
  const outer = frame.parentFrame() ?? frame;
  const handle = await outer.waitForFunction((name) => window.nekodeTimes?.marks[name], mark, {
    polling: 20,
  });
  const time = await handle.jsonValue();
  if (time === undefined) throw new Error(`${mark} has no time`);
  return time;
}

/** When the webview of an extension is visible and painted in the workbench. */
export function shown(page: Page, extension: string): Promise<number> {
  return page.evaluate(
    (id) =>
      new Promise<number>((resolve) => {
        const look = () => {
          const frame = document.querySelector(`iframe[src*="extensionId=${id}"]`);
          if (!frame || getComputedStyle(frame).visibility !== "visible") {
            requestAnimationFrame(look);
            return;
          }
          const { port1, port2 } = new MessageChannel();
          port2.onmessage = () => resolve(performance.timeOrigin + performance.now());
          port1.postMessage(null);
        };
        requestAnimationFrame(look);
      }),
    extension,
  );
}
