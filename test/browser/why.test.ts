/** "Why?" on an approval: opened by keyboard or mouse, it says what the host explains, at every width. */
import { beforeEach, describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { ask, done } from "./support/events.ts";
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
      "add npm test to the allowed commands",
      "allow “Run safe commands” in the permission menu",
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

  it("opens the permission menu, and gives no such advice for what destroys", async () => {
    await asked();
    await page.getByTestId("approve-why").click();
    await page.getByTestId("why-permissions").click();
    await page.getByTestId("permission-menu").waitFor();
    await page.keyboard.press("Escape");
    host.emit(
      ...done("c"),
      ...ask("d", "execute_command", "rm a", { command: "rm a", dangers: ["deletes"] }),
    );
    await page.getByTestId("dangers").waitFor();
    await page.getByTestId("approve-why").click();
    await body().getByText("git status").waitFor();
    await expect.poll(() => body().textContent()).not.toContain("To allow without asking");
    await expect.poll(() => page.getByTestId("why-permissions").count()).toBe(0);
    await expect.poll(() => findings(page)).toEqual([]);
  });
});
