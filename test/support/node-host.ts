/** A host on the real disk with a folder for sessions, assembled like the terminal host. */
import type { Host } from "../../src/core/ports/host.ts";
import type { Storage } from "../../src/core/ports/storage.ts";
import { createStorage } from "../../src/node/store/folder-storage.ts";
import { createTerminalHost, type TerminalHostOptions } from "../../src/node/terminal-host.ts";

export interface NodeHostOptions
  extends Omit<TerminalHostOptions, "policy">,
    Partial<Pick<TerminalHostOptions, "policy">> {
  /** The folder with this project's sessions. */
  dataDir: string;
}

export function createNodeHost({ dataDir, policy, ...options }: NodeHostOptions): {
  host: Host;
  storage: Storage;
} {
  return { host: createTerminalHost({ ...options, policy }), storage: createStorage(dataDir) };
}
