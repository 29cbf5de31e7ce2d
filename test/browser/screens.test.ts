/**
 * All that the panel can show: whether it fits 250, 340 and 600 px in both languages, and what axe objects to. Names and roles
 * depend on neither the language nor the theme, so all of axe's rules are applied once, and the one about contrast in each of
 * VS Code's four default themes. NEKODE_SHEET=1 writes pictures of each to test-results/sheet.
 */
import { mkdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { unmarked } from "./support/focus-marks.ts";
import { screens } from "./support/screens/all.ts";
import { host, misfits, openPanel, overflow, page, servePanels } from "./support/suite.ts";
import { changeTheme, THEME_NAMES } from "./support/themes.ts";

const SHEET = "test-results/sheet";
const WIDTHS = [250, 600, 340];

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
  it.each(Object.entries(screens))("%s", async (name, screen) => {
    screen.host(host);
    await openPanel({ width: 340, ...(language === "ja" ? { boot: japanese } : {}) });
    await screen.act?.();
    await page.locator(screen.has).first().waitFor();
    if (process.env.NEKODE_SHEET !== undefined) await draw(`${name}-${language}`);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 700 });
      expect.soft([...(await misfits()), await overflow()], `${width} px`).toEqual([0]);
    }
    if (language === "ja") return;
    const [first, ...others] = THEME_NAMES;
    expect.soft(await findings(page), first).toEqual([]);
    for (const theme of others) {
      await changeTheme(page, theme);
      expect.soft(await findings(page, ["color-contrast"]), theme).toEqual([]);
    }
    // In the last theme, as in each of high contrast, what is chosen has the color of the focus.
    expect.soft(await unmarked(page), "no mark of the focus").toEqual([]);
  });
});
