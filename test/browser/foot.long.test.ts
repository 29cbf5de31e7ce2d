/** Looks and rarer states of the line below the composer. foot.test.ts has the permissions by click and by keys, and the context. */
import { describe, expect, it } from "vitest";
import { LEVEL_ACCESS } from "../../src/shared/permission/levels.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { session, user } from "./support/events.ts";
import { option, picker, ring, totals } from "./support/foot.ts";
import {
  focused,
  holdChunk,
  host,
  input,
  openPanel,
  overflow,
  page,
  picture,
  servePanels,
} from "./support/suite.ts";

servePanels();

describe("the permissions", () => {
  it("show a lasting word while everything runs, also at 250 px", async () => {
    await openPanel({ width: 250 });
    // Only a screen reader gets the usual word.
    const box = () => picker().locator(".foot-word").boundingBox();
    await expect.poll(box).toMatchObject({ width: 1, height: 1 });
    host.emit({ type: "permission", permission: { classes: LEVEL_ACCESS.all, exceptions: {} } });
    await picker().getByText("Everything").waitFor();
    const color = () => picker().evaluate((button) => getComputedStyle(button).outlineStyle);
    expect(await color()).toBe("solid");
    host.emit({ type: "permission", permission: { classes: { commandAll: true }, exceptions: {} } });
    await picker().getByText("All commands").waitFor();
    expect(await color()).toBe("solid");
    await expect.poll(overflow).toBe(0);
  });
});

it.each([
  ["permission-picker", "[data-testid=permission-menu]"],
  ["context-meter", "[data-testid=context-popover]"],
  ["model-picker", "[data-testid=model-search]"],
])("what is opened has the focus as soon as it is drawn: %s", async (id, opened) => {
  host.emit(session(), user("x"), { type: "totals", totals: { ...totals, cost: 0.42 } });
  await openPanel();
  await page.getByTestId(id).waitFor();
  const hasFocus = page.evaluate(
    (selector) =>
      new Promise((resolve) => {
        new MutationObserver((_, observer) => {
          const element = document.querySelector(selector);
          if (!element) return;
          observer.disconnect();
          resolve(element.contains(document.activeElement));
        }).observe(document.body, { childList: true, subtree: true });
      }),
    opened,
  );
  await page.getByTestId(id).click();
  expect(await hasFocus).toBe(true);
});

describe("what the user leaves before it is loaded", () => {
  it.each([
    ["permission-picker", /permission-menu-/],
    ["context-meter", /context-popover-/],
    ["model-picker", /model-picker-/],
  ])("does not open: %s", async (id, chunk) => {
    host.setup = { ...host.setup, models: { act: "openrouter/model" }, connections: ["openrouter"] };
    // In a narrower one, the context window is not shown before the first message.
    await openPanel({ width: 400 });
    const loading = await holdChunk(chunk);
    const opener = page.getByTestId(id);
    const isOpen = () => opener.getAttribute("aria-expanded");
    await opener.click();
    await loading.asked;
    await expect.poll(isOpen).toBe("true");
    await page.keyboard.press("Escape");
    await expect.poll(isOpen).toBe("false");
    await expect.poll(focused).toBe(id);
    await opener.click();
    await input().focus();
    await expect.poll(isOpen).toBe("false");
    const loaded = page.waitForResponse(chunk);
    loading.release();
    await (await loaded).finished();
    await page.keyboard.type("on");
    await expect.poll(() => input().inputValue()).toBe("on");
    expect(await page.locator(".picker").count()).toBe(0);
    expect(host.named("chat/stop")).toEqual([]);
    await opener.click();
    await page.locator(".picker").waitFor();
  });
});

const looks = [
  ["dark", 250],
  ["light", 340],
  ["high-contrast", 600],
  ["dark", 340],
] as const;

describe.each(sampled(looks, looks.length))("%s, %i px", (theme, width) => {
  for (const language of ["en", "ja"] as const) {
    it(`fits in ${language}`, async () => {
      host.emit(session(), user("x"), { type: "totals", totals: { ...totals, cost: 0.42 } });
      host.setup = { ...host.setup, models: { act: "openrouter/anthropic/claude-sonnet-4.5-preview" } };
      await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
      const name = (what: string) => `foot-${what}-${theme}-${width}-${language}`;
      await picture(name("ask"));
      await picker().click();
      await option("all").waitFor();
      await picture(name("menu"));
      expect(await findings(page)).toEqual([]);
      await option("all").click();
      await expect.poll(() => picker().getAttribute("data-open")).toBe("true");
      await picture(name("all"));
      await expect.poll(overflow).toBe(0);
      const row = await page.locator(".composer-buttons").boundingBox();
      expect(row?.height).toBeLessThan(36);
      for (const button of await page.locator(".composer-buttons > *").all()) {
        const box = await button.boundingBox();
        if (box) expect(box.x + box.width).toBeLessThanOrEqual(width - 8);
      }
      await ring().click();
      await page.getByTestId("window-part").last().waitFor();
      await picture(name("ring"));
      expect(await findings(page)).toEqual([]);
      await expect.poll(overflow).toBe(0);
    });
  }
});
