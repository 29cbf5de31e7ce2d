/** The entry of the bundle with the language servers that the user configured. It is loaded where at least one is. */
import path from "node:path";
import type { LanguageServerDefinition } from "../../core/language-servers/language-server-file.ts";
import { LanguageServerRecords } from "../../core/language-servers/language-server-records.ts";
import { loadLanguageServers } from "../../core/language-servers/load-language-servers.ts";
import type { Host } from "../../core/ports/host.ts";
import { isActive, pluginVariables, withPluginFolders } from "../../core/ports/plugins.ts";
import type { Storage } from "../../core/ports/storage.ts";
import type { CodeSymbols } from "../../core/ports/symbols.ts";
import { pluginCommand } from "../../core/servers/config/plugin-launch.ts";
import { reasonInEnglish } from "../../shared/words/reasons/reasons.ts";
import { findCommand } from "../find-programs.ts";
import type { ProcessGuard } from "../servers/process-guard.ts";
import { serverEnvironment } from "../servers/server-program.ts";
import { ConfiguredSymbols } from "./configured-symbols.ts";
import type { CoreErrors } from "./core-errors.ts";

export interface ConfiguredServersOptions {
  host: Pick<Host, "files" | "search" | "workspace" | "plugins" | "log">;
  /** Absolute path of the user's file. */
  userFile: string | undefined;
  /** The folder of the approvals. */
  approvals: Storage;
  environment: NodeJS.ProcessEnv;
  guard: ProcessGuard;
  version: string;
  errors: CoreErrors;
  /** Milliseconds to wait for a server that is starting. */
  startMs: number;
}

export interface ConfiguredServers {
  /** The port for sessions that work in this folder. Absolute. */
  symbolsIn(folder: string, search: Host["search"]): CodeSymbols;
  /** Ends all servers. Resolves when none of their processes is left. */
  close(): Promise<void>;
}

/** undefined: no server may be started. Nothing is started before it is asked. The log says what is wrong and what waits for approval. */
export async function openConfiguredServers(
  options: ConfiguredServersOptions,
): Promise<ConfiguredServers | undefined> {
  const { host, userFile, approvals, errors, startMs } = options;
  const { files, plugins, log } = host;
  const { servers, problems } = await loadLanguageServers({ files, userFile, plugins });
  for (const { file, line, reason } of problems) log.error(`${file}:${line}: ${reasonInEnglish(reason)}`);
  const records = new LanguageServerRecords(approvals, log);
  const usable: LanguageServerDefinition[] = [];
  for (const server of servers) {
    const trust = await records.trustOf(server);
    if (trust === "own" || trust === "approved") usable.push(server);
    else
      log.error(
        `The language server ${server.name} of the plugin ${server.plugin?.name} starts after you approve it: nekode lsp approve`,
      );
  }
  if (usable.length === 0) return undefined;
  const byFolder = new Map<string, ConfiguredSymbols>();
  return {
    symbolsIn(folder, search) {
      const symbols =
        byFolder.get(folder) ??
        new ConfiguredSymbols({
          ...{ servers: usable, root: folder, files, search, errors, startMs },
          start: (server) => launchOf(server, folder, options),
        });
      byFolder.set(folder, symbols);
      return symbols;
    },
    async close() {
      await Promise.all([...byFolder.values()].map((each) => each.close()));
    },
  };
}

/** Throws ToolError if its program is not there. */
function launchOf(
  server: LanguageServerDefinition,
  root: string,
  { host, environment: given, guard, version, errors }: ConfiguredServersOptions,
) {
  const { plugin, name } = server;
  const whole = (text: string) => (plugin ? withPluginFolders(text, plugin) : text);
  const roots = host.workspace.roots.map((each) => each.path);
  const configured = Object.fromEntries(Object.entries(server.env).map(([key, text]) => [key, whole(text)]));
  const environment = serverEnvironment(
    given,
    { ...configured, ...(plugin ? pluginVariables(plugin) : {}) },
    [...roots, root],
  );
  const command = whole(plugin ? pluginCommand(server.command, plugin) : server.command);
  // A relative path would mean a program of the project.
  const program = path.isAbsolute(command)
    ? command
    : /[/\\]/.test(command)
      ? undefined
      : findCommand(command, environment, [...roots, root]);
  if (program === undefined)
    throw new errors.ToolError(
      `The language server ${name} cannot start: there is no program ${command} on PATH outside the project.`,
    );
  return {
    ...{ server, root, guard, version },
    start: { program, args: server.args.map(whole), cwd: root, environment },
    // The user approved its files, too.
    ...(plugin ? { allowed: () => isActive(host.plugins, plugin) } : {}),
  };
}
