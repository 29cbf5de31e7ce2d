/** The parts with which a host configures and starts MCP servers. */
import path from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { Disposable } from "../../core/lifecycle.ts";
import type { Host } from "../../core/ports/host.ts";
import { isActive, type Plugins } from "../../core/ports/plugins.ts";
import type { Secrets, ServerLaunch } from "../../core/ports/servers.ts";
import type { Log } from "../../core/ports/system.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { ServerConfigFiles, USER_FILE } from "../../core/servers/config/config-files.ts";
import { resolveLaunch } from "../../core/servers/config/variables.ts";
import { urlOf } from "../../core/servers/server-identity.ts";
import { type AskInput, ServerInputs } from "../../core/servers/server-inputs.ts";
import { StoredServerRecords } from "../../core/servers/server-records.ts";
import type { ServerConfig, ServerDefinition, ServerRecords } from "../../core/servers/server-types.ts";
import { reasonOf } from "../../shared/reason.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { createStorage } from "../store/folder-storage.ts";
import { watchFiles } from "./config-watch.ts";
import { UserServersFile } from "./config-writer.ts";

/** The folder of the records, in the data folder. */
export const RECORDS_FOLDER = "servers";

interface ServerConfigOptions {
  /** Read at each load, so that folders and trust may change. */
  workspace: Workspace;
  /** See `defaultConfigDir`. undefined: only projects' files are read. */
  configDir: string | undefined;
  plugins?: Plugins | undefined;
  /** Watches the files as the host does; default: by the system's events. */
  watch?(files: () => string[], onChange: () => void): Disposable;
}

/** Reads nothing before it is used. */
export function createServerConfig({
  workspace,
  configDir,
  plugins,
  watch,
}: ServerConfigOptions): ServerConfig {
  return new ServerConfigFiles({
    files: nodeFiles,
    workspace,
    userFile: configDir === undefined ? undefined : userFileIn(configDir),
    plugins,
    watch: watch ?? watchFiles,
  });
}

/** The user's configuration file. */
function userFileIn(configDir: string): string {
  return path.join(configDir, USER_FILE);
}

/** `dataDir`: the data folder that the hosts of this machine share, see `defaultDataDir`. */
export function createServerRecords(dataDir: string, log: Log): ServerRecords {
  return new StoredServerRecords(createStorage(path.join(dataDir, RECORDS_FOLDER)), log);
}

export interface ServerSetupOptions {
  host: Pick<Host, "workspace" | "system" | "log" | "plugins">;
  /** The folder of the user's configuration. */
  configDir: string;
  /** The data folder that the hosts of this machine share. */
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** undefined: there is nobody to ask. */
  askInput: AskInput | undefined;
  /** See `ServerConfigOptions`. */
  watch?: ServerConfigOptions["watch"];
}

export interface ServerSetup {
  config: ServerConfig;
  records: ServerRecords;
  inputs: ServerInputs;
  /** Absolute path of the user's configuration file. */
  userFile: string;
  /** Changes the user's configuration file. */
  entries: UserServersFile;
  /** Resolves the variables of a server's configuration. Rejects with ToolError, or with Interrupt. */
  resolve(server: ServerDefinition, signal: AbortSignal): Promise<ServerLaunch>;
  /** The URL of a remote server as far as it is known without asking; undefined: it is not, or the server is a local one. */
  knownUrl(server: ServerDefinition): Promise<string | undefined>;
}

/** Reads nothing before it is used. */
export function createServerSetup(options: ServerSetupOptions): ServerSetup {
  const { host, configDir, dataDir, environment, secrets, askInput, watch } = options;
  const { workspace, system, log, plugins } = host;
  const inputs = new ServerInputs({ ask: askInput, secrets, environment });
  const sources = { environment, home: system.home, input: inputs.value };
  const userFile = userFileIn(configDir);
  return {
    config: createServerConfig({ workspace, configDir, plugins, ...(watch ? { watch } : {}) }),
    records: createServerRecords(dataDir, log),
    inputs,
    userFile,
    entries: new UserServersFile(userFile),
    async resolve(server, signal) {
      // The user approved its files, too.
      if (server.plugin && !(await isActive(plugins, server.plugin)))
        throw new ToolError(
          `The MCP server ${server.name} cannot start: the files of its plugin ${server.plugin.name} changed. Ask the user to check the plugin.`,
          reasonOf("mcp-config-changed"),
        );
      return resolveLaunch(server, sources, signal);
    },
    knownUrl: (server) => urlOf(server, { ...sources, input: inputs.known }),
  };
}
