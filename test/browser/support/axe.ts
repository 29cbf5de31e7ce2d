/** What axe finds in a page. */
import type { Result } from "axe-core";
import type { Page } from "playwright-core";
import { AXE_PATH } from "./panel-page.ts";

/** Rules that do not hold for a page inside VS Code, with why. */
const NOT_OURS = {
  // The heading of the view is VS Code's own, above the page.
  "page-has-heading-one": { enabled: false },
  // What scrolls is reached by keyboard as it is, since Chromium 130; the pickers are steered from the composer.
  "scrollable-region-focusable": { enabled: false },
  // VS Code's setting accessibility.underlineLinks decides, by the variable that our links use.
  "link-in-text-block": { enabled: false },
};

/** Each finding with the elements that it is about. `only`: the rules to apply; default: all. */
export async function findings(page: Page, only?: readonly string[]): Promise<string[]> {
  // As a file of the page: sent and evaluated as a text, it takes as long as its rules do.
  if (!(await page.evaluate(() => Reflect.has(window, "axe")))) await page.addScriptTag({ url: AXE_PATH });
  const options = only ? { runOnly: [...only] } : { rules: NOT_OURS };
  const found: Result[] = await page.evaluate(async (options) => {
    const run = Reflect.get(Reflect.get(window, "axe"), "run");
    return (await run(document, { resultTypes: ["violations"], ...options })).violations;
  }, options);
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ html, target, any }) => `${id}: ${target} ${html.slice(0, 200)} ${any[0]?.message ?? ""}`),
  );
}
