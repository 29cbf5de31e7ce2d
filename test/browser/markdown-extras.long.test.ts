/** Kinds of Markdown. markdown-extras.test.ts has links, images, copies and what is shown as text; test/unit/webview has the parser. */
import { describe, expect, it } from "vitest";
import { answer } from "./support/markdown-extras.ts";
import { host, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

describe("answers", () => {
  it("show tasks as boxes that say whether they are done", async () => {
    await answer("- [ ] open\n- [x] done\n- [link] no task\n\n1. [ ] numbered");
    const boxes = row("text").locator("input[type=checkbox]");
    await expect
      .poll(() => boxes.evaluateAll((all) => all.map((box) => (box as HTMLInputElement).checked)))
      .toEqual([false, true, false]);
    const names = row("text").getByRole("img");
    await expect
      .poll(() => names.evaluateAll((all) => all.map((name) => name.getAttribute("aria-label"))))
      .toEqual(["Not done", "Done", "Not done"]);
    expect(await row("text").textContent()).not.toContain("[x]");
  });

  it("align the columns of tables, and let wide ones scroll by themselves", async () => {
    const cells = Array.from({ length: 12 }, (_, index) => `column${index}`);
    await answer(
      `| a | b | c |\n| :- | :-: | -: |\n| 1 | 2 | 3 |\n\n| ${cells.join(" | ")} |\n|${" - |".repeat(12)}\n| ${cells.join(" | ")} |`,
    );
    const sides = await page
      .locator("table")
      .first()
      .locator("td")
      .evaluateAll((all) => all.map((cell) => getComputedStyle(cell).textAlign));
    expect(sides).toEqual(["left", "center", "right"]);
    const wide = page.locator(".md-table").nth(1);
    expect(await wide.evaluate((el) => el.scrollWidth - el.clientWidth)).toBeGreaterThan(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await picture("tables");
  });

  it("have footnotes that lead there and back, and leave other brackets alone", async () => {
    await answer("Cats sleep[^1] and match `x`, [^a-z] too.\n\nMore.\n\n[^1]: Sixteen **hours**.");
    const ref = row("text").getByRole("link", { name: "Footnote 1" });
    await ref.waitFor();
    await expect.poll(() => row("text").locator("p").first().textContent()).toContain("[^a-z] too");
    await ref.click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.textContent))
      .toContain("Sixteen hours.");
    await row("text").getByRole("link", { name: "Back to the text" }).press("Enter");
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe("1");
  });

  it("fold what is in details, with any Markdown inside, and nested", async () => {
    await answer(
      "Before\n\n<details>\n<summary>The **log**</summary>\n\nLine\n\n```js\nconst a = 1;\n```\n\n<details><summary>Inner</summary>\n\ndeep\n\n</details>\n</details>\n\nAfter",
    );
    const outer = page.locator(".md-details").first();
    await outer.waitFor();
    await expect.poll(() => outer.locator("summary").first().textContent()).toBe("The log");
    expect(await page.getByText("deep").isVisible()).toBe(false);
    await outer.locator("summary").first().click();
    await expect.poll(() => page.getByText("Line").isVisible()).toBe(true);
    await outer.locator(".md-details summary").click();
    await expect.poll(() => page.getByText("deep").isVisible()).toBe(true);
    expect(await outer.textContent()).not.toContain("After");
    expect(await row("text").textContent()).not.toMatch(/<\/?(details|summary)/);
  });

  it("link no file that the host does not have, ask for all of them at once, and again when the task rests", async () => {
    host.missing = new Set(["src/gone.ts", "docs/none.md"]);
    await answer(
      "See `src/cart.ts`, `src/gone.ts:3`, [a text](docs/none.md), [b](docs/x.md) and `src/cart.ts:9`.",
    );
    const links = row("text").getByRole("link");
    await expect.poll(() => links.allTextContents()).toEqual(["src/cart.ts", "b", "src/cart.ts:9"]);
    await expect.poll(() => row("text").textContent()).toContain("a text (docs/none.md)");
    await row("text").locator("code", { hasText: "src/gone.ts:3" }).waitFor();
    const asked = () => host.named("answer/missing").map(({ paths }) => paths.toSorted());
    const all = ["docs/none.md", "docs/x.md", "src/cart.ts", "src/gone.ts"];
    expect(asked()).toEqual([all]);
    host.missing = new Set(["docs/x.md"]);
    host.emit({ type: "status", status: "waiting" });
    await page.getByTestId("stop").waitFor();
    host.emit({ type: "status", status: "idle" });
    await expect
      .poll(() => links.allTextContents())
      .toEqual(["src/cart.ts", "src/gone.ts:3", "a text", "src/cart.ts:9"]);
    expect(asked()).toEqual([all, all]);
  });
});
