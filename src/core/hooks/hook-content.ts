/** What the user approves of a hook: when it runs, its command, and the content of the files of the project that the command runs. */
import { resolve } from "node:path";
import { type Fault, reasonOf } from "../../shared/reason.ts";
import { visible } from "../../shared/visible.ts";
import { sha256 } from "../bytes.ts";
import type { Files } from "../ports/files.ts";
import { type PluginOrigin, pluginVariables } from "../ports/plugins.ts";
import type { Workspace } from "../ports/workspace.ts";
import { isInside } from "../roots.ts";
import { namedScripts } from "../tools/scripts/named-scripts.ts";
import type { HookBinding, HookDefinition } from "./hook-types.ts";

export interface ContentSources {
  files: Files;
  workspace: Workspace;
  home: string;
}

export interface HookContent {
  hash: string;
  /** One item a line. Invisible characters are visible. */
  lines: string;
  /** Why the hook must not run, whatever the user approved. */
  refused?: Fault;
}

/** Texts that are shown without quotation marks, because they cannot be misread. */
const PLAIN = /^[\w@%+=:,./~${}()|*^ \\-]+$/;

export async function hookContentOf(hook: HookDefinition, sources: ContentSources): Promise<HookContent> {
  const { handler, bindings, folder, plugin } = hook;
  const command = expanded(hookCommand(hook), { folder, home: sources.home, plugin });
  const root = folder ?? sources.home;
  const scripts = await namedScripts(command, root, sources.files, sources.workspace);
  const covered = await scripts.view();
  const lines: [key: string, text: string][] = [
    ...bindings.map((binding): [string, string] => ["event", bindingText(binding)]),
    ["command", handler.command],
    ...(handler.args ?? []).map((arg): [string, string] => ["args", arg]),
    ["shell", handler.args ? "none" : handler.shell],
    ...Object.entries(handler.env)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]): [string, string] => ["env", `${name}=${value}`]),
    ...(handler.cwd === undefined ? [] : [["cwd", handler.cwd] satisfies [string, string]]),
    ...(handler.timeoutMs === undefined
      ? []
      : [["timeout", String(handler.timeoutMs / 1000)] satisfies [string, string]]),
    ...(handler.isAsync ? [["async", "true"] satisfies [string, string]] : []),
    // The hash covers all files of the plugin, so that any change of it asks again.
    ...(plugin ? [["plugin", `${plugin.name} ${plugin.hash}`] satisfies [string, string]] : []),
    ...(covered?.files ?? []).map((file): [string, string] => ["file", file]),
    ...(covered ? [["content", covered.hash] satisfies [string, string]] : []),
  ];
  const text = lines.map(
    ([key, value]) => `${key}: ${visible(PLAIN.test(value) ? value : JSON.stringify(value))}`,
  );
  const elsewhere = await linkedElsewhere(command, root, sources);
  return {
    hash: await sha256(new TextEncoder().encode(JSON.stringify(lines))),
    lines: text.join("\n"),
    ...(elsewhere === undefined ? {} : { refused: reasonOf("link-elsewhere", elsewhere) }),
  };
}

export function hookCommand({ handler: { command, args = [] } }: Pick<HookDefinition, "handler">): string {
  return [command, ...args].join(" ");
}

function bindingText({ event, matcher, condition }: HookBinding): string {
  const what = [matcher, condition].filter((each) => each !== undefined && each !== "");
  return what.length === 0 ? event : `${event} (${what.join(", ")})`;
}

/** The text with the variables that name folders replaced, as a shell would do it. */
export function expanded(
  text: string,
  {
    folder = "",
    home,
    plugin,
  }: { folder?: string | undefined; home: string; plugin?: PluginOrigin | undefined },
): string {
  const ofPlugin = plugin ? pluginVariables(plugin) : {};
  return text
    .replace(/\$(?:(\w+)|\{(\w+)\})/g, (whole, plain?: string, braced?: string) => {
      const name = plain ?? braced ?? "";
      return Object.hasOwn(ofPlugin, name) ? (ofPlugin[name] ?? whole) : whole;
    })
    .replace(/\$\{?CLAUDE_PROJECT_DIR\b(?::-[^}]*)?\}?/g, () => folder)
    .replace(/\$(?:HOME\b|\{HOME\})|(?<=^|[\s"'=:])~(?=[\\/])/g, () => home);
}

/** Where a file of the project that the command names really is, if a link leads out of the project. */
async function linkedElsewhere(
  command: string,
  root: string,
  { files, workspace }: ContentSources,
): Promise<string | undefined> {
  for (const word of new Set(command.split(/[\s"'`;|&()<>=]+/))) {
    if (!/[\\/.]/.test(word)) continue;
    const path = resolve(root, word);
    const folder = workspace.roots.find((each) => isInside(each.path, path))?.path;
    if (folder === undefined || !(await files.stat(path))) continue;
    const [target, real] = await Promise.all([files.realpath(path), files.realpath(folder)]);
    if (!isInside(real, target)) return target;
  }
  return undefined;
}
