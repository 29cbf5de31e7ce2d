/** Looks and rarer parts of the card. approval-card.test.ts has its buttons, hunks, patches, comment and line. */
import { describe, expect, it } from "vitest";
import { sampled } from "../support/random.ts";
import { asks, edit } from "./support/approval-card.ts";
import { japanese } from "./support/boot.ts";
import { ask, user } from "./support/events.ts";
import { host, openPanel, overflow, page, picture, row, servePanels } from "./support/suite.ts";

servePanels();

const looks = [
  ["dark", 250],
  ["light", 340],
  ["dark", 600],
] as const;

describe("the button", () => {
  it("names its key in the tooltip alone, as the default: the user's own is not known", async () => {
    await asks(...ask("c", "execute_command", "npm test", { command: "npm test" }));
    const title = (id: string) => page.getByTestId(id).getAttribute("title");
    expect(await title("approve")).toMatch(/^Run \(default shortcut: .+K Y\)$/);
    expect(await title("reject")).toMatch(/^Reject \(default shortcut: .+K X\)$/);
    expect(await page.locator(".ask").textContent()).not.toMatch(/K\s*[YX]\b/);
  });
});

describe("the menu of scopes", () => {
  it("stays inside a panel of 250 px", async () => {
    await asks(...ask("c", "execute_command", "npm test", { command: "npm test", always: "npm test" }));
    await page.setViewportSize({ width: 250, height: 600 });
    await page.getByTestId("approve-more").click();
    const box = await page.getByRole("menu").boundingBox();
    expect(box && box.x >= 0 && box.x + box.width <= 250).toBe(true);
    await picture("approval-menu-250");
    await page.setViewportSize({ width: 400, height: 600 });
    const wide = await page.getByRole("menu").boundingBox();
    await page.setViewportSize({ width: 250, height: 600 });
    const inner = () => page.getByRole("menu").evaluate((menu) => menu.getBoundingClientRect().right <= 250);
    await expect.poll(inner).toBe(true);
    await expect.poll(async () => (await page.getByRole("menu").boundingBox())?.height).toBe(wide?.height);
    await expect.poll(overflow).toBe(0);
  });
});

it("an option of a command stays in one piece, whatever the width", async () => {
  const command =
    "git push --force-with-lease --set-upstream origin main && npm run build -- --watch --production";
  await asks(...ask("c", "execute_command", command, { command }));
  const options = page.locator(".ask .unbroken");
  for (const width of [250, 300, 340]) {
    await page.setViewportSize({ width, height: 600 });
    const lines = () => options.evaluateAll((all) => all.map((each) => each.getClientRects().length));
    await expect.poll(async () => new Set(await lines())).toEqual(new Set([1]));
    await expect.poll(overflow).toBe(0);
  }
  await picture("approval-command-340");
  await expect.poll(() => page.locator(".ask .command").textContent()).toBe(command);
});

it("what is typed while the host answers late stays", async () => {
  await asks(...ask("c", "execute_command", "npm test", { command: "npm test" }));
  const field = page.getByTestId("approve-with-comment");
  await field.click();
  await page.keyboard.type("use pnpm, as the lock file says", { delay: 2 });
  await host.called("chat/prepare-answer", 31);
  await expect.poll(() => field.inputValue()).toBe("use pnpm, as the lock file says");
  host.failing.set("chat/prepare-answer", "gone");
  await page.keyboard.type("!");
  await page.getByText("gone").first().waitFor();
  await expect.poll(() => field.inputValue()).toBe("use pnpm, as the lock file says!");
});

it.each(sampled(looks, looks.length))("fits in Japanese: %s, %s px", async (theme, width) => {
  host.emit({ type: "session", id: "s", title: "猫" }, user("猫"));
  host.emit(...ask("c", "replace_in_file", "src/cats.js", edit));
  await openPanel({ theme, width, boot: japanese });
  await page.getByTestId("approve").waitFor();
  await page.getByText("保存", { exact: true }).waitFor();
  await expect.poll(overflow).toBe(0);
  await picture(`approval-ja-${theme}-${width}`);
  await row("approval").waitFor();
});
