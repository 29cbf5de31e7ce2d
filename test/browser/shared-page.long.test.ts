/** One page shows the panels of many tests, one after the other: nothing of one may be left for the next. */
import type { Page } from "playwright-core";
import { expect, it } from "vitest";
import { session, user } from "./support/events.ts";
import { FakeHost } from "./support/fake-host.ts";
import { panelServer, servePanels } from "./support/suite.ts";

servePanels();

const inputOf = (page: Page) => page.getByTestId("chat-input");
const stored = (page: Page) =>
  page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));

it("a page that is used again has nothing of the panel before", async () => {
  const { open } = await panelServer();
  const before = new FakeHost();
  const first = await open({ host: before, width: 600, theme: "light" });
  await inputOf(first.page).fill("left behind");
  await expect
    .poll(() => first.page.evaluate(() => sessionStorage.getItem("state")))
    .toContain("left behind");
  await first.page.evaluate(() => localStorage.setItem("left", "behind"));
  await first.close();

  const host = new FakeHost();
  const second = await open({ host });
  const { page } = second;
  expect(page).toBe(first.page);
  await inputOf(page).waitFor();
  await expect.poll(() => inputOf(page).inputValue()).toBe("");
  expect(await stored(page)).not.toContain("left behind");
  expect(page.viewportSize()).toEqual({ width: 320, height: 700 });
  await expect.poll(() => page.locator("body").getAttribute("class")).toBe("vscode-dark");
  // Each host has its own panel alone.
  const calls = before.calls.length;
  before.emit(session(), user("of the host before"));
  host.emit(session(), user("of this host"));
  await page.getByText("of this host").waitFor();
  expect(await page.getByText("of the host before").count()).toBe(0);
  await inputOf(page).fill("go on");
  await page.keyboard.press("Enter");
  await host.called("chat/send");
  expect(before.calls).toHaveLength(calls);
  await second.close();
});

it.each<[string, (page: Page) => Promise<unknown>]>([
  ["a clock", (page) => page.clock.setFixedTime(0)],
  ["another medium", (page) => page.emulateMedia({ reducedMotion: "reduce" })],
])("a page that got %s is not used again", async (_, change) => {
  const { open } = await panelServer();
  const first = await open({ host: new FakeHost() });
  await change(first.page);
  await first.close();
  const second = await open({ host: new FakeHost() });
  expect(second.page).not.toBe(first.page);
  expect(first.page.isClosed()).toBe(true);
  await second.close();
});

it("a route and a timeout end with the panel whose test set them", async () => {
  const { open } = await panelServer();
  const first = await open({ host: new FakeHost() });
  await first.page.route("**/index.js", (route) => route.abort());
  first.page.setDefaultTimeout(1);
  await first.close();
  const second = await open({ host: new FakeHost() });
  expect(second.page).toBe(first.page);
  // Neither comes without its script, nor within a millisecond.
  await inputOf(second.page).waitFor();
  await second.close();
});
