/** The ports of the terminal host, which has no editor. */
import path from "node:path";
import type { Host } from "../core/ports/host.ts";
import type { Log } from "../core/ports/system.ts";
import { nodeFiles } from "./files/disk-files.ts";
import { writingEditor } from "./files/write-file.ts";
import { cliToolFinder } from "./machine.ts";
import { createModelFetch, createProxiedFetch } from "./net/model-fetch.ts";
import { sharedPorts } from "./shared-ports.ts";
import { createShell } from "./shell/process-shell.ts";

export interface TerminalHostOptions {
  /** The project's folder. */
  root: string;
  /** Folder of the WebAssembly files and grammars. */
  assetsDir: string;
  /** Path of the shell; default: the user's shell. */
  shell?: string;
  /** Path of ripgrep; default: it is searched for. */
  rgPath?: string;
  environment?: NodeJS.ProcessEnv;
  log: Log;
}

/** Creates the ports. Nothing is written or started before a port is used. */
export function createTerminalHost(options: TerminalHostOptions): Host {
  const { root, assetsDir, shell, rgPath, log, environment = process.env } = options;
  return {
    ...sharedPorts({ roots: [root], assetsDir, rgPath, environment, log }),
    files: nodeFiles,
    editor: writingEditor,
    shell: createShell({ shell, environment, roots: () => [root] }),
    surroundings: {
      hostName: "Terminal",
      visibleFiles: () => [],
      openTabs: () => [],
      recentlyModified: () => [],
      cliTools: cliToolFinder(environment),
    },
    fetch: createModelFetch(environment),
    fetchVia: createProxiedFetch(),
    // Starting the agent in a folder by hand implies trust.
    workspace: { root, roots: [{ name: path.basename(root), path: root }], trusted: true },
  };
}
