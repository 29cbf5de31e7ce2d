/** Rarer states of the composer. composer.test.ts has sending, drafts and the queue; composer-keys.test.ts has the keys. */
import { beforeEach, describe, expect, it } from "vitest";
import { value } from "./support/composer.ts";
import { session, user } from "./support/events.ts";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

beforeEach(async () => {
  await openPanel();
  await input().click();
});

describe("the composer", () => {
  it("does not send nothing", async () => {
    await page.keyboard.type("  ");
    await page.keyboard.press("Enter");
    await page.keyboard.type("x");
    await page.keyboard.press("Enter");
    await host.called("chat/send");
    expect(host.named("chat/send")).toHaveLength(1);
  });

  it("does not bring back what was sent, even when the editor gives back older state", async () => {
    const state = () => page.evaluate(() => sessionStorage.getItem("state") ?? "");
    const reloadWith = async (old: string) => {
      await page.evaluate((value) => sessionStorage.setItem("state", value), old);
      await page.reload();
      await page.getByTestId("row").first().waitFor();
    };
    host.emit(session(), user("once more"));
    await page.getByTestId("row").waitFor();
    await page.keyboard.type("once more");
    const old = await state();
    expect(old).toContain("once more");
    // Said before, and a draft again: it stays.
    await reloadWith(old);
    await expect.poll(() => value()).toBe("once more");
    await input().press("Enter");
    await host.called("chat/send");
    host.emit(user("once more"));
    await page.getByTestId("row").nth(1).waitFor();
    await reloadWith(old);
    await expect.poll(value).toBe("");
    // On its way when the page went: what was typed since stays.
    await reloadWith(old.replace("once more", "once more\\nand then"));
    await expect.poll(value).toBe("and then");
  });

  it("grows with the text, to about ten lines", async () => {
    const height = async () => (await input().boundingBox())?.height ?? 0;
    const empty = await height();
    await input().fill("a\nb\nc\nd\ne");
    const five = await height();
    await input().fill("x\n".repeat(60));
    const many = await height();
    expect(five).toBeGreaterThan(empty);
    expect(many).toBeGreaterThan(five);
    expect(many).toBeLessThan(260);
  });

  it("brings back the last message on ArrowUp when it is empty", async () => {
    host.emit(session(), user("the last one"));
    await page.getByTestId("row").waitFor();
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => value()).toBe("the last one");
  });
});

describe("the attach button", () => {
  it("adds chosen images, and mentions of other files", async () => {
    host.chosen = {
      ...{ mentions: ["@file:///home/me/a.txt"], problems: ["b.zip cannot be attached: it is gone"] },
      images: [{ mimeType: "image/png", data: "iVBORw==" }],
    };
    await page.getByTestId("attach").click();
    await page.getByRole("img", { name: "Image 1" }).waitFor();
    await page.getByText("b.zip cannot be attached: it is gone").waitFor();
    await expect.poll(() => page.getByRole("img", { name: "Image 2" }).count()).toBe(0);
    await input().press("Enter");
    expect(await host.called("chat/send")).toEqual({
      text: "@file:///home/me/a.txt ",
      images: [{ mimeType: "image/png", data: "iVBORw==" }],
    });
  });
});

describe("the composer", () => {
  it("does not bring back what was sent", async () => {
    await page.keyboard.type("sent");
    await page.keyboard.press("Enter");
    await host.called("chat/send");
    await expect.poll(() => page.evaluate(() => sessionStorage.getItem("state"))).not.toContain("sent");
  });
});
