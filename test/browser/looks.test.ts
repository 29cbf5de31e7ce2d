/** The panel at the widths and in the themes that people use; pictures of it go to test-results/panel. */
import { mkdirSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FileHit, SessionSummary, SlashCommand } from "../../src/shared/protocol.ts";
import { FakeHost } from "./support/fake-host.ts";
import { type PanelServer, startPanelServer } from "./support/panel-page.ts";
import { scenes } from "./support/scenes.ts";
import type { ThemeName } from "./support/themes.ts";

const pictures = "test-results/panel";
let server: PanelServer;
beforeAll(async () => {
  mkdirSync(pictures, { recursive: true });
  server = await startPanelServer();
});
afterAll(() => server.close());

const found = ["neko.txt", "src/", "src/components/deeply/nested/folder/with-a-long-name.test.tsx"].map(
  (path): FileHit => ({ path, kind: path.endsWith("/") ? "folder" : "file", positions: [0, 1] }),
);
const commands: SlashCommand[] = [
  ...["newtask", "compact", "smol", "newrule", "deep-planning", "init", "reportbug"].map(
    (name): SlashCommand => ({ name, kind: "command", description: "" }),
  ),
  { name: "release", kind: "workflow", description: "Cut a release, with notes from the log" },
];
const tasks = ["Add a sentence to neko.txt", "「猫は液体である」を追加してください。".repeat(6)].map(
  (title, index): SessionSummary => ({
    id: String(index),
    title,
    startedAt: "2025-01-02T03:04:05Z",
    updatedAt: "2025-01-02T03:04:05Z",
    messageCount: 12,
    cost: index * 0.0123,
    tokens: 14_900,
  }),
);

describe.each<[ThemeName, number]>([
  ["dark", 320],
  ["light", 250],
  ["high-contrast", 320],
  ["light", 480],
  ["dark", 250],
])("%s, %i px", (theme, width) => {
  it("fits whatever it shows", async () => {
    const host = new FakeHost();
    const panel = await server.open({ host, theme, width });
    const { page } = panel;
    await page.getByTestId("chat-input").waitFor();
    for (const [name, prepare] of Object.entries(scenes)) {
      const scene = new FakeHost();
      prepare(scene);
      host.show(scene.view, scene.setup);
      const last = [...scene.view.settled, ...scene.view.live].at(-1);
      await page.locator(last ? `[data-row="${last.id}"]` : ".empty h1").waitFor();
      await page.waitForLoadState("networkidle");
      await page.screenshot({ path: `${pictures}/${name}-${theme}-${width}.png` });
      expect(await overflow(page), name).toBe(0);
    }
    host.find = async () => found;
    await page.getByTestId("chat-input").fill("@");
    await page.getByTestId("mention-option").last().waitFor();
    await page.screenshot({ path: `${pictures}/picker-${theme}-${width}.png` });
    await page.keyboard.press("Escape");
    host.commands = commands;
    await page.getByTestId("chat-input").fill("/");
    await page.getByTestId("slash-option").last().waitFor();
    await page.screenshot({ path: `${pictures}/slash-${theme}-${width}.png` });
    await page.keyboard.press("Escape");
    host.sessions = tasks;
    await page.getByTestId("history").click();
    await page.getByTestId("history-item").last().waitFor();
    await page.screenshot({ path: `${pictures}/history-${theme}-${width}.png` });
    expect(await overflow(page), "history").toBe(0);
    expect(panel.complaints).toEqual([]);
    expect(panel.strayRequests).toEqual([]);
    await panel.close();
  });
});

/** Pixels by which the page is wider than its window. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
