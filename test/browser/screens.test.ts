/**
 * What the panel can show, each kind once, in Japanese in the narrowest panel: whether it fits, what axe objects to, and whether the
 * focus is seen. Names and roles depend on neither the language nor the theme. All other screens, English, wider panels, the
 * other themes and the pictures are in screens.long.test.ts.
 */
import { it } from "vitest";
import { densest } from "./support/screens/all.ts";
import { expectUsable, NARROWEST, openScreen } from "./support/screens/shown.ts";
import { servePanels } from "./support/suite.ts";

servePanels({ mayComplain: true, keepsPanel: true });

it.each(densest)("%s", async (name) => {
  await openScreen(name, "ja", NARROWEST);
  await expectUsable();
});
