/** The chip of the file that the user looks at, and icons that follow the disk. */
import { beforeEach, describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { focused, host, input, openPanel, page, picture, servePanels } from "./support/suite.ts";

servePanels();

const chip = () => page.getByTestId("current-file");

const toggle = (name: string) => chip().getByRole("button", { name, exact: true });

describe("the current file", () => {
  beforeEach(() => {
    host.current = { path: "src/cats.js", included: true };
  });

  it("is a chip that one press switches off and another on, and that follows the editor", async () => {
    await openPanel({ width: 250 });
    await toggle("Current file: cats.js, included").click();
    await toggle("Current file: cats.js, not included").waitFor();
    expect(await host.called("current/include")).toEqual({ included: false });
    expect(
      await chip()
        .locator(".chip-name")
        .evaluate((name) => getComputedStyle(name).textDecorationLine),
    ).toBe("line-through");
    await toggle("Current file: cats.js, not included").focus();
    await page.keyboard.press("Enter");
    await toggle("Current file: cats.js, included").waitFor();
    expect(await host.called("current/include", 2)).toEqual({ included: true });
    host.look({ path: "src/cats.js", lines: { start: 1, end: 4 }, included: true });
    await toggle("Current file: cats.js:1-4, included").waitFor();
    host.look({ path: "dogs.js", lines: { start: 3, end: 3 }, included: true });
    await toggle("Current file: dogs.js:3, included").waitFor();
    host.look(undefined);
    await expect.poll(() => chip().count()).toBe(0);
    expect(await page.locator(".chips").count()).toBe(0);
  });

  it("is reached by Tab before the text, stays in a narrow panel and passes axe", async () => {
    host.current = { path: `src/${"long-name-".repeat(12)}cats.js`, included: true };
    await openPanel({ width: 250 });
    await chip().waitFor();
    await input().click();
    await page.keyboard.type("see @/a.ts now");
    await page.getByTestId("mention-chip").waitFor();
    expect(await chip().evaluate((one) => one.parentElement?.firstElementChild === one)).toBe(true);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Shift+Tab");
    expect(
      await page.evaluate(() => document.activeElement?.closest("[data-testid=current-file]") !== null),
    ).toBe(true);
    const box = await chip().boundingBox();
    expect((box?.x ?? 0) + (box?.width ?? 999)).toBeLessThanOrEqual(250);
    expect(await findings(page)).toEqual([]);
    await picture("current-file");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect.poll(focused).toBe("chat-input");
  });

  it("is not shown without a folder", async () => {
    host.setup = { ...host.setup, hasWorkspace: false };
    await openPanel();
    await input().click();
    await page.keyboard.type("see @problems now");
    await page.getByTestId("mention-chip").waitFor();
    await expect.poll(() => chip().count()).toBe(0);
  });

  it("speaks Japanese", async () => {
    host.current = { path: "cats.js", included: false };
    await openPanel({ boot: japanese, width: 250 });
    await toggle("現在のファイル: cats.js、含まれません").waitFor();
    await picture("current-file-ja");
  });
});

it("stands back where a mention names the same lines", async () => {
  host.current = { path: "src/cart.js", lines: { start: 15, end: 16 }, included: true };
  await openPanel();
  await chip().waitFor();
  await input().fill("See @/src/cart.js:15-16 ");
  await page.getByTestId("mention-chip").waitFor();
  await expect.poll(() => chip().count()).toBe(0);
  await input().fill("See @/src/cart.js:15-160 ");
  await chip().waitFor();
});
