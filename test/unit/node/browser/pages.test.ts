/** What the browser port does with real pages in the real browser. */
import { describe, expect, it } from "vitest";
import { imageSize } from "../../../../src/core/image-facts.ts";
import { elementOf, heard, sharedSite, told, VIEWPORT } from "./support.ts";

const { signal } = new AbortController();

describe("a page of a site", () => {
  const shared = sharedSite();

  it("is shown as it is in the window, with what lies outside of it counted", async () => {
    const { page, state } = await shared.visit("/long");
    expect(imageSize(state.screenshot.data)).toEqual(VIEWPORT);
    expect(state.screenshot.mimeType).toBe("image/jpeg");
    expect(state.elements.map(({ name }) => name)).toEqual(["Top"]);
    // A button, and the link to all pages.
    expect(state.more).toEqual({ inView: 0, above: 0, below: 2 });
    expect(state.scroll).toMatchObject({ top: 0 });
    const down = await page.act({ type: "scroll", direction: "down" }, signal);
    expect(down.scroll.top).toBe(600);
    for (let n = 0; n < 3; n++) await page.act({ type: "scroll", direction: "down" }, signal);
    const end = await page.act({ type: "scroll", direction: "down" }, signal);
    expect(elementOf(end, "button", "At the end").y).toBeLessThan(600);
    expect(end.more.above).toBe(1);
    expect((await page.act({ type: "scroll", direction: "up" }, signal)).scroll.top).toBe(
      end.scroll.top - 600,
    );
    // Where the link to all pages is in view.
    shared.opened.state = await page.act({ type: "scroll", direction: "down" }, signal);
  });

  it("reports what its scripts log and throw, and requests that fail, once each", async () => {
    const { origin } = shared.site;
    const broken = await shared.visit("/broken");
    expect(told(broken.state, "console")).toBe(`log: ready 42 (${origin}/broken:2)`);
    await broken.click("button", "Load");
    await heard(broken, "console", "ReferenceError");
    const { state } = broken;
    expect(told(state, "console")).toMatch(/^uncaught ReferenceError: undefinedFunction is not defined/);
    expect(told(state, "network")).toBe(`GET ${origin}/missing?cat=1: 404 Not Found`);
    expect((await broken.click("heading", "Broken")).events).toEqual([]);
  });

  it("downloads nothing", async () => {
    const files = await shared.visit("/download");
    const state = await files.click("link", "Download cats");
    expect(told(state, "page")).toContain(
      `a download was refused: cats.zip from ${shared.site.origin}/cats.zip`,
    );
    expect(state.title).toBe("download");
  });

  // Its last page leads nowhere.
  it("is signed in to, and a form of it is filled in", async () => {
    const { origin } = shared.site;
    const shop = await shared.visit("/");
    expect(shop.state).toMatchObject({ url: `${origin}/`, title: "Cat shop", events: [], moreEvents: 0 });
    expect(elementOf(shop.state, "heading", "Cat shop").states).toEqual(["level 1"]);
    await shop.click("textbox", "Name");
    await shop.type("Mia");
    await shop.click("textbox", "Password");
    await shop.type("meow\n");
    expect(shop.state).toMatchObject({ url: `${origin}/home`, title: "Home" });
    await shop.click("checkbox", "As a gift");
    expect(elementOf(shop.state, "checkbox", "As a gift").states).toContain("checked");
    await shop.click("textbox", "Message");
    const typed = await shop.type("ねこ please, 猫が好き");
    expect(elementOf(typed, "textbox", "Message")).toMatchObject({
      value: "ねこ please, 猫が好き",
      states: ["focused"],
    });
    const ordered = await shop.click("button", "Order");
    expect(ordered.title).toBe("Ordered");
    expect(ordered.text).toBe("Mia ordered Momo as a gift\n\nねこ please, 猫が好き");
    expect(shop.page.url).toBe(`${origin}/order`);
  });
});
