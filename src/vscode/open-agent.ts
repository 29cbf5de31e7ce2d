/** Starts the window's agent: its session store first, then the task that was open. */
import * as path from "node:path";
import type * as vscode from "vscode";
import type { Host } from "../core/ports.ts";
import { openSessionStore } from "../core/sessions/sessions.ts";
import { TaskManager } from "../core/task/manager.ts";
import { createStorage } from "../node/storage.ts";
import type { OpenAgent } from "./agent-holder.ts";
import type { Config } from "./config.ts";

export async function openAgent(
  host: Host,
  config: Config,
  context: Pick<vscode.ExtensionContext, "storageUri" | "globalStorageUri">,
): Promise<OpenAgent> {
  // A project's sessions are its own; a window without a folder has a place of its own too.
  const folder =
    context.storageUri !== undefined && host.workspace.root !== undefined
      ? path.join(context.storageUri.fsPath, "sessions")
      : path.join(context.globalStorageUri.fsPath, "no-workspace");
  const store = await openSessionStore(createStorage(folder), host.assets, host.clock, host.log);
  try {
    const manager = new TaskManager({
      host,
      store,
      settings: () => config.settings(),
      apiKey: () => config.apiKey(),
    });
    await manager.restore();
    return {
      agent: manager,
      async close() {
        await manager.dispose();
        await store.close();
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}
