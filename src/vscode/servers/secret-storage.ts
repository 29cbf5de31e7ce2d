import type * as vscode from "vscode";
import type { Secrets } from "../../core/ports/servers.ts";

/** Keeps the secrets of MCP servers in the editor's secret storage, which all windows share. */
export function editorSecrets(storage: vscode.SecretStorage): Secrets {
  const key = (name: string) => `nekode.servers.${name}`;
  return {
    get: async (name) => storage.get(key(name)),
    set: async (name, value) => storage.store(key(name), value),
    delete: async (name) => storage.delete(key(name)),
  };
}
