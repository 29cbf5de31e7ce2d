/** What axe finds in a page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Result } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Rules that do not hold for a page inside VS Code, with why. */
const NOT_OURS = {
  // The heading of the view is VS Code's own, above the page.
  "page-has-heading-one": { enabled: false },
  // What scrolls is reached by keyboard as it is, since Chromium 130; the pickers are steered from the composer.
  "scrollable-region-focusable": { enabled: false },
  // VS Code's setting accessibility.underlineLinks decides, by the variable that our links use.
  "link-in-text-block": { enabled: false },
};

/** Each finding with the elements that it is about. */
export async function findings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => Reflect.has(window, "axe")))) await page.evaluate(axe);
  const found: Result[] = await page.evaluate(async (rules) => {
    const run = Reflect.get(Reflect.get(window, "axe"), "run");
    return (await run(document, { resultTypes: ["violations"], rules })).violations;
  }, NOT_OURS);
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
