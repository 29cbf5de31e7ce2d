/** Plugins in memory, for tests. */
import { PluginError } from "../../../../src/core/plugins/plugin-error.ts";
import { type PluginEntry, type PluginTree, treeOf } from "../../../../src/core/plugins/plugin-tree.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

/** A file for each path; a text that begins with `->` is the target of a link. */
export function entriesOf(files: Readonly<Record<string, string>>): PluginEntry[] {
  return Object.entries(files).map(([path, text]) =>
    text.startsWith("->")
      ? { kind: "link", path, target: text.slice(2) }
      : { kind: "file", path, bytes: bytes(text), isExecutable: path.endsWith(".sh") },
  );
}

export function pluginTree(files: Readonly<Record<string, string>>): PluginTree {
  return treeOf(entriesOf(files));
}

export const SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json";
export const MCP_SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json";

export const claudeManifest = (fields: object = {}) => JSON.stringify({ name: "tools", ...fields });
export const agentManifest = (fields: object = {}) =>
  JSON.stringify({ $schema: SCHEMA, name: "tools", ...fields });

export const skillText = (name: string, description = "Does it.") =>
  `---\nname: ${name}\ndescription: ${description}\n---\nRead \${CLAUDE_PLUGIN_ROOT}/notes.md\n`;

export const hooksText = (command: string, event = "PreToolUse") =>
  JSON.stringify({ hooks: { [event]: [{ matcher: "Bash", hooks: [{ type: "command", command }] }] } });

/** Why it was refused; "": it was not. */
export function refusalOf(work: () => unknown): string[] {
  try {
    work();
    return [];
  } catch (error) {
    if (!(error instanceof PluginError)) throw error;
    return [error.problem.code, ...error.problem.values];
  }
}
