/** Assembles the MCP servers of a project on this machine, for both hosts. */
import type { Host } from "../../core/ports/host.ts";
import type { ServerConnector } from "../../core/ports/servers.ts";
import { ProjectServers } from "../../core/servers/project-servers.ts";
import { createServerSetup, type ServerSetup, type ServerSetupOptions } from "../config/server-setup.ts";

export interface ServerHost {
  host: ServerSetupOptions["host"] & Pick<Host, "clock">;
  connector: ServerConnector;
  /** A line for the log of a server. */
  log(server: string, line: string): void;
}

/** Reads and starts nothing before a session needs the servers. */
export function createProjectServers(options: Omit<ServerSetupOptions, "host"> & ServerHost): ProjectServers {
  return projectServers(createServerSetup(options), options);
}

export function projectServers(setup: ServerSetup, { host, connector, log }: ServerHost): ProjectServers {
  const { records, inputs, config, userFile, resolve, knownUrl } = setup;
  return new ProjectServers({ host, connector, records, inputs, config, userFile, resolve, knownUrl, log });
}
