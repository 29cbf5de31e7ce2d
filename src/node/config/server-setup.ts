/** Everything that a host needs to configure and start MCP servers. */
import type { Host } from "../../core/ports/host.ts";
import type { Secrets, ServerConnector, ServerLaunch } from "../../core/ports/servers.ts";
import { type AskInput, ServerInputs } from "../../core/servers/server-inputs.ts";
import type { ServerConfig, ServerDefinition, ServerRecords } from "../../core/servers/server-types.ts";
import { resolveLaunch } from "../../core/servers/variables.ts";
import { createServerConnector } from "../servers/connector.ts";
import {
  createServerConfig,
  createServerRecords,
  type ServerConfigOptions,
  userFileIn,
} from "./config-servers.ts";
import { UserServersFile } from "./config-writer.ts";

export interface ServerSetupOptions {
  host: Pick<Host, "workspace" | "system" | "log" | "fetch">;
  /** The user's configuration folder, see `defaultConfigDir`. */
  configDir: string;
  /** The data folder that the hosts of this machine share. */
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** Asks the user for the value of an input. undefined: there is nobody to ask. */
  askInput: AskInput | undefined;
  /** The product's dist/. */
  programDir: string;
  version: string;
  watch?: ServerConfigOptions["watch"];
}

export interface ServerSetup {
  config: ServerConfig;
  records: ServerRecords;
  connector: ServerConnector;
  inputs: ServerInputs;
  /** The user's configuration file: its path, and what changes it. */
  userFile: string;
  entries: UserServersFile;
  /** Resolves the variables of a server's configuration. Rejects with ToolError, or with Interrupt. */
  resolve(server: ServerDefinition, signal: AbortSignal): Promise<ServerLaunch>;
}

/** Reads and starts nothing before it is used. */
export function createServerSetup(options: ServerSetupOptions): ServerSetup {
  const { host, configDir, dataDir, environment, secrets, askInput, programDir, version, watch } = options;
  const { workspace, system, log } = host;
  const inputs = new ServerInputs({ ask: askInput, secrets, environment });
  const sources = { environment, home: system.home, input: inputs.value };
  const userFile = userFileIn(configDir);
  return {
    config: createServerConfig({ workspace, configDir, ...(watch ? { watch } : {}) }),
    records: createServerRecords(dataDir, log),
    connector: createServerConnector({
      folder: programDir,
      roots: () => workspace.roots.map(({ path }) => path),
      environment,
      fetch: host.fetch ?? fetch,
      version,
    }),
    inputs,
    userFile,
    entries: new UserServersFile(userFile),
    resolve: (server, signal) => resolveLaunch(server, sources, signal),
  };
}
