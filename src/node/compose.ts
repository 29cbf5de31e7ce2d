/** The ports of a host without an editor: the terminal's. */
import { randomUUID } from "node:crypto";
import path from "node:path";
import type { Host, Log, Storage } from "../core/ports.ts";
import { createAssets } from "./assets.ts";
import { systemClock } from "./clock.ts";
import { createDocuments } from "./documents.ts";
import { nodeFiles } from "./files.ts";
import { createGit } from "./git.ts";
import { createModelFetch } from "./model-fetch.ts";
import { createSearch } from "./search.ts";
import { createShell } from "./shell.ts";
import { createStorage } from "./storage.ts";
import { cliToolFinder, systemInfo } from "./system.ts";
import { createWeb } from "./web.ts";
import { writingEditor } from "./write.ts";

export interface NodeHostOptions {
  /** The project's folder. */
  root: string;
  /** The folder of this project's sessions, see `projectFolder`. */
  dataDir: string;
  /** WebAssembly files and grammars. */
  assetsDir: string;
  /** Path of the shell; the person's own when left out. */
  shell?: string;
  /** Path of ripgrep; looked for when left out. */
  rgPath?: string;
  environment?: NodeJS.ProcessEnv;
  log: Log;
}

export function createNodeHost(options: NodeHostOptions): { host: Host; storage: Storage } {
  const { root, dataDir, assetsDir, shell, rgPath, log, environment = process.env } = options;
  const documents = createDocuments(path.dirname(assetsDir));
  const host: Host = {
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
  return { host, storage: createStorage(dataDir) };
}
