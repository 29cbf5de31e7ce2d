/** Whether the keyboard reaches what the mouse does. */
import type { Page } from "playwright-core";

/** What Tab may stop at. */
const STOPS =
  'a[href], button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"]), vscode-button, vscode-text-field, vscode-checkbox';

/**
 * What can be pressed with the mouse alone, and what would take the focus out of the order of the page, as HTML. A part of a control or of
 * its label is pressed by the control; items of menus, lists and groups are reached by arrow keys from their one stop.
 */
export function unreachable(page: Page): Promise<string[]> {
  return page.evaluate((stops) => {
    const GROUPS =
      "[role=menu], [role=menuitem], [role=listbox], [role=option], [role=radiogroup], [role=tablist], [role=tree], [role=toolbar], label";
    const found: string[] = [];
    for (const element of document.querySelectorAll("body *")) {
      if (!(element instanceof HTMLElement) || !element.checkVisibility()) continue;
      const ordered = element.tabIndex > 0;
      const isPressed = getComputedStyle(element).cursor === "pointer";
      if (!ordered && (!isPressed || element.closest(stops) || element.closest(GROUPS))) continue;
      if (!ordered && element.closest("[aria-disabled=true], :disabled")) continue;
      found.push(element.outerHTML.slice(0, 160));
    }
    return found;
  }, STOPS);
}

/** The controls that take the focus as Tab is pressed, from the first of the page until the focus leaves it. */
export interface TabWalk {
  /** Number of controls that had the focus. */
  stops: number;
  /** Those that had it after one that stands below them, as HTML. */
  outOfOrder: string[];
  /** The focus left the page at its end. */
  isOut: boolean;
}

export async function walk(page: Page): Promise<TabWalk> {
  const limit = await page.evaluate((stops) => {
    const passed: Element[] = [];
    Reflect.set(window, "passed", passed);
    addEventListener("focusin", ({ target }) => {
      if (target instanceof Element) passed.push(target);
    });
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    getSelection()?.setPosition(document.body, 0);
    return document.querySelectorAll(stops).length + 1;
  }, STOPS);
  let isOut = false;
  for (let presses = 0; presses < limit && !isOut; presses++) {
    await page.keyboard.press("Tab");
    isOut = await page.evaluate(() => document.activeElement === document.body);
  }
  const { stops, outOfOrder } = await page.evaluate(() => {
    const passed: Element[] = Reflect.get(window, "passed");
    const isBelow = (a: Element, b: Element) =>
      (b.compareDocumentPosition(a) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    const wrong = passed.filter((element, at) =>
      passed.slice(0, at).some((before) => isBelow(before, element)),
    );
    return { stops: new Set(passed).size, outOfOrder: wrong.map((each) => each.outerHTML.slice(0, 160)) };
  });
  return { stops, outOfOrder, isOut };
}
