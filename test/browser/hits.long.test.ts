/** What searches and listings found, in their rows; test/browser/screens and test/unit/webview show them for `npm test`. */
import { describe, expect, it } from "vitest";
import type { HitList } from "../../src/shared/message.ts";
import { sampled } from "../support/random.ts";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { session, user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

const line = () => page.getByTestId("hits-line");

function found(tool: string, subject: string, text: string, hits: HitList): void {
  const callId = `${tool} ${subject}`;
  host.emit(
    { type: "call", messageId: "m", callId, tool, subject },
    { type: "call-done", callId, outcome: "done", shown: { text, hits } },
  );
}

function searched(): void {
  host.emit(session(), user("Find the cats"));
  found("search_files", "cats?", "63", {
    found: [
      { path: "src/animals/felines/domestic/cat-repository.ts", line: 12, text: "export class Cats {" },
      {
        path: "src/animals/felines/domestic/cat-repository.ts",
        line: 140,
        text: `const cat = "${"long ".repeat(36)}"`,
      },
      { path: "a\u202eb.ts", line: 3, text: "cat\u200b" },
    ],
    more: 60,
  });
}

describe("a row with hits", () => {
  it("is one line of 22 px that opens by mouse and keyboard to links to each file and line", async () => {
    searched();
    await openPanel({ width: 340 });
    await line().waitFor();
    await expect.poll(() => line().textContent()).toBe("Searched for cats? 63 matches");
    await expect.poll(async () => (await row("tool").boundingBox())?.height).toBe(22);
    expect(await page.getByTestId("hits").count()).toBe(0);
    await line().click();
    const links = page.getByTestId("hits").getByRole("link");
    await expect
      .poll(() => links.allTextContents())
      .toEqual([
        "src/animals/felines/domestic/cat-repository.ts",
        "12: export class Cats {",
        `140: const cat = "${"long ".repeat(36)}"`,
        "a‹U+202E›b.ts",
        "3: cat‹U+200B›",
      ]);
    const heights = await links.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(new Set(heights)).toEqual(new Set([22]));
    await expect
      .poll(() => page.getByTestId("hits").locator("> li").last().textContent())
      .toBe("and 60 more");
    await links.nth(1).click();
    await links.nth(3).press("Enter");
    await host.called("host/open-file", 2);
    expect(host.named("host/open-file")).toEqual([
      { path: "src/animals/felines/domestic/cat-repository.ts", line: 12 },
      { path: "a\u202eb.ts" },
    ]);
    await line().press("Enter");
    await page.getByTestId("hits").waitFor({ state: "detached" });
    await line().press("Space");
    await page.getByTestId("hits").waitFor();
  });

  it("lists the entries of a folder once each, and nothing where all is listed", async () => {
    host.emit(session(), user("List"));
    found("list_files", "src", "2 entries", { found: [{ path: "src/in/" }, { path: "src/a.ts" }], more: 0 });
    await openPanel({ width: 340 });
    await line().click();
    await expect
      .poll(() => page.getByTestId("hits").locator("li").allTextContents())
      .toEqual(["src/in/", "src/a.ts"]);
  });
});

const looks: [ThemeName, number, "en" | "ja"][] = [
  ["dark", 250, "en"],
  ["light", 250, "ja"],
  ["dark", 340, "ja"],
  ["light", 600, "en"],
];

it.each(sampled(looks, looks.length))("fits, %s, %i px, %s", async (theme, width, language) => {
  searched();
  found("list_files", "src/animals/felines/domestic/and/others", "2", {
    found: [{ path: "src/in/" }, { path: "src/a.ts" }],
    more: 0,
  });
  await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
  await line().first().waitFor();
  for (const each of await row("tool").all())
    await expect.poll(async () => (await each.boundingBox())?.height).toBe(22);
  for (const each of await line().all()) await each.click();
  await expect.poll(overflow).toBe(0);
  expect(
    await page
      .getByTestId("transcript")
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0);
  await picture(`hits-${theme}-${width}-${language}`);
  expect(await findings(page)).toEqual([]);
});
