/** What the tests of both tiers of find share. */
import type { EventBody } from "../../../src/shared/event.ts";
import { session } from "./events.ts";
import type { Panel } from "./panel-page.ts";
import { page as fakePage, host, openPanel } from "./suite.ts";

export const PARAGRAPH =
  "Some words that fill a line or two in a narrow panel, and then some more of them.\n\n";

export const field = (page: Panel["page"]) => page.getByTestId("find-input");

export const count = (page: Panel["page"]) => page.getByTestId("find-count").textContent();

/** What is highlighted: how many matches on the page, the text of the current one, and whether it is in sight. */
export function marks(page: Panel["page"]) {
  return page.evaluate(() => {
    const [current] = CSS.highlights.get("nekode-find-current") ?? [];
    const all = CSS.highlights.get("nekode-find")?.size ?? 0;
    const box = document.querySelector("[data-testid=transcript]")?.getBoundingClientRect();
    if (!(current instanceof Range) || !box) return { all, current: "", seen: false };
    const { top, bottom } = current.getBoundingClientRect();
    return { all, current: current.toString(), seen: top >= box.top && bottom <= box.bottom && bottom > top };
  });
}

export async function open(
  events: EventBody[],
  options: Parameters<typeof openPanel>[0] = {},
): Promise<void> {
  host.emit(session(), ...events);
  await openPanel(options);
  await fakePage.getByTestId("row").last().waitFor();
  await fakePage.locator(".md p").first().waitFor();
}

export async function find(words: string): Promise<void> {
  await fakePage.keyboard.press("Control+f");
  await field(fakePage).waitFor();
  await field(fakePage).fill(words);
}
