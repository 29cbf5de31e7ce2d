/** The settings of other agents on the page "From other agents": shown, taken over one by one, skipped, undone, all by keyboard. */
import { beforeEach, expect, it } from "vitest";
import type { SettingList } from "../../src/shared/setting-proposals.ts";
import { someForeignSettings } from "./support/fixtures.ts";
import { host, openPanel, overflow, page, picture, servePanels, showScreen } from "./support/suite.ts";

/** What the page asked about settings. */
let asked: unknown[] = [];

/** The list after the first proposal was taken over. */
const afterwards: SettingList = {
  ...someForeignSettings,
  proposals: someForeignSettings.proposals.map((each, at) => (at === 0 ? { ...each, state: "taken" } : each)),
};

servePanels();
beforeEach(async () => {
  asked = [];
  host.foreign = ({ settings }) => {
    if (!settings) return [];
    asked.push(settings);
    if (settings.action === "list") return someForeignSettings;
    if (settings.action === "undo") return { ...someForeignSettings, outcome: "undone" };
    const isShown = settings.key === "server";
    return isShown ? { ...afterwards, outcome: "taken" } : { ...someForeignSettings, outcome: "changed" };
  };
  await openPanel({ width: 250 });
  showScreen("history");
  await page.getByTestId("history-menu").click();
  await page.getByTestId("other-agents-open").click();
  await proposals().first().waitFor();
});

const proposals = () => page.getByTestId("setting-proposal");
const outcome = () => page.getByTestId("setting-outcome");
const focused = () => page.evaluate(() => document.activeElement?.textContent);

it("shows what each setting would change, what it means, and what is left out and why", async () => {
  await page.getByRole("heading", { name: "MCP server: cats" }).waitFor();
  await page.getByText("Not copied, because it may be secret: CAT_TOKEN.").waitFor();
  await page.getByText("Command that runs without asking: Bash(npm test)‹U+202E›").waitFor();
  await expect.poll(() => page.getByTestId("setting-change").count()).toBe(0);
  const model = page.getByRole("article", { name: "Model: gpt-5-codex" });
  await model.getByRole("button", { name: "What changes in nekode.provider.model" }).click();
  await expect
    .poll(() => page.getByTestId("setting-change").innerText())
    .toMatch(/gpt\/old[\s\S]*gpt\/gpt-5-codex/);
  await page.getByRole("button", { name: "Not taken over: 1" }).click();
  await page.getByText("It allows more than one command. Nekode allows only exact commands.").waitFor();
  await page.getByText("Not read, because it is too large: ~/.config/opencode/opencode.json").waitFor();
  await expect.poll(() => overflow()).toBe(0);
  await picture("other-settings-dark-250");
});

it("takes over exactly the one that is confirmed, by keyboard, and undoes it", async () => {
  await page.getByRole("button", { name: "Take over: MCP server: cats" }).focus();
  await page.keyboard.press("Enter");
  await outcome().getByText("Taken over.").waitFor();
  expect(asked).toEqual([{ action: "list" }, { action: "take", key: "server", hash: "1" }]);
  await expect.poll(focused).toBe("Settings");
  await page.getByRole("button", { name: "Undo: MCP server: cats" }).focus();
  await page.keyboard.press("Space");
  await outcome().getByText("Undone.").waitFor();
  expect(asked.at(-1)).toEqual({ action: "undo", key: "server" });
});

it("says when nothing was written because something changed", async () => {
  await page.getByRole("button", { name: /^Take over: Command that runs/ }).click();
  await outcome().getByText("Nothing was changed, because it is no longer as it was shown.").waitFor();
});

it("skips a proposal without asking the host, and shows it again", async () => {
  await page.getByRole("button", { name: "Skip: MCP server: cats" }).focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => proposals().count()).toBe(2);
  await expect.poll(focused).toBe("Settings");
  await page.getByRole("button", { name: "Show skipped: 1" }).click();
  await expect.poll(() => proposals().count()).toBe(3);
  expect(asked).toEqual([{ action: "list" }]);
});
