/** The ports of the terminal host, which has no editor. */
import path from "node:path";
import type { AdminPolicy } from "../core/policy/admin-policy.ts";
import type { Host } from "../core/ports/host.ts";
import type { Log } from "../core/ports/system.ts";
import type { CopiedFolder } from "../core/ports/workspace.ts";
import { createDiskFiles } from "./files/disk-files.ts";
import { type EncodingNames, editorConfigNames, firstName } from "./files/encoding-names.ts";
import { workspaceEncodings } from "./files/workspace-encodings.ts";
import { writingEditor } from "./files/write-file.ts";
import { copiedFolders, withRealPaths, worktreeAt } from "./git/worktrees/worktree-at.ts";
import { cliToolFinder } from "./machine.ts";
import { createModelFetch, createProxiedFetch } from "./net/model-fetch.ts";
import { InstalledPlugins } from "./plugins/installed-plugins.ts";
import { machinePolicy } from "./policy/machine-policy.ts";
import { createSandbox } from "./sandbox/own-sandbox.ts";
import { sharedPorts } from "./shared-ports.ts";
import { createShell } from "./shell/process-shell.ts";
import { defaultDataDir } from "./store/project-store.ts";
import { worktreePorts, worktreesDirIn } from "./worktree-ports.ts";

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
  /** The data folder that the hosts of this machine share; undefined: sessions work in the project's folder only. */
  dataDir?: string | undefined;
  /** Whether commands can run in a sandbox. Default: where this machine has one. */
  hasSandbox?: boolean;
  /** The folders that `root` is a copy of. Default: those of the worktree of Nekode that it is in, if it is in one. */
  copied?: readonly CopiedFolder[];
  /** The administrator's policy of this computer, see `machinePolicy`. */
  policy: AdminPolicy | undefined;
  log: Log;
}

async function ownCopied(root: string, dataDir: string | undefined): Promise<CopiedFolder[]> {
  if (dataDir === undefined) return [];
  const isOurs = await worktreeAt(worktreesDirIn(dataDir), root).catch(() => undefined);
  return isOurs ? copiedFolders(root) : [];
}

export interface TerminalHost extends Host {
  plugins?: InstalledPlugins;
  /** What names the encoding of a file. */
  encodings: EncodingNames;
}

/** The host of this computer, under the administrator's policy. Rejects with PolicyError. */
export async function openTerminalHost(options: Omit<TerminalHostOptions, "policy">): Promise<TerminalHost> {
  return createTerminalHost({ ...options, policy: await machinePolicy() });
}

/** Creates the ports. Nothing is written or started before a port is used. */
export function createTerminalHost(options: TerminalHostOptions): TerminalHost {
  const {
    root,
    assetsDir,
    shell,
    rgPath,
    dataDir,
    log,
    environment = process.env,
    hasSandbox = true,
    policy,
  } = options;
  const folders: string[] = [];
  let copied: Promise<CopiedFolder[]> | undefined;
  // The editor's setting before `.editorconfig`, as in VS Code.
  const encodings = firstName(
    workspaceEncodings(() => [root, ...folders], log),
    editorConfigNames,
  );
  const shared = { roots: [root], assetsDir, rgPath, environment, log, names: encodings };
  const pluginsIn = dataDir ?? defaultDataDir(environment);
  const host: TerminalHost = {
    ...sharedPorts(shared),
    ...(pluginsIn === undefined ? {} : { plugins: new InstalledPlugins(pluginsIn, log, policy) }),
    encodings,
    files: createDiskFiles(encodings),
    editor: writingEditor(encodings),
    shell: createShell({
      ...{ shell, environment, roots: () => [root, ...folders] },
      sandbox: hasSandbox ? createSandbox(environment, dataDir ?? defaultDataDir(environment)) : undefined,
    }),
    surroundings: {
      hostName: "Terminal",
      visibleFiles: () => [],
      openTabs: () => [],
      recentlyModified: () => [],
      cliTools: cliToolFinder(environment),
    },
    fetch: createModelFetch(environment),
    fetchVia: createProxiedFetch(),
    policy,
    // Starting the agent in a folder by hand implies trust.
    workspace: {
      root,
      roots: [{ name: path.basename(root), path: root }],
      trusted: true,
      copied() {
        copied ??= options.copied ? withRealPaths(options.copied) : ownCopied(root, dataDir);
        return copied;
      },
    },
  };
  if (dataDir !== undefined)
    Object.assign(host, worktreePorts(host, { ...shared, folders, worktreesDir: worktreesDirIn(dataDir) }));
  return host;
}
