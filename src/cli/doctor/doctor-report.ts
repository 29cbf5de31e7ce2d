/** `nekode doctor --report`: prints the report that issues ask for. Sends nothing. */
import type { Host } from "../../core/ports/host.ts";
import type { ServerDefinition } from "../../core/servers/server-types.ts";
import { defaultConfigDir } from "../../node/config/config-dir.ts";
import { createServerConfig } from "../../node/config/server-setup.ts";
import { ConfigError, type ConfigFault, type UserConfig } from "../../node/config/user-config.ts";
import type { UserConfigFile } from "../../node/config/user-config-file.ts";
import { gatherIssueReport } from "../../node/gather-report.ts";
import { defaultDataDir } from "../../node/store/project-store.ts";
import { openTerminalHost } from "../../node/terminal-host.ts";
import { readOptions } from "../command-options.ts";
import { keyInEnvironment } from "../config/maker-keys.ts";
import { assetsDir, configFileIn, type ProgramContext, print } from "../program.ts";
import { jsonLine } from "../screen.ts";
import type { DoctorOptions } from "./doctor-options.ts";

/** Resolves with the exit code. `version`: of Nekode. */
export async function printReport(
  context: ProgramContext,
  options: DoctorOptions,
  version: string,
): Promise<number> {
  const { environment, withKeys, cwd, log } = context;
  const { config, ...facts } = await configFacts(configFileIn(context, options.configDir));
  const { settings, searchKey = "" } = readOptions([], withKeys, cwd, config);
  const host = await openTerminalHost({ root: cwd, assetsDir, environment, log });
  const configDir = options.configDir ?? defaultConfigDir(environment);
  try {
    const { report, text } = await gatherIssueReport({
      host,
      kind: "terminal",
      version,
      ...facts,
      settings,
      environment: withKeys,
      language: environment.LC_ALL ?? environment.LC_MESSAGES ?? environment.LANG ?? "",
      dataDir: options.dataDir ?? defaultDataDir(environment),
      servers: await configuredServers(host, configDir),
      apiKey: async (connection) => keyInEnvironment(connection, withKeys),
      secrets: searchKey === "" ? [] : [searchKey],
    });
    return await print(context, options.json ? jsonLine(report) : text);
  } finally {
    host.shell.dispose();
  }
}

/** What is wrong with a configuration is part of a report. Its words would name the file and its keys. */
async function configFacts(
  file: UserConfigFile | undefined,
): Promise<{ config: UserConfig; configFault?: ConfigFault["code"]; unknownKeys: number }> {
  try {
    const { config, unknown } = (await file?.read()) ?? { config: {}, unknown: [] };
    return { config, unknownKeys: unknown.length };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { config: {}, configFault: error.fault.code, unknownKeys: 0 };
  }
}

async function configuredServers(
  { workspace, plugins, log }: Pick<Host, "workspace" | "plugins" | "log">,
  configDir: string | undefined,
): Promise<ServerDefinition[]> {
  const config = createServerConfig({ workspace, configDir, plugins });
  try {
    return (await config.load()).servers;
  } catch (error) {
    log.error("the configuration of the MCP servers could not be read", error);
    return [];
  }
}
