/** What an answer may contain beyond plain Markdown, and the images of a conversation. */

import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { clickOn } from "../support/pointer.ts";
import { message, session, text, user } from "./support/events.ts";
import { host, openPanel, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
const image = { mimeType: "image/png", data: PIXEL };

async function answer(words: string, options: Parameters<typeof openPanel>[0] = {}): Promise<void> {
  host.emit(session(), user("?"), text(words));
  await openPanel(options);
  await page.locator(".md p, .md ul, .md table").first().waitFor();
}

describe("answers", () => {
  it("show tasks as boxes that say whether they are done", async () => {
    await answer("- [ ] open\n- [x] done\n- [link] no task\n\n1. [ ] numbered");
    const boxes = row("text").getByRole("checkbox");
    await expect.poll(() => boxes.count()).toBe(3);
    await expect
      .poll(() => Promise.all([0, 1, 2].map((index) => boxes.nth(index).isChecked())))
      .toEqual([false, true, false]);
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

  it("contain keys, subscripts, superscripts and breaks, and show all other HTML as text", async () => {
    await answer(
      'Press <kbd>Ctrl</kbd>+<kbd>C</kbd>, H<sub>2</sub>O, x<sup>**2**</sup><br>next <kbd onclick="alert(1)">x</kbd> <b>bold</b> <script>alert(1)</script> <sub>open',
    );
    await expect.poll(() => row("text").locator("kbd").allTextContents()).toEqual(["Ctrl", "C"]);
    await expect.poll(() => row("text").locator("sub").allTextContents()).toEqual(["2"]);
    await expect.poll(() => row("text").locator("sup strong").count()).toBe(1);
    await expect.poll(() => row("text").locator("br").count()).toBe(1);
    const shown = await row("text").textContent();
    for (const literal of ['<kbd onclick="alert(1)">', "<b>bold</b>", "<script>", "<sub>open"]) {
      expect(shown).toContain(literal);
    }
  });

  it("link files, lines and symbols in code, and neither words nor code in links", async () => {
    await answer(
      "See `src/cart.ts:12`, `cats.js`, `Cart.total()`, `readFile`, `true`, `npm test`, `a.length` and [`docs/x.md`](https://example.com/).",
    );
    const links = row("text").getByRole("link");
    await expect
      .poll(() => links.allTextContents())
      .toEqual(["src/cart.ts:12", "cats.js", "Cart.total()", "readFile", "docs/x.md"]);
    await links.nth(0).click();
    await links.nth(2).press("Enter");
    await expect.poll(() => host.named("answer/symbol")).toEqual([{ name: "Cart.total()" }]);
    expect(host.named("host/open-file")).toEqual([{ path: "src/cart.ts", line: 12 }]);
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

  it("show images of the workspace, and link what is on the web or not to be read", async () => {
    host.images = { "docs/cat.png": image };
    await answer("![A cat](docs/cat.png) ![No](secret/key.png) ![Web](https://example.com/1.png)");
    await page.getByRole("img", { name: "A cat" }).waitFor();
    await expect.poll(() => page.locator(".md img").count()).toBe(1);
    await expect.poll(() => row("text").getByRole("link").allTextContents()).toEqual(["No", "Web"]);
    expect(
      host
        .named("answer/image")
        .map(({ path }) => path)
        .sort(),
    ).toEqual(["docs/cat.png", "secret/key.png"]);
  });

  it("are copied as Markdown", async () => {
    const source = "# Title\n\nSome *words* and $x^2$.";
    host.emit(session(), user("?"), text(source));
    await openPanel();
    await clickOn(row("text"), row("text").getByRole("button", { name: "Copy as Markdown" }));
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(source);
  });
});

it("images that the user sent are shown in their message, and enlarged by a press", async () => {
  host.sent = [image];
  const sent: EventBody = {
    type: "message",
    message: message("user", {
      display: "Look",
      blocks: [
        { type: "text", text: "Look" },
        { type: "image", ...image },
        { type: "image", ...image },
      ],
    }),
  };
  host.emit(session(), sent);
  await openPanel();
  await page.getByRole("img", { name: "Image 1" }).waitFor();
  await page.getByText("This image is not available.").waitFor();
  const button = page.getByTestId("sent-image");
  const { height } = (await button.boundingBox()) ?? { height: 0 };
  expect(height).toBe(72);
  await button.click();
  await expect.poll(() => button.getAttribute("aria-expanded")).toBe("true");
});
