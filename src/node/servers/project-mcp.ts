/** Assembles the MCP servers of a project on this machine, for both hosts. */
import type { Host } from "../../core/ports/host.ts";
import type { Secrets, ServerConnector } from "../../core/ports/servers.ts";
import { ProjectServers } from "../../core/servers/project-servers.ts";
import { type AskInput, ServerInputs } from "../../core/servers/server-inputs.ts";
import { resolveLaunch } from "../../core/servers/variables.ts";
import { createServerConfig, createServerRecords, userFileIn } from "../config/config-servers.ts";

export interface ProjectMcpOptions {
  host: Pick<Host, "clock" | "log" | "workspace" | "system">;
  connector: ServerConnector;
  /** The folder of the user's configuration. */
  configDir: string;
  /** The data folder that the hosts of this machine share. */
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  secrets: Secrets;
  /** undefined: there is nobody to ask. */
  askInput: AskInput | undefined;
  /** A line for the log of a server. */
  log(server: string, line: string): void;
}

/** Reads and starts nothing before a session needs the servers. */
export function createProjectServers(options: ProjectMcpOptions): ProjectServers {
  const { host, connector, configDir, dataDir, environment, secrets, askInput, log } = options;
  const inputs = new ServerInputs({ ask: askInput, secrets, environment });
  const sources = { environment, home: host.system.home, input: inputs.value };
  return new ProjectServers({
    host,
    connector,
    records: createServerRecords(dataDir, host.log),
    config: createServerConfig({ workspace: host.workspace, configDir }),
    userFile: userFileIn(configDir),
    resolve: (server, signal) => resolveLaunch(server, sources, signal),
    log,
  });
}
