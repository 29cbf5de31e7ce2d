import type { Locator } from "playwright-core";
import { expect } from "vitest";

/** Milliseconds after which the pointer goes to the item again: longer than any click takes that meets its button. */
const TRY_MS = 2_000;

/**
 * Clicks a button that only shows while the pointer is on `item`. Something that appears late may move the item away from the pointer,
 * which hides the button again; a person then points at the item once more, and so does this.
 */
export async function clickOn(item: Locator, button: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await item.hover();
      return button.click({ timeout: TRY_MS }).then(
        () => "clicked",
        (error: unknown) => String(error),
      );
    })
    .toBe("clicked");
}
