/** What axe finds in everything that the panel shows, in each kind of theme, both languages, narrow and wide. */
import { describe, expect, it } from "vitest";
import { findings } from "./support/axe.ts";
import { japanese } from "./support/boot.ts";
import { someCommands, someFiles, someRules, someServers, someTasks } from "./support/fixtures.ts";
import { scenes } from "./support/scenes.ts";
import { host, input, openPanel, overflow, page, picture, servePanels, showScene } from "./support/suite.ts";
import type { ThemeName } from "./support/themes.ts";

servePanels();

describe.each<[ThemeName, number, "en" | "ja"]>([
  ["dark", 320, "en"],
  ["light", 250, "ja"],
  ["high-contrast", 600, "ja"],
])("%s, %i px, %s", (theme, width, language) => {
  it("has nothing that axe objects to", async () => {
    host.commands = someCommands;
    host.find = async () => someFiles;
    host.sessions = someTasks;
    host.rules = someRules;
    host.servers = someServers;
    await openPanel({ theme, width, ...(language === "ja" ? { boot: japanese } : {}) });
    const look = async (name: string) => {
      await picture(`a11y-${name}-${theme}-${width}-${language}`);
      expect.soft(await findings(page), name).toEqual([]);
      expect.soft(await overflow(), name).toBe(0);
    };
    for (const [name, prepare] of Object.entries(scenes)) {
      await showScene(prepare);
      const todo = page.getByTestId("todo-list");
      if (name === "result") await todo.locator("summary").click();
      await look(name);
    }
    await input().fill("@");
    await page.getByTestId("mention-option").last().waitFor();
    await look("picker");
    await page.keyboard.press("Escape");
    await input().fill("/");
    await page.getByTestId("slash-option").last().waitFor();
    await look("slash");
    await page.keyboard.press("Escape");
    await input().fill(
      '@/neko.txt と @"/my notes/猫のメモ.md" と @problems @https://example.com/a/b を見て。',
    );
    await page.getByTestId("mention-chip").last().waitFor();
    await look("chips");
    await page.getByTestId("edit-message").first().press("Enter");
    await page.getByTestId("edit-text").press("@");
    await page.getByTestId("mention-option").last().waitFor();
    await look("editing");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByTestId("history").click();
    await page.getByTestId("history-item").last().waitFor();
    await look("history");
    await page.keyboard.press("Escape");
    await page.getByTestId("rules").click();
    await page.getByTestId("workflow").waitFor();
    await look("rules");
    await page.keyboard.press("Escape");
    await page.getByTestId("servers").click();
    await page.getByTestId("server-item").last().waitFor();
    await look("servers");
    for (const name of ["memory", "issues"]) await page.getByRole("button", { name }).first().click();
    await page.getByTestId("server-tool").last().waitFor();
    await look("servers-open");
    await page.getByTestId("add-server").click();
    await page.getByTestId("add-server-form").waitFor();
    await look("servers-add");
  });
});
