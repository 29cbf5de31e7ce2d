/** The configuration and the records of MCP servers on this machine. */
import path from "node:path";
import type { Disposable } from "../../core/lifecycle.ts";
import type { Log } from "../../core/ports/system.ts";
import type { Workspace } from "../../core/ports/workspace.ts";
import { ServerConfigFiles, USER_FILE } from "../../core/servers/config/config-files.ts";
import { StoredServerRecords } from "../../core/servers/server-records.ts";
import type { ServerConfig, ServerRecords } from "../../core/servers/server-types.ts";
import { nodeFiles } from "../files/disk-files.ts";
import { createStorage } from "../store/folder-storage.ts";
import { watchFiles } from "./config-watch.ts";

/** The folder of the records, in the data folder. */
const RECORDS_FOLDER = "servers";

export interface ServerConfigOptions {
  /** Read at each load, so that folders and trust may change. */
  workspace: Workspace;
  /** See `defaultConfigDir`. undefined: only projects' files are read. */
  configDir: string | undefined;
  /** Watches the files as the host does; default: by the system's events. */
  watch?(files: () => string[], onChange: () => void): Disposable;
}

/** Reads nothing before it is used. */
export function createServerConfig({ workspace, configDir, watch }: ServerConfigOptions): ServerConfig {
  return new ServerConfigFiles({
    files: nodeFiles,
    workspace,
    userFile: configDir === undefined ? undefined : userFileIn(configDir),
    watch: watch ?? watchFiles,
  });
}

/** The user's configuration file. */
export function userFileIn(configDir: string): string {
  return path.join(configDir, USER_FILE);
}

/** `dataDir`: the data folder that the hosts of this machine share, see `defaultDataDir`. */
export function createServerRecords(dataDir: string, log: Log): ServerRecords {
  return new StoredServerRecords(createStorage(path.join(dataDir, RECORDS_FOLDER)), log);
}
