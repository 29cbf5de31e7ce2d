/** ports.Host of the editor: the disk and the machine as node sees them, the rest as the editor does. */
import { randomUUID } from "node:crypto";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { Host, Log } from "../core/ports.ts";
import { createAssets } from "../node/assets.ts";
import { systemClock } from "../node/clock.ts";
import { createDocuments } from "../node/documents.ts";
import { nodeFiles } from "../node/files.ts";
import { createGit } from "../node/git.ts";
import { createEditorFetch } from "../node/model-fetch.ts";
import { createSearch } from "../node/search.ts";
import { cliToolFinder, systemInfo } from "../node/system.ts";
import { createWeb } from "../node/web.ts";
import type { Settings } from "../shared/settings.ts";
import { CommandTerminals } from "./command-terminals.ts";
import { DiffPreviews } from "./diff-preview.ts";
import { previewScheme } from "./documents.ts";
import { createEditorFiles } from "./editor-files.ts";
import { createEditorShell } from "./editor-shell.ts";
import { FileSaver } from "./file-saver.ts";
import { Problems } from "./problems.ts";
import { editorRipgrep } from "./ripgrep-path.ts";
import { EditorSurroundings } from "./surroundings.ts";
import { workspace } from "./workspace.ts";

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
