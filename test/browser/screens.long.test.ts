/**
 * All that the panel can show: whether it fits 250, 340 and 600 px in both languages, and its contrast in each of VS Code's four
 * default themes; and what screens.test.ts asks about some of them, in Japanese in the narrowest panel. NEKODE_SHEET=1 writes pictures
 * of each to test-results/sheet.
 */
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { unmarked } from "./support/focus-marks.ts";
import { screens } from "./support/screens/all.ts";
import { expectFit, expectUsable, NARROWEST, openScreen } from "./support/screens/shown.ts";
import { page, servePanels } from "./support/suite.ts";
import { changeTheme, THEME_NAMES } from "./support/themes.ts";

const SHEET = "test-results/sheet";
const WIDTHS = [NARROWEST, 600, 340];

servePanels({ mayComplain: true });

/** Writes the pictures of what is on the page. */
async function draw(name: string): Promise<void> {
  mkdirSync(SHEET, { recursive: true });
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 700 });
    for (const theme of THEME_NAMES) {
      await changeTheme(page, theme);
      await page.screenshot({ path: `${SHEET}/${name}-${width}-${theme}.png`, animations: "disabled" });
    }
  }
  await changeTheme(page, "dark");
}

describe.each(["en", "ja"] as const)("%s", (language) => {
  it.each(Object.keys(screens))("%s", async (name) => {
    await openScreen(name, language, language === "ja" ? NARROWEST : 340);
    if (process.env.NEKODE_SHEET !== undefined) await draw(`${name}-${language}`);
    if (language === "ja") await expectUsable();
    for (const width of WIDTHS) await expectFit(width);
    if (language === "ja") return;
    expect.soft(await findings(page), "dark").toEqual([]);
    for (const theme of THEME_NAMES.slice(1)) {
      await changeTheme(page, theme);
      expect.soft(await findings(page, ["color-contrast"]), theme).toEqual([]);
    }
    // In the last theme, as in each of high contrast, what is chosen has the color of the focus.
    expect.soft(await unmarked(page), "no mark of the focus").toEqual([]);
  });
});
