/** The ports for sessions that work in a worktree: the one that creates worktrees, and a host's other ports in such a folder. */

import path from "node:path";
import type { Host } from "../core/ports/host.ts";
import type { Surroundings } from "../core/ports/surroundings.ts";
import type { CopiedFolder } from "../core/ports/workspace.ts";
import { isInside } from "../core/roots.ts";
import { createBrowsers } from "./browser/browsers.ts";
import { createGit } from "./git/repository.ts";
import { createWorktrees } from "./git/worktrees/node-worktrees.ts";
import { copiedFolders } from "./git/worktrees/worktree-at.ts";
import { createPrograms } from "./run-program.ts";
import { createSearch } from "./search/ripgrep-search.ts";
import type { SharedPortsOptions } from "./shared-ports.ts";

export interface WorktreePortsOptions extends SharedPortsOptions {
  /** The folder of all worktrees of this user. */
  worktreesDir: string;
  /** Worktrees that sessions of this process work in. Programs on PATH are not taken from them, nor from `roots`. */
  folders: string[];
}

/** The folder of all worktrees, in the data folder that the hosts of this machine share. */
export function worktreesDirIn(dataDir: string): string {
  return path.join(dataDir, "worktrees");
}

/** `host`: read at each call, so that its ports may be replaced. */
export function worktreePorts(
  host: Host,
  options: WorktreePortsOptions,
): Required<Pick<Host, "worktrees" | "inFolder">> {
  const { worktreesDir, folders, roots, assetsDir, rgPath, environment, log, names } = options;
  return {
    worktrees: createWorktrees({
      worktreesDir,
      environment,
      log,
      roots: () => [...roots, ...folders],
      shell: { run: (command, how) => host.shell.run(command, how) },
    }),
    inFolder(folder) {
      if (!folders.includes(folder)) folders.push(folder);
      const all = [folder, ...roots];
      const name = path.basename(host.workspace.root ?? folder);
      let copied: Promise<CopiedFolder[]> | undefined;
      // Language servers, test extensions and kernels know the files of the workspace, not those of its copies.
      const { codeSymbols: _, editorTests: _tests, kernels: _kernels, ...ports } = host;
      return {
        ...ports,
        browser: createBrowsers({ environment, roots: all, log }),
        programs: createPrograms(environment, () => [...roots, ...folders]),
        git: createGit(environment, () => [...roots, ...folders], names),
        search: createSearch({ roots: all, rgPath, near: [assetsDir], environment, names }),
        surroundings: within(folder, host.surroundings),
        workspace: {
          root: folder,
          roots: [{ name, path: folder }],
          copied() {
            copied ??= copiedFolders(folder, host.workspace.root);
            return copied;
          },
          get trusted() {
            return host.workspace.trusted;
          },
          // A file in a worktree is read-only if the same file in the project is.
          isReadonly(file) {
            const { root } = host.workspace;
            if (root === undefined) return false;
            return host.workspace.isReadonly?.(path.join(root, path.relative(folder, file))) ?? false;
          },
        },
      };
    },
  };
}

/**
 * The user's surroundings, for a session in another folder: open files are named as the same files there. Problems and recent
 * changes are those of the project's folder.
 */
function within(folder: string, surroundings: Surroundings): Surroundings {
  const local = (file: string): string => {
    const inside = path.isAbsolute(file) && isInside(folder, file) ? path.relative(folder, file) : "";
    return inside === "" ? file : inside.split(path.sep).join("/");
  };
  const { hostName } = surroundings;
  return {
    hostName,
    visibleFiles: () => surroundings.visibleFiles().map(local),
    openTabs: () => surroundings.openTabs().map(local),
    namesOpenFiles: () => surroundings.namesOpenFiles?.() ?? true,
    async currentFile() {
      const file = await surroundings.currentFile?.();
      return file && { ...file, path: local(file.path) };
    },
    recentlyModified: () => [],
    cliTools: () => surroundings.cliTools(),
    selection() {
      const selection = surroundings.selection?.();
      return selection && { ...selection, path: local(selection.path) };
    },
    symbols: async (file, signal) => surroundings.symbols?.(file, signal),
    findSymbols: async (query, signal, options) =>
      (await surroundings.findSymbols?.(query, signal, options)) ?? [],
    userTerminals: () => surroundings.userTerminals?.() ?? [],
    terminalOutput: async (signal) => (await surroundings.terminalOutput?.(signal)) ?? "",
  };
}
