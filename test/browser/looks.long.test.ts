/**
 * The panel in a wide editor tab, and how Japanese is broken into lines. That the densest screens fit a narrow panel in Japanese is
 * in screens.test.ts.
 */
import { expect, it } from "vitest";
import { japanese } from "./support/boot.ts";
import { scenes } from "./support/scenes.ts";
import { openPanel, page, picture, servePanels, showScene } from "./support/suite.ts";

servePanels();

it("keeps lines readable in a wide editor tab", async () => {
  await openPanel({ theme: "dark", width: 1400 });
  const { turn } = scenes;
  if (!turn) throw new Error("There is no scene of a finished turn.");
  await showScene(turn);
  await picture("turn-dark-1400");
  const boxes = await page
    .locator(".header, .transcript-rows > div, .composer")
    .evaluateAll((parts) => parts.map((part) => part.getBoundingClientRect()));
  expect(boxes).toHaveLength(3);
  for (const { x, width } of boxes) expect([x, width]).toEqual([boxes[0]?.x, 900]);
  // The scroll bar is where the window ends.
  expect(await page.getByTestId("transcript").evaluate((box) => box.getBoundingClientRect().right)).toBe(
    1400,
  );
});

it("breaks our own Japanese between phrases, and the model's, which may be long, as it comes", async () => {
  await openPanel({ boot: japanese });
  const breaks = (selector: string) =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).wordBreak);
  expect(await breaks(".empty p")).toBe("auto-phrase");
  const { result } = scenes;
  if (!result) throw new Error("There is no scene of a result.");
  await showScene(result);
  expect(await breaks(".user")).toBe("normal");
  expect(await breaks(".md p")).toBe("normal");
});
