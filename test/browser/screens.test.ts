/**
 * All that the panel can show, in Japanese in the narrowest panel: whether it fits, what axe objects to, and whether the focus is
 * seen. Names and roles depend on neither the language nor the theme. English, wider panels, the other themes and the pictures
 * are in screens.long.test.ts.
 */
import { expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { unmarked } from "./support/focus-marks.ts";
import { screens } from "./support/screens/all.ts";
import { expectFit, openScreen } from "./support/screens/shown.ts";
import { page, servePanels } from "./support/suite.ts";

const NARROWEST = 250;

servePanels({ mayComplain: true });

it.each(Object.keys(screens))("%s", async (name) => {
  await openScreen(name, "ja", NARROWEST);
  await expectFit(NARROWEST);
  expect.soft(await findings(page)).toEqual([]);
  // What is under the mouse looks as it does with the focus.
  await page.mouse.move(0, 0);
  expect.soft(await unmarked(page), "no mark of the focus").toEqual([]);
});
