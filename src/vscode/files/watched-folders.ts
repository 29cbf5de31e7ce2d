/**
 * Makes folders that the editor's watcher sees. On Linux, a watcher learns of a folder by watching the one that it is in, so it
 * never watches what is made in a new folder before it has heard of that one (github.com/microsoft/vscode/issues/142694). For
 * the life of the window, the editor would then notice no change of a file in there.
 */
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import * as path from "node:path";
import * as vscode from "vscode";
import { isInside } from "../../core/roots.ts";
import { within } from "../../node/clock.ts";
import { workspace } from "./workspace-folders.ts";

/** Milliseconds to wait for a report; it takes about 100. Of a folder that the user's settings exclude, none comes. */
const REPORT_TIMEOUT = 500;

/** As `mkdir` with `recursive`. Makes each folder once the editor has heard of the one around it. */
export async function makeWatchedFolder(folder: string): Promise<void> {
  for (const each of missingFolders(folder).slice(0, -1)) if (!(await makeReportedFolder(each))) break;
  await mkdir(folder, { recursive: true });
}

/** Makes one folder of the workspace. false: the editor's watcher did not report it in time. */
export async function makeReportedFolder(folder: string): Promise<boolean> {
  // Names of folders may contain what a pattern gives a meaning.
  const pattern = new vscode.RelativePattern(path.dirname(folder), "*");
  const watcher = vscode.workspace.createFileSystemWatcher(pattern, false, true, true);
  try {
    const reported = new Promise<void>((resolve) => {
      watcher.onDidCreate((uri) => {
        if (uri.fsPath === folder) resolve();
      });
    });
    await mkdir(folder, { recursive: true });
    return (await within(reported, REPORT_TIMEOUT)) !== "late";
  } finally {
    watcher.dispose();
  }
}

/** This folder of the workspace and those around it that do not exist, outermost first; none where order does not matter. */
function missingFolders(folder: string): string[] {
  const isWatched = workspace.roots.some(({ path: root }) => isInside(root, folder));
  if (process.platform !== "linux" || !isWatched) return [];
  const missing: string[] = [];
  for (let at = folder; !existsSync(at); at = path.dirname(at)) missing.unshift(at);
  return missing;
}
