/** Tab goes through the whole panel in the order in which it is read, is caught nowhere, and leaves it at its end. */
import { expect, it } from "vitest";
import { walk } from "./support/keyboard-reach.ts";
import { openScreen } from "./support/screens/shown.ts";
import { page, servePanels } from "./support/suite.ts";

servePanels({ mayComplain: true });

it.each(["turn-unfolded", "approval-scopes", "history-unfolded", "servers-open"])("%s", async (name) => {
  await openScreen(name, "en", 340);
  await page.keyboard.press("Escape");
  const { stops, ...rest } = await walk(page);
  expect(stops).toBeGreaterThan(5);
  expect(rest).toEqual({ outOfOrder: [], isOut: true });
});

it("the tooltips of what has a shortcut name it", async () => {
  await openScreen("approval-scopes", "en", 340);
  const titles = await page.evaluate(() =>
    ["mode-plan", "mode-act", "stop", "approve", "reject"].map((id) =>
      document.querySelector(`[data-testid=${id}]`)?.getAttribute("title"),
    ),
  );
  expect(titles.map((title) => /\(default shortcut: .+K (.)\)$/.exec(title ?? "")?.[1])).toEqual([
    "J",
    "J",
    ".",
    "Y",
    "X",
  ]);
});
