/** The port that knows the plugins which the user installed and has switched on. */
import type { PluginFormat } from "../../shared/plugin-list.ts";

/** The plugin that something is from. */
export interface PluginOrigin {
  name: string;
  format: PluginFormat;
  /** Of all its files: an approval that includes it ends when any of them changes. */
  hash: string;
  /** The folder with its files. Absolute, without links. */
  root: string;
  /** The folder in which its programs may keep something. Absolute. */
  data: string;
}

/** A plugin and its files that define something, relative to its folder, with `/`. */
export interface ActivePlugin extends PluginOrigin {
  skills: readonly string[];
  commands: readonly string[];
  /** The files of custom agents. */
  agents: readonly string[];
  hooks: readonly string[];
  servers: readonly string[];
  languageServers: readonly string[];
}

export interface Plugins {
  /** Absolute path of a file that changes when the list may have changed. */
  readonly file: string;
  /** Sorted by name. A plugin whose files are no longer those that the user saw is left out. Never rejects. */
  active(): Promise<readonly ActivePlugin[]>;
}

/** Whether something of this plugin may still be used: it is installed and switched on, and none of its files changed. */
export async function isActive(plugins: Plugins | undefined, { name, hash }: PluginOrigin): Promise<boolean> {
  return ((await plugins?.active()) ?? []).some((plugin) => plugin.name === name && plugin.hash === hash);
}

/** The text with `${CLAUDE_PLUGIN_ROOT}` and the like replaced. */
export function withPluginFolders(text: string, plugin: PluginOrigin): string {
  const variables = pluginVariables(plugin);
  return text.replace(/\$\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? (variables[name] ?? whole) : whole,
  );
}

/** The variables by which a plugin's programs and texts name its folders, without `$`. */
export function pluginVariables({ root, data }: PluginOrigin): Record<string, string> {
  return { PLUGIN_ROOT: root, PLUGIN_DATA: data, CLAUDE_PLUGIN_ROOT: root, CLAUDE_PLUGIN_DATA: data };
}
