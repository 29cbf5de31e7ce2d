/** What an answer may contain beyond plain Markdown, and the images of a conversation. */
import { describe, expect, it } from "vitest";
import type { EventBody } from "../../src/shared/event.ts";
import { clickOn } from "../support/pointer.ts";
import { message, session, text, user } from "./support/events.ts";
import { answer } from "./support/markdown-extras.ts";
import { host, openPanel, page, row, servePanels } from "./support/suite.ts";

servePanels({ keepsPanel: true });

const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";

const image = { mimeType: "image/png", data: PIXEL };

describe("answers", () => {
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
