/**
 * What MCP servers add to the menus over the composer: prompts as commands, resources and templates as mentions. The menus themselves
 * are in composer.test.ts and mentions.test.ts.
 */
import { beforeEach, describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { someCommands, someResources } from "./support/fixtures.ts";
import { host, input, openPanel, overflow, page, picture, servePanels } from "./support/suite.ts";

servePanels();
beforeEach(() => {
  host.commands = someCommands;
  host.resources = someResources;
});

const value = () => input().inputValue();
const slash = () => page.getByTestId("slash-option");
const mention = () => page.getByTestId("mention-option");
const isSelected = (option: ReturnType<typeof slash>) => option.getAttribute("aria-selected");

describe("a server's prompt in the / menu", () => {
  it("is chosen by keyboard, with its arguments shown, and sent with what the user adds", async () => {
    await openPanel({ width: 320 });
    await input().click();
    await page.keyboard.type("/weather");
    await expect.poll(() => slash().count()).toBe(1);
    await expect
      .poll(() => slash().textContent())
      .toBe("/weather:report city [state]Writes a weather report for a city");
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("/weather:report ");
    await expect.poll(() => slash().count()).toBe(0);
    expect(host.named("chat/send")).toEqual([]);
    await page.keyboard.type("Tokyo");
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "/weather:report Tokyo" });
    // The list is read again, because servers may have started since. A prompt in another script is found by it.
    await page.keyboard.type("/予報");
    await expect.poll(() => slash().count()).toBe(1);
    await page.keyboard.press("Tab");
    await expect.poll(value).toBe("/天気:予報 ");
    expect(host.named("slash/list")).toHaveLength(2);
  });

  it("is the last in the list, one key from the first", async () => {
    await openPanel({ width: 320 });
    await input().click();
    await page.keyboard.type("/");
    await slash().last().waitFor();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => isSelected(slash().last())).toBe("true");
    await expect.poll(() => slash().last().textContent()).toContain("/天気:予報 都市 [日付]");
  });

  it("keeps its place in the composer, with the reason, when its arguments are missing", async () => {
    await openPanel({ width: 250 });
    host.failing.set("chat/send", "/weather:report requires arguments that are missing: city.");
    await input().click();
    await page.keyboard.type("/weather");
    await expect.poll(() => slash().count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("/weather:report ");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").getByText("requires arguments that are missing: city").waitFor();
    expect((await value()).trim()).toBe("/weather:report");
    await picture("prompt-missing-250");
    await expect.poll(overflow).toBe(0);
  });
});

describe("a server's resource in the @ picker", () => {
  beforeEach(async () => {
    await openPanel({ width: 320 });
    await input().click();
  });

  it("is chosen by keyboard, and is a chip that can be removed", async () => {
    await page.keyboard.type("see @Tokyo");
    await expect.poll(() => mention().count()).toBe(1);
    await expect
      .poll(() => mention().textContent())
      .toBe("Tokyo todayweather · Temperature, wind and rain of today");
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("see @weather:weather://tokyo/today ");
    await page.keyboard.type("and @Next");
    await expect.poll(() => mention().count()).toBe(1);
    await page.keyboard.press("Tab");
    await expect
      .poll(value)
      .toBe('see @weather:weather://tokyo/today and @weather:"weather://tokyo/next week" ');
    const chips = page.getByTestId("mention-chip");
    await expect.poll(() => chips.allTextContents()).toEqual(["weather:today", "weather:next week"]);
    await chips.first().getByRole("button").press("Enter");
    await expect.poll(value).toBe('see and @weather:"weather://tokyo/next week" ');
  });

  it("that is a template is inserted up to its first variable, and stays listed while the user continues", async () => {
    await page.keyboard.type("@Any");
    await expect.poll(() => mention().count()).toBe(1);
    await expect.poll(() => mention().textContent()).toBe("Any city…weather://{city}/today");
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe("@weather:weather://");
    // With the resources that begin like it.
    await expect.poll(() => mention().allTextContents()).toHaveLength(2);
    await page.keyboard.type("kyoto");
    await expect.poll(() => mention().allTextContents()).toEqual(["Any city…weather://{city}/today"]);
    // Neither key replaces what the user typed.
    await page.keyboard.press("Tab");
    expect(await value()).toBe("@weather:weather://kyoto");
    await mention().click();
    await page.keyboard.type("/today");
    await expect.poll(value).toBe("@weather:weather://kyoto/today");
    await expect.poll(() => mention().count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: "@weather:weather://kyoto/today" });
  });

  it("that has to be quoted is continued within its quotes", async () => {
    await page.keyboard.type("@notes");
    await expect.poll(() => mention().count()).toBe(1);
    await page.keyboard.press("Enter");
    await expect.poll(value).toBe('@notes:"note:"');
    await page.keyboard.type("5 a");
    await expect.poll(value).toBe('@notes:"note:5 a"');
    await expect.poll(() => mention().count()).toBe(1);
    await page.keyboard.press("Enter");
    expect(await host.called("chat/send")).toEqual({ text: '@notes:"note:5 a"' });
  });

  it("is not missed where the servers' configuration cannot be read", async () => {
    host.failing.set("resources/find", "unreadable");
    await page.keyboard.type("@");
    await mention().filter({ hasText: "Git changes" }).waitFor();
    await expect.poll(() => page.getByRole("alert").count()).toBe(0);
  });
});

const looks = [
  ["light", 250, "ja"],
  ["dark", 250, "en"],
  ["high-contrast", 320, "ja"],
  ["light", 600, "en"],
] as const;

describe.each(looks)("%s, %i px, %s", (theme, width, language) => {
  it("the menus cut what is long and nothing that is short", async () => {
    await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
    const name = `${theme}-${width}-${language}`;
    const look = async (menu: string) => {
      await picture(`server-menus-${menu}-${name}`);
      expect.soft(await findings(page), menu).toEqual([]);
      expect.soft(await overflow(), menu).toBe(0);
    };
    host.unlisted = ["notes", "issue-tracker", "a", "b", "c", "d"];
    await input().fill("/");
    await slash().last().scrollIntoViewIfNeeded();
    const foot = await page.locator(".picker-foot").textContent();
    expect(foot).toContain(language === "ja" ? "まだ起動していない MCP サーバー" : "that have not run yet");
    expect(foot).toContain(": notes, issue-tracker, a, b, c, …");
    await look("prompts");
    const heights = await slash().evaluateAll((all) =>
      all.map((option) => option.getBoundingClientRect().height / 19),
    );
    // Two lines of the command and two of its description.
    expect(Math.max(...heights)).toBeLessThan(4.5);
    const uncut = (test: ReturnType<typeof slash>) =>
      test.evaluateAll((all) =>
        all
          .filter((one) => one.scrollHeight <= one.clientHeight && one.scrollWidth <= one.clientWidth)
          .map((one) => one.textContent),
      );
    const names = await uncut(page.locator("[data-testid=slash-option] .picker-name"));
    expect(names).toContain("/weather:report city [state]");
    expect(names).toContain("/天気:予報 都市 [日付]");
    await page.keyboard.press("Escape");

    await input().fill("@");
    const group = language === "ja" ? "MCP サーバーのリソース" : "Resources of MCP servers";
    const resources = page.getByRole("group", { name: group }).getByTestId("mention-option");
    await resources.nth(4).scrollIntoViewIfNeeded();
    await look("resources");
    expect(await uncut(resources.locator(".picker-name"))).toEqual(
      expect.arrayContaining(["Tokyo today", "Next week", "Any city…"]),
    );
    // A long name leaves room for the server's.
    const notes = await resources
      .locator(".picker-note")
      .evaluateAll((all) => all.map((note) => note.clientWidth));
    expect(Math.min(...notes)).toBeGreaterThan(35);
  });
});
