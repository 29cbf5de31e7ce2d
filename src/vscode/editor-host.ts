/** The editor's `Host` port: the disk and the machine from Node.js, everything else from the editor. */

import { existsSync } from "node:fs";
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../core/lifecycle.ts";
import type { AdminPolicy } from "../core/policy/admin-policy.ts";
import type { Host } from "../core/ports/host.ts";
import type { Log } from "../core/ports/system.ts";
import { managedEditorModels } from "../core/provider/connect/managed-requests.ts";
import { systemClock } from "../node/clock.ts";
import { createDiskFiles } from "../node/files/disk-files.ts";
import { cliToolFinder } from "../node/machine.ts";
import { createEditorFetch, createProxiedFetch } from "../node/net/model-fetch.ts";
import { InstalledPlugins } from "../node/plugins/installed-plugins.ts";
import { createSandbox } from "../node/sandbox/own-sandbox.ts";
import { sharedPorts } from "../node/shared-ports.ts";
import { defaultDataDir } from "../node/store/project-store.ts";
import { worktreePorts, worktreesDirIn } from "../node/worktree-ports.ts";
import type { Settings } from "../shared/settings.ts";
import { DiffPreviews } from "./editor/diff-preview.ts";
import { EditorCodeSymbols } from "./editor/editor-code-symbols.ts";
import { EditorKernels } from "./editor/editor-kernels.ts";
import { EditorSurroundings } from "./editor/editor-surroundings.ts";
import { extensionTools } from "./editor/extension-tools.ts";
import { FileSaver } from "./editor/file-saver.ts";
import { LanguageServers } from "./editor/language-servers.ts";
import { ProblemTracker } from "./editor/new-problems.ts";
import { PREVIEW_SCHEME } from "./editor/open-documents.ts";
import { TestControllers } from "./editor/test-controllers.ts";
import { CurrentFileTracker } from "./files/active-file.ts";
import { fileEncodingNames } from "./files/editor-encoding.ts";
import { createEditorFiles } from "./files/editor-files.ts";
import { editorWorkspace as workspace } from "./files/editor-workspace.ts";
import { givenFiles } from "./files/given-files.ts";
import { StoredAttachments } from "./files/stored-attachments.ts";
import { sessionFolders } from "./files/workspace-folders.ts";
import { createEditorModels } from "./models/language-models.ts";
import { CommandTerminals } from "./terminal/command-terminals.ts";
import { createEditorShell, type EditorShell } from "./terminal/editor-shell.ts";

export interface EditorHost extends Host, Disposable {
  plugins?: InstalledPlugins;
  editor: DiffPreviews;
  shell: EditorShell;
  current: CurrentFileTracker;
  attachedContents: StoredAttachments;
  /** Until disposed, changes of this file are attributed to the agent, not to the user. */
  beginAgentChange(uri: vscode.Uri): Disposable;
}

/** `memory`: the window's own. `policy`: the administrator's. */
export function createEditorHost(
  extensionUri: vscode.Uri,
  log: Log,
  settings: () => Settings,
  memory: Pick<vscode.Memento, "get" | "update">,
  policy: AdminPolicy | undefined,
): EditorHost {
  const store = new DisposableStore();
  const files = createEditorFiles(createDiskFiles(fileEncodingNames));
  const current = store.add(new CurrentFileTracker({ files, workspace, log }, memory));
  const surroundings = store.add(
    new EditorSurroundings(cliToolFinder(process.env), current, (signal) =>
      languageServers.stateOfWorkspace(signal),
    ),
  );
  const problems = store.add(new ProblemTracker(systemClock));
  const saver = new FileSaver({
    files,
    problems,
    previewScheme: PREVIEW_SCHEME,
    beginAgentChange: (uri) => surroundings.beginAgentChange(uri),
  });
  const editor = store.add(new DiffPreviews(saver, log));
  const terminals = store.add(new CommandTerminals());
  const shell = store.add(
    createEditorShell(terminals, {
      ...{ mode: () => settings().terminal.mode, folders: sessionFolders },
      sandbox: createSandbox(process.env, defaultDataDir(process.env)),
    }),
  );

  // Search and git read the folders at each call, so they get a list that tracks the window's folders.
  const roots = workspace.roots.map((root) => root.path);
  store.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      roots.splice(0, roots.length, ...workspace.roots.map((root) => root.path));
    }),
  );
  const options = {
    roots,
    assetsDir: path.join(extensionUri.fsPath, "dist", "wasm"),
    rgPath: editorRipgrep(vscode.env.appRoot),
    environment: process.env,
    log,
    names: fileEncodingNames,
  };
  const shared = sharedPorts(options);
  const languageServers = new LanguageServers({ search: shared.search, workspace });
  const host: EditorHost = {
    ...shared,
    codeSymbols: new EditorCodeSymbols(languageServers),
    editorTests: new TestControllers(shared.search),
    kernels: new EditorKernels(),
    files,
    editor,
    current,
    shell,
    surroundings,
    given: givenFiles,
    attachedContents: new StoredAttachments(() => systemClock.now().getTime()),
    // Looked up at each call: the editor replaces the runtime's implementation with its own.
    fetch: createEditorFetch((input, init) => fetch(input, init)),
    fetchVia: createProxiedFetch(),
    editorModels: managedEditorModels(policy, createEditorModels()),
    policy,
    ...extensionTools(extensionUri),
    workspace,
    system: { ...shared.system, locale: vscode.env.language },
    beginAgentChange: (uri) => surroundings.beginAgentChange(uri),
    dispose: () => store.dispose(),
  };
  const dataDir = defaultDataDir(process.env);
  if (dataDir !== undefined)
    Object.assign(
      host,
      { plugins: new InstalledPlugins(dataDir, log, policy) },
      worktreePorts(host, { ...options, folders: sessionFolders, worktreesDir: worktreesDirIn(dataDir) }),
    );
  return host;
}

/** The ripgrep that ships with the editor; undefined: the editor stores it elsewhere. */
export function editorRipgrep(appRoot: string): string | undefined {
  const name = process.platform === "win32" ? "rg.exe" : "rg";
  const folders = ["node_modules", "node_modules.asar.unpacked"].flatMap((modules) =>
    ["ripgrep", `ripgrep-${process.platform}-${process.arch}`, "ripgrep-universal"].map((name) =>
      path.join(appRoot, modules, "@vscode", name, "bin"),
    ),
  );
  return [
    ...folders.map((folder) => path.join(folder, name)),
    ...folders.map((folder) => path.join(folder, `${process.platform}-${process.arch}`, name)),
  ].find((file) => existsSync(file));
}
