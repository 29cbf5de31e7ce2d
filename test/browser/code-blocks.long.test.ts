/** Colors of code where the theme cannot be read, and the buttons by keyboard. code-blocks.test.ts has the theme's colors and the buttons. */
import { describe, expect, it } from "vitest";
import { answer, TS } from "./support/code-blocks.ts";
import { host, page, servePanels } from "./support/suite.ts";

servePanels();

describe("buttons of a code block", () => {
  it("are reached by keyboard", async () => {
    await answer(TS);
    await page.getByRole("button", { name: "Copy code" }).focus();
    await page.getByTestId("code-insert").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(() => host.named("answer/insert")).toHaveLength(1);
  });
});
