/** The command palette of a real VS Code. */
import type { Page } from "playwright-core";

/** How long the command palette may take to open, in milliseconds, and how often its key is pressed. */
const PALETTE_TIMEOUT = 15_000;
const MOST_PRESSES = 4;

/**
 * Types into the command palette. When something that had the focus was just closed, the focus moves late, which loses the key or
 * closes the palette again. Then the key is pressed once more.
 */
export async function askPalette(page: Page, text: string): Promise<void> {
  const input = page.locator(".quick-input-widget").locator("input").first();
  for (let presses = 1; ; presses++) {
    await page.keyboard.press("F1");
    try {
      return await input.fill(text, { timeout: PALETTE_TIMEOUT });
    } catch (error) {
      if (presses === MOST_PRESSES) throw error;
    }
  }
}
