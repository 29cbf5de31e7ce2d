/**
 * The window that the files of `npm test` share, one after the other, and its model: a window costs as much as five tests in it.
 * Every test begins with a new task, without an open editor, and with the files below in the folder.
 */
import { readdir, rm } from "node:fs/promises";
import path from "node:path";
import type { FrameLocator } from "playwright-core";
import { afterEach, beforeEach, expect } from "vitest";
import { NEKO_BEFORE } from "../../model-server/scripts/neko.ts";
import { type ModelServer, startModelServer } from "../../model-server/server.ts";
import { keepWorkbench, type Workbench } from "./index.ts";

export let server: ModelServer;
export let vscode: Workbench;
export let panel: FrameLocator;

let started: Promise<ModelServer> | undefined;
/** How much the model had refused before the test. */
let refused = 0;

/**
 * All that a test opens is there all the time: while Quick Open lists the files, it answers from the list of the time before, and
 * what is not in that is not found.
 */
const FILES: Record<string, string> = {
  "a.txt": "a\n",
  "b.txt": "b\n",
  "neko.txt": `${NEKO_BEFORE}\n`,
  "notes.txt": "",
  "own.txt": "own\n",
  "work.txt": "MELON-BEFORE\n",
};

/** To be called once, at the head of a file or of a `describe`. */
export function inUsualWindow(): void {
  beforeEach(async () => {
    // It ends with the worker, as the window does.
    started ??= startModelServer({ script: { turns: [] } });
    server = await started;
    vscode = await keepWorkbench({
      files: FILES,
      git: true,
      modelServer: { baseUrl: server.url },
      settings: {
        "nekode.provider.protocol": "native",
        "nekode.approval.commandSafe": true,
        // Commands that do more than read ask, whatever the machine has.
        "nekode.sandbox": "off",
        "nekode.notifications.sound": true,
        // VS Code's own view of the repository is not looked at, and would be drawn again at each change.
        "git.enabled": false,
        "editor.quickSuggestions": { other: "off", comments: "off", strings: "off" },
      },
    });
    await vscode.startOver();
    panel = vscode.panel();
    await panel.getByTestId("chat-input").fill("");
    const folder = vscode.workspace?.folder ?? "";
    for (const name of await readdir(folder))
      if (name !== ".git" && !(name in FILES))
        await rm(path.join(folder, name), { recursive: true, force: true });
    for (const [name, content] of Object.entries(FILES)) await vscode.workspace?.write(name, content);
    server.forgetRequests();
    refused = server.refusals.length;
  });
  afterEach(() => expect(server.refusals.slice(refused)).toEqual([]));
}
