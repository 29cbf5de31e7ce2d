/** A window that one file has for itself, because its tests change what the window keeps: settings, permissions, the list of tasks. */
import type { FrameLocator } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { openWorkbench, type Workbench } from "./index.ts";

export let server: ModelServer;
export let vscode: Workbench;
export let panel: FrameLocator;

/** To be called once, at the head of a file. */
export function inOwnWindow(
  settings: Record<string, unknown> = {},
  files: Record<string, string> = {},
): void {
  beforeAll(async () => {
    server = await startModelServer({ script: { turns: [] } });
    vscode = await openWorkbench({
      files: { "a.txt": "a\n", ...files },
      modelServer: { baseUrl: server.url },
      settings: { "nekode.provider.protocol": "native", ...settings },
    });
    panel = await vscode.openPanel();
  });
  afterAll(async () => {
    await vscode.close();
    expect(server.refusals).toEqual([]);
    await server.close();
  });
}
