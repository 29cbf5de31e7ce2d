/** The panel's requests about plugins: what was shown is what is installed. */
import { expect, it } from "vitest";
import { type PluginList, pluginListSchema } from "../../../src/shared/plugin-list.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { pluginRequests } from "../../../src/vscode/servers/plugin-requests.ts";
import { claudeManifest } from "../core/plugins/support.ts";
import { pluginUser } from "../node/plugin-support.ts";

async function panel() {
  const user = await pluginUser();
  const from = await user.source({
    ".claude-plugin/plugin.json": claudeManifest(),
    "commands/run.md": "Run",
  });
  const request = pluginRequests({ manager: user.manager, t: translator({}) });
  const ask = async (action: unknown): Promise<PluginList> =>
    pluginListSchema.parse((await request(action)).list);
  return { user, from, ask };
}

it("previews, installs exactly what was previewed, switches, updates and removes", async () => {
  const { user, from, ask } = await panel();
  expect(await ask(null)).toEqual({ plugins: [] });
  const { preview, plugins } = await ask({ action: "preview", address: from });
  expect(plugins).toEqual([]);
  expect(preview?.components.map(({ name }) => name)).toEqual(["tools:run"]);
  await expect(ask({ action: "install", hash: "another" })).rejects.toThrow("changed meanwhile");
  expect(await user.installed.active()).toEqual([]);
  const hash = preview?.hash ?? "";
  expect(await ask({ action: "install", hash })).toMatchObject({ plugins: [{ name: "tools", state: "on" }] });
  await expect(ask({ action: "install", hash })).rejects.toThrow("changed meanwhile");
  expect((await ask({ action: "preview-update", name: "tools" })).preview?.difference?.files).toEqual([]);
  expect(await ask({ action: "dismiss" })).not.toHaveProperty("preview");
  expect((await ask({ action: "switch", name: "tools", on: false })).plugins).toMatchObject([
    { state: "off" },
  ]);
  expect(await ask({ action: "remove", name: "tools" })).toEqual({ plugins: [] });
});

it("offers the plugins of a marketplace, and says in words why one cannot be installed", async () => {
  const { ask, user } = await panel();
  const from = await user.source({
    ".claude-plugin/marketplace.json": JSON.stringify({
      plugins: [
        { name: "a", source: "./a" },
        { name: "b", source: "./b" },
      ],
    }),
  });
  expect((await ask({ action: "preview", address: from })).choice).toEqual({
    address: from,
    names: ["a", "b"],
  });
  await expect(ask({ action: "preview", address: "/nowhere" })).rejects.toThrow(
    "There is no folder or repository /nowhere.",
  );
});

it("a host without a data folder has no plugins", async () => {
  const request = pluginRequests({ manager: undefined, t: translator({}) });
  expect(await request({ action: "preview", address: "/" })).toEqual({ list: { plugins: [] } });
});
