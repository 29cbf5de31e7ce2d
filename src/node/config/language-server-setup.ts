/** Gives a host without an editor the language servers that the user configured. */
import { existsSync } from "node:fs";
import path from "node:path";
import { Interrupt, ToolError } from "../../core/errors.ts";
import { APPROVED_LANGUAGE_SERVERS } from "../../core/language-servers/approvals-folder.ts";
import { LANGUAGE_SERVERS_FILE } from "../../core/language-servers/language-server-file.ts";
import type { Host } from "../../core/ports/host.ts";
import { processGuard } from "../servers/process-guard.ts";
import { createStorage } from "../store/folder-storage.ts";
import { defaultConfigDir } from "./config-dir.ts";

/** The default for that wait. */
const START_MS = 10_000;

export interface LanguageServerOptions {
  /** The folder of the user's configuration; undefined: the default one. */
  configDir: string | undefined;
  /** The data folder that the hosts of this machine share. */
  dataDir: string;
  environment: NodeJS.ProcessEnv;
  /** The product's dist/. */
  programDir: string;
  version: string;
  /** Milliseconds to wait for a server that is starting. */
  startMs?: number;
}

export interface LanguageServerEnd {
  /** Ends all language servers. Resolves when none of their processes is left. */
  close(): Promise<void>;
}

/**
 * Where a language server is configured and may be started, the host has the port `codeSymbols` after this, also for its other folders.
 * Nothing is started before the port is used.
 */
export async function addLanguageServers(
  host: Host,
  { dataDir, environment, programDir, version, startMs = START_MS, ...options }: LanguageServerOptions,
): Promise<LanguageServerEnd | undefined> {
  const configDir = options.configDir ?? defaultConfigDir(environment);
  const userFile = configDir === undefined ? undefined : path.join(configDir, LANGUAGE_SERVERS_FILE);
  const hasOwn = userFile !== undefined && existsSync(userFile);
  const plugins = (await host.plugins?.active()) ?? [];
  if (!hasOwn && plugins.every(({ languageServers }) => languageServers.length === 0)) return undefined;
  const { root } = host.workspace;
  if (root === undefined || !host.workspace.trusted) return undefined;
  const { openConfiguredServers } = await import("../language-servers/configured-servers.ts");
  const errors = { ToolError, Interrupt };
  const approvals = createStorage(path.join(dataDir, APPROVED_LANGUAGE_SERVERS));
  const guard = processGuard(programDir);
  const opened = await openConfiguredServers({
    ...{ host, userFile, approvals, environment, guard, version, errors, startMs },
  });
  if (!opened) return undefined;
  host.codeSymbols = opened.symbolsIn(root, host.search);
  const { inFolder } = host;
  if (inFolder)
    host.inFolder = (folder) => {
      const ports = inFolder(folder);
      return { ...ports, codeSymbols: opened.symbolsIn(folder, ports.search) };
    };
  return opened;
}
