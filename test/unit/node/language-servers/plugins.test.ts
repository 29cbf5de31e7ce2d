/** Language servers of plugins: shown before they are installed, started only after the user approved exactly what they are. */
import { appendFile } from "node:fs/promises";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { commandLine } from "../../../../src/cli/command-line.ts";
import { runLanguageServersCommand } from "../../../../src/cli/language-servers/lsp-command.ts";
import { UsageError } from "../../../../src/cli/usage-error.ts";
import { addLanguageServers } from "../../../../src/node/config/language-server-setup.ts";
import { nodeFiles } from "../../../../src/node/files/disk-files.ts";
import { InstalledPlugins } from "../../../../src/node/plugins/installed-plugins.ts";
import { createStorage } from "../../../../src/node/store/folder-storage.ts";
import { defaultDataDir } from "../../../../src/node/store/project-store.ts";
import { createTerminalHost } from "../../../../src/node/terminal-host.ts";
import { translator } from "../../../../src/shared/words/task-words.ts";
import { claudeManifest } from "../../core/plugins/support.ts";
import { type PluginUser, pluginUser, writeFiles } from "../plugin-support.ts";
import { productFolder } from "../servers/support.ts";
import { neverAborted } from "../support.ts";
import { oddServer, present } from "./support.ts";

const FILES = {
  ".claude-plugin/plugin.json": claudeManifest({ name: "odd-plugin" }),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of plugins
  ".lsp.json": JSON.stringify({ odd: { ...oddServer("plain"), env: { ODD_HOME: "${CLAUDE_PLUGIN_ROOT}" } } }),
};

/** The symbols of a host that starts now, and what it logs. */
async function opened({ root, home, dataDir }: PluginUser) {
  const logged: string[] = [];
  const environment = { ...process.env, HOME: home, NEKODE_DATA_DIR: dataDir };
  const log = { info: () => {}, error: (text: string) => void logged.push(text) };
  const assetsDir = path.resolve("node_modules/@vscode/tree-sitter-wasm/wasm");
  const host = createTerminalHost({
    policy: undefined,
    root,
    assetsDir,
    environment,
    dataDir,
    hasSandbox: false,
    log,
  });
  const configDir = path.join(home, "config");
  const programDir = await productFolder();
  const end = await addLanguageServers(host, { configDir, dataDir, environment, programDir, version: "0" });
  onTestFinished(() => end?.close());
  return { symbols: host.codeSymbols, logged: logged.join("\n") };
}

/** Runs `nekode lsp`. */
async function lsp({ home, dataDir, root }: PluginUser, ...args: string[]): Promise<string> {
  const printed: string[] = [];
  const print = async (text: string) => void printed.push(text);
  const log = { info: () => {}, error: (text: string) => void printed.push(text) };
  await runLanguageServersCommand(
    { environment: { HOME: home }, cwd: root, screen: { out: print, err: print }, log, t: translator({}) },
    [...args, "--data-dir", dataDir, "--config-dir", path.join(home, "config")],
    {
      commandLine,
      UsageError,
      files: nodeFiles,
      createStorage,
      InstalledPlugins,
      machinePolicy: async () => undefined,
      defaultDataDir,
    },
  );
  return printed.join("");
}

it("start only after they are approved, and not once a file of the plugin changed", async () => {
  const user = await pluginUser();
  await writeFiles(user.root, { "one.odd": "word\n" });
  const from = await user.source(FILES);
  const preview = await user.cli(["add", from], ["n"]);
  expect(preview.text).toContain("Language servers");
  expect(preview.text).toContain("odd.cjs plain");
  await user.cli(["add", from, "--yes"]);

  const before = await opened(user);
  expect(before.symbols).toBeUndefined();
  expect(before.logged).toContain(
    "The language server odd of the plugin odd-plugin starts after you approve it: nekode lsp approve",
  );
  expect(await lsp(user, "list")).toContain("odd-plugin/odd  requires approval  .odd");
  await expect(lsp(user, "approve", "other/odd")).rejects.toThrow(UsageError);
  const approved = await lsp(user, "approve", "odd-plugin/odd");
  expect(approved).toContain(`command: ${process.execPath}`);
  expect(approved).toContain("Approved the language server odd-plugin/odd.");

  const after = await opened(user);
  const port = present(after.symbols);
  const file = path.join(user.root, "one.odd");
  expect(await port.references(file, { line: 0, column: 0 }, neverAborted)).toHaveLength(1);

  // Whatever the plugin is now, the user has not seen it.
  await writeFiles(from, { "more.txt": "more" });
  await user.cli(["update", "odd-plugin", "--yes"]);
  expect((await opened(user)).symbols).toBeUndefined();
  expect(await lsp(user)).toContain("changed, requires approval");
  await lsp(user, "approve", "--all");
  const again = present((await opened(user)).symbols);
  const [{ root } = { root: "" }] = (await user.host.plugins?.active()) ?? [];
  await appendFile(path.join(root, "more.txt"), "tampered");
  await expect(again.references(file, { line: 0, column: 0 }, neverAborted)).rejects.toThrow(
    "The language server odd cannot start: the files of its plugin changed. Ask the user to check the plugin.",
  );

  await user.cli(["remove", "odd-plugin", "--yes"]);
  await user.cli(["add", from, "--yes"]);
  expect(await lsp(user)).toContain("odd-plugin/odd  requires approval");
});
