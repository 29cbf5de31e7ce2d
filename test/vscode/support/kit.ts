/** What the suites share: a folder of the workspace, the product's parts on the real editor, and waiting for events. */
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import * as path from "node:path";
import * as vscode from "vscode";
import type { TextFile } from "../../../src/core/ports/files.ts";
import type { Clock, Log } from "../../../src/core/ports/system.ts";
import { systemClock } from "../../../src/node/clock.ts";
import { nodeFiles } from "../../../src/node/files/disk-files.ts";
import { DiffPreviews } from "../../../src/vscode/editor/diff-preview.ts";
import { FileSaver } from "../../../src/vscode/editor/file-saver.ts";
import { ProblemTracker } from "../../../src/vscode/editor/new-problems.ts";
import { createEditorFiles } from "../../../src/vscode/files/editor-files.ts";
import { makeReportedFolder } from "../../../src/vscode/files/watched-folders.ts";
import { isWhole } from "../../support/random.ts";

/**
 * A test of the second tier beside those whose set-up it shares: it runs where the files named *.long.test.ts do. What it proves,
 * a test of this folder proves for another case of the same rule, or a unit test without an editor.
 */
export function itWhole(title: string, body: (this: Mocha.Context) => Promise<void>): void {
  if (isWhole) it(title, body);
}

/** What VS Code keeps for the workspace, which survives a reload as JSON. */
export class Memory {
  #json: string | undefined;
  get(): unknown {
    return this.#json === undefined ? undefined : JSON.parse(this.#json);
  }
  async update(_: string, value: unknown): Promise<void> {
    this.#json = value === undefined ? undefined : JSON.stringify(value);
  }
}

/** The extension itself has the product's scheme; each kit has one of its own. */
let kits = 0;

export const quietLog: Log = {
  info: () => {},
  error: (text, cause) => console.log(`log: ${text} ${cause === undefined ? "" : String(cause)}`),
};

/** What the product waits for at most, ten times: on a busy machine a language server may take that long. */
const patientClock: Pick<Clock, "after"> = {
  after: (ms, work) => systemClock.after(ms < 500 ? ms : ms * 10, work),
};

export class Kit {
  readonly folder: string;
  readonly scheme = `nekode-test-${kits++}`;
  readonly problems = new ProblemTracker(patientClock, this.scheme);
  readonly files = createEditorFiles(nodeFiles);
  readonly previews: DiffPreviews;

  constructor() {
    const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    if (root === undefined) throw new Error("no folder is open");
    this.folder = path.join(root, `suite-${randomUUID().slice(0, 8)}`);
    const saver = new FileSaver({
      files: this.files,
      problems: this.problems,
      previewScheme: this.scheme,
      beginAgentChange: () => ({ dispose() {} }),
    });
    this.previews = new DiffPreviews(saver, quietLog, this.scheme);
  }

  path(name: string): string {
    return path.join(this.folder, name);
  }

  uri(name: string): vscode.Uri {
    return vscode.Uri.file(this.path(name));
  }

  /**
   * Writes a file and gives it as a tool would have read it. It gets its content at once: an editor that looks at a file which is
   * still being written would later refuse to save what a test types into it.
   */
  async file(name: string, content: string | Uint8Array): Promise<TextFile> {
    await this.#makeWatched(path.dirname(this.path(name)));
    const written = path.join(tmpdir(), `${this.scheme}-${randomUUID()}`);
    await writeFile(written, content);
    await rename(written, this.path(name));
    return this.files.readText(this.path(name));
  }

  /** The editor would otherwise not notice what a test changes in the folder a moment later. */
  async #makeWatched(folder: string): Promise<void> {
    if (existsSync(folder)) return;
    await this.#makeWatched(path.dirname(folder));
    await makeReportedFolder(folder);
  }

  /** Proposes the text for a file and approves it, as the agent and the user do. */
  async approve(name: string, text: string, show = true) {
    const original = await this.files.readText(this.path(name));
    const preview = this.previews.preview(this.path(name), original, { show });
    preview.update(text.slice(0, 3));
    await preview.finish(text);
    return preview.save();
  }

  bytes(name: string): Promise<Buffer> {
    return readFile(this.path(name));
  }

  /** Opens a file and puts the focus into it. */
  async show(name: string): Promise<vscode.TextEditor> {
    return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(this.uri(name)));
  }

  /** The document on the right of the preview that is on show. */
  proposal(): vscode.TextDocument | undefined {
    return vscode.workspace.textDocuments.find(
      ({ uri, isClosed }) => !isClosed && uri.scheme === this.scheme && uri.authority.startsWith("proposed-"),
    );
  }

  tabs(): string[] {
    return vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) => input instanceof vscode.TabInputTextDiff && input.modified.scheme === this.scheme,
      )
      .map((tab) => tab.label);
  }

  async dispose(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) {
      if (document.isDirty && (document.isUntitled || document.uri.fsPath.startsWith(this.folder))) {
        await vscode.window.showTextDocument(document);
        await vscode.commands.executeCommand("workbench.action.files.revert");
      }
    }
    await closeEditors();
    this.previews.dispose();
    this.problems.dispose();
    await rm(this.folder, { recursive: true, force: true });
  }
}

/**
 * Closes every editor, and resolves when the window has told that their tabs are gone. A new document that is unsaved must be
 * gone, too: VS Code opens a tab of its own for one that has none, 0.8 s after the last change, which may be in a later test.
 */
export async function closeEditors(): Promise<void> {
  await vscode.commands.executeCommand("workbench.action.closeAllEditors");
  await until(
    "no tab is open, and no new document is unsaved",
    () =>
      vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0) &&
      vscode.workspace.textDocuments.every(({ isDirty, isUntitled }) => !(isDirty && isUntitled)),
  );
}

/** Like `until`, for what no event of the editor tells, such as a terminal's name: looks again and again. */
export async function untilSeen(what: string, holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!holds()) {
    if (Date.now() > deadline) throw new Error(`it did not come to pass: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Resolves when `holds` is true, asked again at each of the editor's events; rejects when it stays false. */
export async function until(what: string, holds: () => boolean, timeoutMs = 30_000): Promise<void> {
  if (holds()) return;
  const store: vscode.Disposable[] = [];
  try {
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`it did not come to pass: ${what}`)), timeoutMs);
      const check = () => {
        if (!holds()) return;
        clearTimeout(timer);
        resolve();
      };
      store.push(
        vscode.workspace.onDidChangeTextDocument(check),
        vscode.workspace.onDidOpenTextDocument(check),
        vscode.workspace.onDidSaveTextDocument(check),
        vscode.workspace.onDidCloseTextDocument(check),
        vscode.window.onDidChangeActiveTextEditor(check),
        vscode.window.onDidChangeVisibleTextEditors(check),
        vscode.window.tabGroups.onDidChangeTabs(check),
        vscode.window.onDidChangeTextEditorVisibleRanges(check),
        vscode.window.onDidChangeActiveTerminal(check),
        vscode.window.onDidOpenTerminal(check),
        vscode.window.onDidCloseTerminal(check),
        vscode.languages.onDidChangeDiagnostics(check),
      );
    });
  } finally {
    for (const item of store) item.dispose();
  }
}
