/** The panel at the widths and in the themes that people use; pictures of it go to test-results/panel. */
import { describe, expect, it } from "vitest";
import { someCommands, someFiles, someTasks } from "./support/fixtures.ts";
import { scenes } from "./support/scenes.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScene } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

describe.each<[ThemeName, number]>([
  ["dark", 320],
  ["light", 250],
  ["high-contrast", 320],
  ["high-contrast-light", 250],
  ["light", 600],
  ["dark", 250],
])("%s, %i px", (theme, width) => {
  it("fits whatever it shows", async () => {
    await openPanel({ theme, width });
    for (const [name, prepare] of Object.entries(scenes)) {
      await showScene(prepare);
      await page.waitForLoadState("networkidle");
      await picture(`${name}-${theme}-${width}`);
      expect(await overflow(), name).toBe(0);
    }
    host.find = async () => someFiles;
    await page.getByTestId("chat-input").fill("@");
    await page.getByTestId("mention-option").last().waitFor();
    await picture(`picker-${theme}-${width}`);
    await page.keyboard.press("Escape");
    host.commands = someCommands;
    await page.getByTestId("chat-input").fill("/");
    await page.getByTestId("slash-option").last().waitFor();
    await picture(`slash-${theme}-${width}`);
    await page.keyboard.press("Escape");
    host.sessions = someTasks;
    await page.getByTestId("history").click();
    await page.getByTestId("history-item").last().waitFor();
    await picture(`history-${theme}-${width}`);
    expect(await overflow(), "history").toBe(0);
  });
});
