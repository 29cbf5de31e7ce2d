/** The `Host` port of the editor: the disk and the machine as node sees them, the rest as the editor does. */
import { randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { Host } from "../core/ports/host.ts";
import type { Log } from "../core/ports/system.ts";
import { createAssets } from "../node/assets.ts";
import { systemClock } from "../node/clock.ts";
import { createDocuments } from "../node/documents/document-reader.ts";
import { nodeFiles } from "../node/files/disk-files.ts";
import { createGit } from "../node/git/repository.ts";
import { cliToolFinder, systemInfo } from "../node/machine.ts";
import { createEditorFetch } from "../node/net/model-fetch.ts";
import { createWeb } from "../node/net/pages.ts";
import { createSearch } from "../node/search/ripgrep-search.ts";
import type { Settings } from "../shared/settings.ts";
import { DiffPreviews } from "./editor/diff-preview.ts";
import { EditorSurroundings } from "./editor/editor-surroundings.ts";
import { FileSaver } from "./editor/file-saver.ts";
import { Problems } from "./editor/new-problems.ts";
import { previewScheme } from "./editor/open-documents.ts";
import { createEditorFiles } from "./files/editor-files.ts";
import { editorRipgrep } from "./files/ripgrep-path.ts";
import { workspace } from "./files/workspace-folders.ts";
import { CommandTerminals } from "./terminal/command-terminals.ts";
import { createEditorShell } from "./terminal/editor-shell.ts";

export interface EditorHost extends Host, Disposable {
  editor: DiffPreviews;
  /** Called around a change that is not the person's. */
  ours(uri: vscode.Uri): Disposable;
}

export function createEditorHost(extensionUri: vscode.Uri, log: Log, settings: () => Settings): EditorHost {
  const store = new DisposableStore();
  const assets = path.join(extensionUri.fsPath, "dist", "wasm");
  const files = createEditorFiles(nodeFiles);
  const surroundings = store.add(new EditorSurroundings(cliToolFinder(process.env)));
  const problems = store.add(new Problems(systemClock));
  const saver = new FileSaver({
    files,
    problems,
    previewScheme,
    ours: (uri) => surroundings.ours(uri),
  });
  const editor = store.add(new DiffPreviews(saver, log));
  const terminals = store.add(new CommandTerminals());
  const shell = store.add(createEditorShell(terminals, { mode: () => settings().terminal.mode }));

  // The search reads the folders at each call, so it gets a list that follows the window's.
  const roots = workspace.roots.map((root) => root.path);
  store.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      roots.splice(0, roots.length, ...workspace.roots.map((root) => root.path));
    }),
  );
  const documents = createDocuments(path.dirname(assets));
  const search = createSearch({ roots, rgPath: editorRipgrep(vscode.env.appRoot), near: [assets] });
  return {
    files,
    editor,
    shell,
    search,
    documents,
    surroundings,
    git: createGit(process.env, () => workspace.roots.map((root) => root.path)),
    web: createWeb(documents),
    // Looked up at each call: the editor puts its own in place of the runtime's.
    fetch: createEditorFetch((input, init) => fetch(input, init)),
    workspace,
    system: { ...systemInfo(), locale: vscode.env.language },
    assets: createAssets(assets),
    clock: systemClock,
    log,
    newId: () => randomUUID(),
    ours: (uri) => surroundings.ours(uri),
    dispose: () => store.dispose(),
  };
}
