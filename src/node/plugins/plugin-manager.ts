/** Installs, updates, lists and removes plugins, for all hosts. Nothing of a plugin is run. */
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { HookRecords } from "../../core/hooks/hook-records.ts";
import { APPROVED_LANGUAGE_SERVERS, approvalsOf } from "../../core/language-servers/approvals-folder.ts";
import { contentOfPlugin, pluginDifference } from "../../core/plugins/plugin-components.ts";
import { PluginError } from "../../core/plugins/plugin-error.ts";
import { hashOfFiles, type PluginTree, recordsOf } from "../../core/plugins/plugin-tree.ts";
import type { SystemInfo } from "../../core/ports/system.ts";
import { StoredServerRecords } from "../../core/servers/server-records.ts";
import type { ListedPlugin, PluginPreview } from "../../shared/plugin-list.ts";
import { HOOKS_FOLDER } from "../config/hook-setup.ts";
import { RECORDS_FOLDER } from "../config/server-setup.ts";
import { createStorage } from "../store/folder-storage.ts";
import { type FetchedPlugin, fetchPlugin, type PluginSource } from "./fetch-plugin.ts";
import { type InstalledPlugin, type InstalledPlugins, installedAlready } from "./installed-plugins.ts";

export interface PluginManagerOptions {
  installed: InstalledPlugins;
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  /** The workspace's folders, whose programs are not used. */
  roots(): readonly string[];
  /** Relative paths begin here. */
  cwd: string;
  system: Pick<SystemInfo, "home" | "platform">;
  log: ConstructorParameters<typeof HookRecords>[1];
}

/** A plugin in memory: exactly what the user sees is what is installed. */
export interface PreparedPlugin {
  preview: PluginPreview;
  plugin: InstalledPlugin;
  tree: PluginTree;
  /** The hash of the installed plugin that it replaces. */
  replaces: string | undefined;
}

export class PluginManager {
  readonly #options: PluginManagerOptions;

  constructor(options: PluginManagerOptions) {
    this.#options = options;
  }

  async list(): Promise<ListedPlugin[]> {
    const { installed } = this.#options;
    const listed: ListedPlugin[] = [];
    for (const [name, plugin] of await installed.all()) {
      const changed = await installed.changedFiles(name, plugin);
      const state = plugin.isOff ? "off" : changed.length > 0 ? "changed" : "on";
      listed.push({ ...described(name, plugin), state, changed });
    }
    return listed;
  }

  /** A plugin that is to be installed. Rejects with PluginError, and with Interrupt. */
  async prepare(source: PluginSource, signal: AbortSignal): Promise<PreparedPlugin> {
    const { installed } = this.#options;
    const fetched = await this.#fetch(source, signal);
    const { name } = fetched.manifest;
    const same = [...(await installed.all())].find(([other]) => other.toLowerCase() === name.toLowerCase());
    if (same) throw installedAlready(...same);
    return this.#prepared(fetched, undefined);
  }

  /** The installed plugin as it is now where it is from. Rejects with PluginError, and with Interrupt. */
  async prepareUpdate(name: string, signal: AbortSignal): Promise<PreparedPlugin> {
    const before = await this.#options.installed.get(name);
    const fetched = await this.#fetch(before.source, signal);
    if (fetched.manifest.name !== name) throw new PluginError("renamed", name, fetched.manifest.name);
    return this.#prepared(fetched, before);
  }

  async #fetch(source: PluginSource, signal: AbortSignal): Promise<FetchedPlugin> {
    const { installed, environment, roots, cwd, system } = this.#options;
    await mkdir(installed.staging, { recursive: true, mode: 0o700 });
    const options = {
      environment,
      roots: roots(),
      folder: installed.staging,
      cwd,
      home: system.home,
      signal,
    };
    return fetchPlugin(source, options);
  }

  async #prepared(
    { source, commit, tree, manifest }: FetchedPlugin,
    before: InstalledPlugin | undefined,
  ): Promise<PreparedPlugin> {
    const { name, format, version, description, places } = manifest;
    const { components, problems } = await contentOfPlugin(tree, manifest, this.#options.system.platform);
    const files = await recordsOf(tree);
    const plugin: InstalledPlugin = {
      format,
      ...(version === undefined ? {} : { version }),
      ...(description === undefined ? {} : { description }),
      source,
      ...(commit === undefined ? {} : { commit }),
      isOff: before?.isOff ?? false,
      hash: await hashOfFiles(files),
      files,
      places,
      components,
      problems,
    };
    const all = [...tree.files.values()];
    const preview: PluginPreview = {
      ...described(name, plugin),
      hash: plugin.hash,
      files: all.length,
      bytes: all.reduce((sum, { bytes }) => sum + bytes.length, 0),
      ...(before ? { difference: pluginDifference(before, plugin) } : {}),
    };
    return { preview, plugin, tree, replaces: before?.hash };
  }

  async install({ preview, plugin, tree, replaces }: PreparedPlugin): Promise<void> {
    await this.#options.installed.install(preview.name, plugin, tree, replaces);
  }

  switch(name: string, on: boolean): Promise<void> {
    return this.#options.installed.switch(name, on);
  }

  /** Also forgets what the user approved of it. */
  async remove(name: string): Promise<void> {
    const { installed, dataDir, log } = this.#options;
    await installed.remove(name);
    const storage = (folder: string) => createStorage(path.join(dataDir, folder));
    await new HookRecords(storage(HOOKS_FOLDER), log).forgetPlugin(name);
    await new StoredServerRecords(storage(RECORDS_FOLDER), log).forgetPlugin(name);
    await storage(APPROVED_LANGUAGE_SERVERS).remove(approvalsOf(name));
  }
}

function described(name: string, plugin: InstalledPlugin): Omit<ListedPlugin, "state" | "changed"> {
  const { format, version, description, source, commit, components, problems } = plugin;
  return {
    name,
    format,
    ...(version === undefined ? {} : { version }),
    ...(description === undefined ? {} : { description }),
    source: source.plugin === undefined ? source.address : `${source.address} (${source.plugin})`,
    ...(commit === undefined ? {} : { commit }),
    components,
    problems,
  };
}
