/** The icons of mentions. current-file.test.ts has the chip. */
import { expect, it } from "vitest";
import { host, input, openPanel, page, servePanels } from "./support/suite.ts";

servePanels();

it("the icon of a mention shows what its path is on the disk", async () => {
  host.kindOf = (path) => (path === "src" ? "folder" : "file");
  await openPanel();
  await input().click();
  await page.keyboard.type("@/src and @/lib and");
  // In one question or in two: the chips load with the first mention.
  await expect.poll(() => host.named("files/kinds").at(-1)).toEqual({ paths: ["src", "lib"] });
  const icon = (name: string) =>
    page.getByTestId("mention-chip").filter({ hasText: name }).locator(".icon").first().innerHTML();
  await expect.poll(async () => (await icon("src")) === (await icon("lib"))).toBe(false);
  host.kindOf = () => "folder";
  await page.keyboard.type(" @/doc ");
  await expect.poll(async () => (await icon("src")) === (await icon("lib"))).toBe(true);
});
