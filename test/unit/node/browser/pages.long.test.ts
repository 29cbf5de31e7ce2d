/**
 * What needs a browser of its own: a site that is gone, one that is visited a second time, and a page that hangs; and frames, dialogs
 * and tabs. For `npm test`, pages.test.ts proves what the port does with pages, and life.test.ts what happens when a browser ends.
 */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { elementOf, launch, sharedSite, site, told } from "./support.ts";

describe("a site", () => {
  it("can say that it is not there, or not answer", async () => {
    const { origin, close } = await site();
    const missing = await launch(`${origin}/nothing`);
    expect(told(missing.state, "page")).toContain("status 404");
    await missing.page.close();
    await close();
    const error = await launch(`${origin}/`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toContain("ERR_CONNECTION_REFUSED. Nothing answers there");
  });

  it("starts each time without what the last visit left", async () => {
    const { origin } = await site();
    const first = await launch(`${origin}/`);
    await first.click("textbox", "Name");
    await first.type("Mia\tmeow\n");
    expect(first.state.title).toBe("Home");
    await first.page.close();
    expect((await launch(`${origin}/home`)).state.title).toBe("Signed out");
  });
});

describe("a page that hangs", () => {
  it("ends its browser with a clear message, and the next launch works", async () => {
    const { origin } = await site();
    const hanging = await launch(`${origin}/hang`);
    const error = await hanging.click("button", "Hang").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ToolError);
    expect(String(error)).toMatch(/does not respond|did not respond/);
    expect(hanging.page.isOpen).toBe(false);
    expect((await launch(`${origin}/`)).state.title).toBe("Cat shop");
  });
});

describe("a page of a site", () => {
  const shared = sharedSite();

  it("has frames, whose elements are at their places", async () => {
    const outside = await shared.visit("/frame");
    const inside = elementOf(outside.state, "button", "Close me");
    expect(inside.x).toBeGreaterThan(50);
    expect(elementOf(outside.state, "heading", "Second page").y).toBeGreaterThan(
      elementOf(outside.state, "heading", "Outside").y,
    );
  });

  it("has its dialogs of each kind answered and reported", async () => {
    const page = await shared.visit("/dialogs");
    for (const [button, answer, text] of [
      ["Alert", 'alert dialog "Meow" was accepted', "alerted"],
      ["Confirm", 'confirm dialog "Sure?" was dismissed', "confirmed false"],
      ["Prompt", 'prompt dialog "Name?" was dismissed', "prompted null"],
    ] as const) {
      const state = await page.click("button", button);
      expect(told(state, "page")).toBe(answer);
      expect(state.text).toContain(text);
    }
    await page.click("link", "Leaving");
    await page.click("textbox", "Note");
    await page.type("x");
    const away = await page.click("link", "Away");
    expect(told(away, "page")).toContain("beforeunload dialog");
    expect(away.title).toBe("second");
  });

  it("is followed into a new tab, and back when that closes", async () => {
    const tabs = await shared.visit("/tabs");
    const second = await tabs.click("link", "Open another");
    expect(second.title).toBe("second");
    expect(told(second, "page")).toContain(
      `a new tab opened and is in front now: ${shared.site.origin}/second`,
    );
    expect((await tabs.click("button", "Close me")).title).toBe("tabs");
  });
});
