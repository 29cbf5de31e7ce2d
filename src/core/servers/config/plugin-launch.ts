/**
 * How the server of a plugin starts. A path that begins with `./` is one of the plugin, and `PLUGIN_ROOT` and `PLUGIN_DATA` name its
 * folders. Agent Plugins 1.0 (sections 7.2.1 and 9) allows neither other variables nor other places; Claude Code's format does.
 */
import { isAbsolute, posix, resolve } from "node:path";
import { type Reason, reasonOf } from "../../../shared/reason.ts";
import { type PluginOrigin, pluginVariables } from "../../ports/plugins.ts";
import type { ServerLaunch } from "../../ports/servers.ts";
import type { ServerDefinition } from "../server-types.ts";

type Launch = ServerDefinition["launch"];

const IN_FOLDER = /^(?:\.|\$\{PLUGIN_ROOT\}|\$\{PLUGIN_DATA\})(?:\/(.*))?$/s;
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why the server cannot be used; undefined: it can. */
export function pluginLaunchFault(launch: Launch, { format }: PluginOrigin): Reason | undefined {
  if (launch.type === "stdio") {
    const { command, cwd, env } = launch;
    if (command.startsWith("./") && leaves(command)) return reasonOf("invalid-value", "command");
    if (format === "claude") return undefined;
    if (!command.startsWith("./") && /[\\/]/.test(command)) return reasonOf("invalid-value", "command");
    const inside = cwd === undefined ? "" : IN_FOLDER.exec(cwd)?.[1];
    if (cwd !== undefined && (!IN_FOLDER.test(cwd) || leaves(inside ?? "")))
      return reasonOf("invalid-value", "cwd");
    const reserved = Object.keys(env).find((name) => /^PLUGIN_(?:ROOT|DATA)$/i.test(name));
    return reserved === undefined ? undefined : reasonOf("invalid-value", `env.${reserved}`);
  }
  if (format === "claude") return undefined;
  const url = URL.canParse(launch.url) ? new URL(launch.url) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  const isPlain = isSafe && url.username === "" && url.password === "" && url.hash === "";
  return isPlain ? undefined : reasonOf("invalid-value", "url");
}

function leaves(path: string): boolean {
  const plain = posix.normalize(path.replaceAll("\\", "/"));
  return plain === ".." || plain.startsWith("../") || isAbsolute(plain);
}

/** How to reach a server of Agent Plugins. The two variables of that format are replaced where it allows them; everything else stays. */
export function agentPluginLaunch(launch: Launch, plugin: PluginOrigin): ServerLaunch {
  if (launch.type !== "stdio") return { ...launch };
  const { root, data } = plugin;
  const whole = (text: string) =>
    text.replace(/\$\{PLUGIN_(ROOT|DATA)\}/g, (_, which: string) => (which === "ROOT" ? root : data));
  const { command, args, env, cwd } = launch;
  return {
    type: "stdio",
    command: pluginCommand(command, plugin),
    args: args.map(whole),
    env: {
      ...Object.fromEntries(Object.entries(env).map(([name, text]) => [name, whole(text)])),
      ...pluginVariables(plugin),
    },
    cwd: resolve(root, whole(cwd ?? ".")),
  };
}

/** In a plugin, `./` is its own folder, whatever the server's working folder is. */
export function pluginCommand(command: string, { root }: PluginOrigin): string {
  return command.startsWith("./") ? resolve(root, command) : command;
}
