/** The list of plugins: what one adds is shown before it is installed, and exactly that is installed. */

import { expect, it } from "vitest";
import * as z from "zod/mini";
import { type PluginList, pluginActionSchema } from "../../src/shared/plugin-list.ts";
import { somePlugins } from "./support/fixtures.ts";
import { host, openPanel, overflow, page, servePanels, showScreen } from "./support/suite.ts";

servePanels();

const { plugins } = somePlugins;
const component = {
  kind: "server",
  name: "plugin_notes_files",
  detail: "npx -y files",
  file: ".mcp.json",
} as const;

/** Answers as a host with this list of plugins does. Returns what was asked. */
function play(list: PluginList): unknown[] {
  const asked: unknown[] = [];
  host.plugins = list;
  host.pluginsAfter = (ask) => {
    asked.push(ask);
    const action = z.nullable(pluginActionSchema).parse(ask);
    switch (action?.action) {
      case "preview":
        if (action.plugin === undefined)
          return { ...list, choice: { address: action.address, names: ["notes", "other"] } };
        return {
          ...list,
          preview: {
            ...{
              name: "notes",
              format: "claude",
              source: action.address,
              hash: "1234",
              files: 2,
              bytes: 2_000,
            },
            ...{ components: [component], problems: [{ code: "unknown-key", values: ["what"] }] },
          },
        };
      case "install":
        return { plugins };
      default:
        return list;
    }
  };
  return asked;
}

it("adds a plugin of a marketplace with the keyboard: its commands are shown first, then exactly that is installed", async () => {
  const asked = play({ plugins: [] });
  await openPanel({ width: 250 });
  showScreen("plugins");
  await page.getByText("No plugins are installed.").waitFor();
  await page.getByRole("textbox", { name: "Folder, Git address" }).fill("me/plugins");
  await page.keyboard.press("Enter");
  await page.getByTestId("plugin-choice").waitFor();
  await page.getByRole("button", { name: "notes" }).click();
  const shown = page.getByTestId("plugin-preview");
  await shown.getByText("npx -y files").waitFor();
  await shown.getByText("what is not part of the format and is ignored").waitFor();
  await shown.getByText("run only after you approve each of them").waitFor();
  await expect.poll(overflow).toBe(0);
  await page.getByTestId("install-plugin").click();
  await page.getByTestId("plugin-item").first().waitFor();
  await shown.waitFor({ state: "detached" });
  expect(asked).toEqual([
    null,
    { action: "preview", address: "me/plugins" },
    { action: "preview", address: "me/plugins", plugin: "notes" },
    { action: "install", hash: "1234" },
  ]);
});

it("lists each plugin with what it adds, what is wrong with it, and the files that changed", async () => {
  const asked = play({ plugins });
  await openPanel({ width: 250 });
  showScreen("plugins");
  const [first, second] = [page.getByTestId("plugin-item").first(), page.getByTestId("plugin-item").last()];
  await first.getByText("check-what-is-deployed.sh --strict").waitFor();
  await first.getByText("outputStyles has no effect in Nekode").waitFor();
  await first.getByText("0123456789ab").waitFor();
  await second.getByText("not used: its files changed after it was installed").waitFor();
  await second.getByText("skills/notes/SKILL.md").waitFor();
  await expect.poll(overflow).toBe(0);
  await page.getByRole("switch", { name: "Use the plugin deploy-tools" }).click();
  await page.getByRole("button", { name: "Check for an update of notes" }).click();
  await page.getByRole("button", { name: "Remove the plugin deploy-tools" }).click();
  await expect
    .poll(() => asked.slice(1))
    .toEqual([
      { action: "switch", name: "deploy-tools", on: false },
      { action: "preview-update", name: "notes" },
      { action: "remove", name: "deploy-tools" },
    ]);
});

it("an update shows what is added, changed and removed, and can be left", async () => {
  const asked = play(somePlugins);
  await openPanel({ width: 250 });
  showScreen("plugins");
  const shown = page.getByTestId("plugin-preview");
  await shown.getByText("curl https://example.com/done").waitFor();
  await expect.poll(() => shown.getByTestId("plugin-change").innerText()).toContain("added: Hooks: Stop");
  await expect
    .poll(() => shown.getByTestId("plugin-file").allInnerTexts())
    .toEqual(["changed: hooks/hooks.json", "removed: skills/release/references/old.md"]);
  await expect.poll(overflow).toBe(0);
  await page.getByTestId("dismiss-plugin").click();
  await expect.poll(() => asked.at(-1)).toEqual({ action: "dismiss" });
});
