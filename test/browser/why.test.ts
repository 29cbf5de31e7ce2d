/** "Why?" on an approval: opened by keyboard or mouse, it says what the host explains, at every width. */
import { beforeEach, describe, expect, it } from "vitest";
import { focused, host, page, servePanels } from "./support/suite.ts";
import { asked, body, explanation } from "./support/why.ts";

servePanels({ keepsPanel: true });

beforeEach(() => {
  host.explanation = explanation;
});

describe("Why?", () => {
  it("is asked for when it is opened, and says all of it with what is unseen", async () => {
    await asked();
    expect(host.named("chat/why")).toEqual([]);
    await page.getByTestId("approve-why").click();
    expect(await host.called("chat/why")).toEqual({ callId: "c" });
    await body().getByText("npm install").waitFor();
    const text = (await body().textContent()) ?? "";
    for (const said of [
      "npm test‹U+202E›",
      "npm test is not on the allow list",
      "add npm test to nekode.commands.allow",
      "turn on nekode.approval.commandSafe",
      "npm test | head -20",
      "git status allowed",
    ])
      expect(text).toContain(said);
    await body().locator("dd code").getByText("npm test", { exact: true }).first().waitFor();
    expect(host.named("chat/approve")).toEqual([]);
    expect(host.named("chat/reject")).toEqual([]);
  });

  it("opens and closes by keyboard, where the focus stays", async () => {
    await asked();
    const summary = page.getByTestId("approve-why");
    await summary.focus();
    await page.keyboard.press("Enter");
    await body().getByText("npm install").waitFor();
    await expect.poll(() => focused()).toBe("approve-why");
    await page.keyboard.press(" ");
    await expect.poll(() => body().textContent()).toBe("");
    await page.keyboard.press("Tab");
    await expect.poll(() => focused()).toBe("approve-with-comment");
  });
});
