/**
 * A virtual file system that contains only documents: it has no folders, and its files cannot be moved or deleted.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";

export abstract class FlatFiles implements vscode.FileSystemProvider, Disposable {
  protected readonly store = new DisposableStore();
  readonly #changes = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  readonly onDidChangeFile = this.#changes.event;
  readonly scheme: string;

  constructor(scheme: string) {
    this.scheme = scheme;
    this.store.add(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true, isReadonly: false }),
    );
  }

  abstract stat(uri: vscode.Uri): vscode.FileStat | Promise<vscode.FileStat>;
  abstract readFile(uri: vscode.Uri): Uint8Array | Promise<Uint8Array>;
  abstract writeFile(uri: vscode.Uri, content: Uint8Array): void | Promise<void>;

  /** Notifies the editor that these documents changed. */
  protected notifyChanged(uris: readonly vscode.Uri[]): void {
    this.#changes.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  /** VS Code creates the parent folders of a new file. Here, folders are only part of a file's path. */
  createDirectory(): void {}

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.store.dispose();
  }
}
