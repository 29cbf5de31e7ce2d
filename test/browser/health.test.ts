/** The screen "Performance and checks" in the panel. */
import { expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { someHealth } from "./support/fixtures.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScreen } from "./support/suite.ts";

servePanels();

it("says what works, opens the screen that helps with a problem, and checks again", async () => {
  host.health = someHealth;
  await openPanel({ width: 250 });
  showScreen("health");
  const check = page.getByTestId("health-check");
  await check.first().waitFor();
  await expect.poll(() => check.count()).toBe(6);
  await expect.poll(() => page.getByTestId("measurement").count()).toBe(3);
  await expect.poll(overflow).toBe(0);
  expect(await findings(page)).toEqual([]);
  await picture("health-250");
  await expect.poll(() => check.getByRole("button").count()).toBe(2);
  host.health = { ...someHealth, checks: someHealth.checks.slice(0, 1) };
  await page.getByTestId("check-again").click();
  await expect.poll(() => check.count()).toBe(1);
  host.health = someHealth;
  await page.getByTestId("check-again").click();
  await page.getByRole("button", { name: "Open: Connection" }).click();
  await page.getByRole("heading", { name: "Connections" }).waitFor();
});
