/** Plugins as hosts list them, and what one would add before it is installed. Texts of plugins are shown as plain text. */
import * as z from "./zod.ts";

/** What is wrong with a plugin or an address. `plugin-words.ts` has the words for each code and says what its values are. */
export interface PluginProblem {
  code: string;
  values: string[];
}
const pluginProblemSchema = z.object({ code: z.string(), values: z.array(z.string()) });

/** `agent-plugins`: Agent Plugins 1.0. `claude`: the format of Claude Code, which others read too. */
export const pluginFormatSchema = z.enum(["agent-plugins", "claude"]);
export type PluginFormat = z.infer<typeof pluginFormatSchema>;

/** Something that a plugin adds. */
export const pluginComponentSchema = z.object({
  kind: z.enum(["skill", "command", "agent", "hook", "server", "language-server"]),
  /** By which it is used; of a hook, its events. */
  name: z.string(),
  /** Of a skill, a command and an agent, its description; of a hook and a server of either kind, its command line or address. */
  detail: z.string(),
  /** Relative to the plugin, with `/`. */
  file: z.string(),
});
export type PluginComponent = z.infer<typeof pluginComponentSchema>;

/** What is known of a plugin before and after it is installed. */
const describedPluginSchema = z.object({
  name: z.string(),
  format: pluginFormatSchema,
  version: z.exactOptional(z.string()),
  description: z.exactOptional(z.string()),
  /** For the user: the folder or the address, and the name in a marketplace. */
  source: z.string(),
  /** The commit that it is from, if it is from a git repository. */
  commit: z.exactOptional(z.string()),
  components: z.array(pluginComponentSchema),
  problems: z.array(pluginProblemSchema),
});

export const listedPluginSchema = z.extend(describedPluginSchema, {
  /** changed: its files are not those that were installed, so that it is not used. */
  state: z.enum(["on", "off", "changed"]),
  /** The files that changed. */
  changed: z.array(z.string()),
});
export type ListedPlugin = z.infer<typeof listedPluginSchema>;

const changeKindSchema = z.enum(["added", "changed", "removed"]);
export type PluginChangeKind = z.infer<typeof changeKindSchema>;

/** How a plugin differs from the installed one. */
export const pluginDifferenceSchema = z.object({
  /** The installed version. */
  version: z.exactOptional(z.string()),
  components: z.array(z.object({ change: changeKindSchema, component: pluginComponentSchema })),
  files: z.array(z.object({ change: changeKindSchema, path: z.string() })),
});
export type PluginDifference = z.infer<typeof pluginDifferenceSchema>;

export const pluginPreviewSchema = z.extend(describedPluginSchema, {
  /** Names exactly these files. */
  hash: z.string(),
  files: z.number(),
  bytes: z.number(),
  /** Absent: the plugin is not installed. */
  difference: z.exactOptional(pluginDifferenceSchema),
});
export type PluginPreview = z.infer<typeof pluginPreviewSchema>;

export const pluginListSchema = z.object({
  plugins: z.array(listedPluginSchema),
  /** What waits for the user's answer. */
  preview: z.exactOptional(pluginPreviewSchema),
  /** The plugins of the marketplace at this address, of which one has to be chosen. */
  choice: z.exactOptional(z.object({ address: z.string(), names: z.array(z.string()) })),
});
export type PluginList = z.infer<typeof pluginListSchema>;

/** What the user can do from the list. `hash`: what the preview showed. */
export const pluginActionSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("preview"), address: z.string(), plugin: z.exactOptional(z.string()) }),
  z.object({ action: z.literal("preview-update"), name: z.string() }),
  z.object({ action: z.literal("install"), hash: z.string() }),
  z.object({ action: z.literal("dismiss") }),
  z.object({ action: z.literal("switch"), name: z.string(), on: z.boolean() }),
  z.object({ action: z.literal("remove"), name: z.string() }),
]);
export type PluginAction = z.infer<typeof pluginActionSchema>;
