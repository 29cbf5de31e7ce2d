/** The ports of a host without an editor: the terminal's. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Host } from "../core/ports/host.ts";
import type { Storage } from "../core/ports/storage.ts";
import type { Log } from "../core/ports/system.ts";
import { createAssets } from "./assets.ts";
import { systemClock } from "./clock.ts";
import { createDocuments } from "./documents/document-reader.ts";
import { nodeFiles } from "./files/disk-files.ts";
import { writingEditor } from "./files/write-file.ts";
import { createGit } from "./git/repository.ts";
import { cliToolFinder, systemInfo } from "./machine.ts";
import { createModelFetch } from "./net/model-fetch.ts";
import { createWeb } from "./net/pages.ts";
import { createSearch } from "./search/ripgrep-search.ts";
import { createShell } from "./shell/process-shell.ts";
import { createStorage } from "./store/folder-storage.ts";

export interface NodePortsOptions {
  /** The project's folder. */
  root: string;
  /** WebAssembly files and grammars. */
  assetsDir: string;
  /** Path of the shell; the person's own when left out. */
  shell?: string;
  /** Path of ripgrep; looked for when left out. */
  rgPath?: string;
  environment?: NodeJS.ProcessEnv;
  log: Log;
}

export interface NodeHostOptions extends NodePortsOptions {
  /** The folder of this project's sessions, see `projectFolder`. */
  dataDir: string;
}

export function createNodeHost({ dataDir, ...options }: NodeHostOptions): { host: Host; storage: Storage } {
  return { host: createNodePorts(options), storage: createStorage(dataDir) };
}

/** The same without a place for sessions. Nothing is written or started before a port is used. */
export function createNodePorts(options: NodePortsOptions): Host {
  const { root, assetsDir, shell, rgPath, log, environment = process.env } = options;
  const documents = createDocuments(path.dirname(assetsDir));
  return {
    files: nodeFiles,
    editor: writingEditor,
    shell: createShell({ shell, environment, roots: () => [root] }),
    search: createSearch({ roots: [root], rgPath, near: [assetsDir] }),
    documents,
    surroundings: {
      hostName: "Terminal",
      visibleFiles: () => [],
      openTabs: () => [],
      recentlyModified: () => [],
      cliTools: cliToolFinder(environment),
    },
    git: createGit(environment, () => [root]),
    web: createWeb(documents),
    fetch: createModelFetch(environment),
    // Whoever starts the agent in a folder by hand trusts it.
    workspace: { root, roots: [{ name: path.basename(root), path: root }], trusted: true },
    system: systemInfo(),
    assets: createAssets(assetsDir),
    clock: systemClock,
    log,
    newId: () => randomUUID(),
  };
}
