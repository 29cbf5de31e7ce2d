/**
 * What needs a browser of its own: a site that is gone, one that is visited a second time, and a page that hangs. For `npm test`,
 * pages.test.ts proves what the port does with pages, and life.test.ts what happens when a browser ends.
 */
import { describe, expect, it } from "vitest";
import { ToolError } from "../../../../src/core/errors.ts";
import { launch, site, told } from "./support.ts";

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
