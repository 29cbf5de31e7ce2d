/** Whether the user sees which element has the focus. */
import type { Page } from "playwright-core";

/**
 * What can take the focus and looks the same with it, as HTML. An element, what is drawn inside of it (the toolkit's elements) or
 * around it must differ in its outline, border, shadow or colors when the focus comes by keyboard.
 */
export async function unmarked(page: Page): Promise<string[]> {
  // From now on, the browser counts a focus as one by keyboard.
  await page.keyboard.press("Tab");
  return page.evaluate(() => {
    const PROPERTIES = [
      ...["outline", "box-shadow", "background-color", "color", "text-decoration", "opacity"],
      ...["border-top", "border-right", "border-bottom", "border-left"],
    ];
    /** Steps from an element to what is around it: a field may be drawn by its frame. */
    const AROUND = 3;
    const looks = (element: Element): string => {
      const parts: Element[] = [element, ...(element.shadowRoot?.querySelectorAll("*") ?? [])];
      let around = element.parentElement;
      for (let step = 0; step < AROUND && around; step++, around = around.parentElement) parts.push(around);
      return parts
        .map((part) => {
          const style = getComputedStyle(part);
          const seen = PROPERTIES.map((name) => style.getPropertyValue(name));
          return style.outlineStyle === "none" ? seen.slice(1).join() : seen.join();
        })
        .join("\n");
    };
    const selector =
      'a[href], button, input, textarea, select, summary, [tabindex]:not([tabindex="-1"]), vscode-text-field, vscode-checkbox';
    // Where the focus is in between; nothing outside of a modal dialog can have it.
    const around = document.querySelector("dialog[open]") ?? document.body;
    const elsewhere = around.appendChild(document.createElement("button"));
    const found: string[] = [];
    for (const element of document.querySelectorAll(selector)) {
      if (element === elsewhere) continue;
      if (!(element instanceof HTMLElement) || !element.isConnected || !element.checkVisibility()) continue;
      elsewhere.focus();
      const before = looks(element);
      element.focus();
      if (document.activeElement !== element) continue;
      if (looks(element) === before) found.push(element.outerHTML.slice(0, 160));
    }
    elsewhere.remove();
    return found;
  });
}
