/** A file system of a scheme of our own that holds documents and nothing else: no folders, nothing made or moved. */
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

  /** Tells the editor that it should read these again. */
  protected tellChanged(uris: readonly vscode.Uri[]): void {
    this.#changes.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  /** The editor makes the folders of a file that it writes anew; here they are but a part of its name. */
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
