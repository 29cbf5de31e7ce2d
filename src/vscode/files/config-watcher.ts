/** Reports changes of configuration files, of the workspace's folders and of its trust. */
import * as path from "node:path";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

export function watchConfigFiles(files: () => string[], onChange: () => void): Disposable {
  let watchers = watchEach(files(), onChange);
  const onFoldersChange = () => {
    watchers.dispose();
    watchers = watchEach(files(), onChange);
    onChange();
  };
  const subscriptions = [
    vscode.workspace.onDidChangeWorkspaceFolders(onFoldersChange),
    vscode.workspace.onDidGrantWorkspaceTrust(onFoldersChange),
  ];
  return {
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      watchers.dispose();
    },
  };
}

function watchEach(files: readonly string[], onChange: () => void): Disposable {
  const watchers = new DisposableStore();
  for (const file of files) {
    const folder = vscode.Uri.file(path.dirname(file));
    const watcher = watchers.add(
      vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, path.basename(file))),
    );
    watcher.onDidCreate(onChange);
    watcher.onDidChange(onChange);
    watcher.onDidDelete(onChange);
  }
  return watchers;
}
