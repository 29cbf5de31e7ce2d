/** A user with a data folder and a project, for tests of plugins on the disk. */
import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { runPluginCommand } from "../../../src/cli/plugins/plugin-command.ts";
import { readPluginOptions } from "../../../src/cli/plugins/plugin-options.ts";
import { PluginError } from "../../../src/core/plugins/plugin-error.ts";
import { InstalledPlugins } from "../../../src/node/plugins/installed-plugins.ts";
import { PluginManager } from "../../../src/node/plugins/plugin-manager.ts";
import { createTerminalHost, type TerminalHost } from "../../../src/node/terminal-host.ts";
import { translator } from "../../../src/shared/words/task-words.ts";
import { neverAborted, temporaryFolder } from "./support.ts";

const log = { info: () => {}, error: () => {} };

/** Writes a file for each path; a text that begins with `->` is the target of a link. Returns the folder. */
export async function writeFiles(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    if (text.startsWith("->")) await symlink(text.slice(2), file);
    else await writeFile(file, text);
    if (name.endsWith(".sh")) await chmod(file, 0o755);
  }
  return folder;
}

export interface PluginUser {
  root: string;
  home: string;
  dataDir: string;
  host: TerminalHost;
  installed: InstalledPlugins;
  manager: PluginManager;
  /** Runs `nekode plugin`; `answers`: what the user types, one after another. */
  cli(args: readonly string[], answers?: string[]): Promise<{ code: number; text: string }>;
  /** Writes the files of a plugin. Returns its folder. */
  source(files: Readonly<Record<string, string>>): Promise<string>;
}

export async function pluginUser(): Promise<PluginUser> {
  const [root, home] = [await temporaryFolder(), await temporaryFolder()];
  const dataDir = path.join(home, "data");
  const environment = { ...process.env, HOME: home, NEKODE_DATA_DIR: dataDir };
  const host = createTerminalHost({
    policy: undefined,
    root,
    assetsDir: root,
    environment,
    dataDir,
    hasSandbox: false,
    log,
  });
  // The home folder of the test's user may have skills and hooks.
  host.system = { ...host.system, home };
  const installed = new InstalledPlugins(dataDir, log);
  const manager = new PluginManager({
    ...{ installed, dataDir, environment, roots: () => [root], cwd: root, system: host.system, log },
  });
  const cli: PluginUser["cli"] = async (args, answers) => {
    const printed: string[] = [];
    const print = async (text: string) => void printed.push(text);
    const terminal = answers && { ask: async () => answers.shift() };
    const t = translator({});
    try {
      const around = { manager, t, terminal, signal: neverAborted, screen: { out: print, err: print } };
      const code = await runPluginCommand(readPluginOptions(args, root), around);
      return { code, text: printed.join("") };
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      return { code: 1, text: [...printed, error.problem.code, ...error.problem.values].join("\n") };
    }
  };
  const source = async (files: Readonly<Record<string, string>>) =>
    writeFiles(await temporaryFolder(), files);
  return { root, home, dataDir, host, installed, manager, cli, source };
}
