/**
 * The `@` picker's files: listed once, by ripgrep, when first asked for, then kept true by the editor's watcher. What a
 * watcher reports as new may be ignored by git, so new files are listed again rather than believed.
 */
import { setImmediate } from "node:timers/promises";
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Search } from "../../core/ports/search.ts";
import type { Clock, Log } from "../../core/ports/system.ts";
import type { FileHit } from "../../shared/protocol.ts";
import { allTabs, tabUri } from "../editor/open-documents.ts";
import { FileList } from "./file-list.ts";
import { workspace, workspacePath } from "./workspace-folders.ts";

/** Files of all folders together that are offered. */
const mostFiles = 300_000;
/** Milliseconds that changes are gathered for before the files are listed again. */
const gather = 200;
const ignoredAlways = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;
const recentFiles = 50;
/** Paths that are taken in at once. */
const portion = 5_000;

export class FileIndex implements Disposable {
  readonly #search: Pick<Search, "files">;
  readonly #clock: Pick<Clock, "after">;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #controller = new AbortController();
  readonly #list = new FileList();
  #ready: Promise<void> | undefined;
  #relisting: Promise<void> | undefined;
  #timer: Disposable | undefined;
  /** Changes came since the last listing began. */
  #stale = false;
  /** Folders that were reported as new and that a listing then did not have: ignored, so more of them is no news. */
  readonly #ignored = new Set<string>();
  /** What the person had open, latest first. */
  #recent: string[] = [];

  constructor(search: Pick<Search, "files">, clock: Pick<Clock, "after">, log: Log) {
    this.#search = search;
    this.#clock = clock;
    this.#log = log;
    this.#store.add({ dispose: () => this.#controller.abort() });
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#opened(editor)));
    this.#opened(vscode.window.activeTextEditor);
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed()));
  }

  /** Resolves when the list is as the disk was when it was called, or later. */
  async settled(): Promise<void> {
    await this.#started();
    while (this.#stale || this.#relisting) await (this.#relisting ?? this.#relist());
  }

  /** Of `kind` alone, where it is given. */
  async find(query: string, limit: number, kind?: FileHit["kind"]): Promise<FileHit[]> {
    await this.#started();
    return this.#list.find(query, limit, this.#first(), kind);
  }

  /** What the person had before them, latest first, then what else is open. */
  #first(): string[] {
    const open = allTabs()
      .map(tabUri)
      .filter((uri) => uri?.scheme === "file")
      .map((uri) => workspacePath(uri?.fsPath ?? ""));
    return [...new Set([...this.#recent, ...open])];
  }

  dispose(): void {
    this.#timer?.dispose();
    this.#store.dispose();
  }

  #started(): Promise<void> {
    this.#ready ??= this.#start().catch((error: unknown) => {
      this.#ready = undefined;
      throw error;
    });
    return this.#ready;
  }

  async #start(): Promise<void> {
    const watcher = this.#store.add(vscode.workspace.createFileSystemWatcher("**/*", false, true, false));
    this.#store.add(watcher.onDidCreate((uri) => this.#created(uri)));
    this.#store.add(
      watcher.onDidDelete((uri) => {
        this.#list.deleteTree(workspacePath(uri.fsPath));
        // A listing under way may still have it.
        if (this.#relisting) this.#changed();
      }),
    );
    await this.#relist();
  }

  #created(uri: vscode.Uri): void {
    if (uri.scheme !== "file") return;
    const path = workspacePath(uri.fsPath);
    if (this.#list.has(path) || ignoredAlways.test(path)) return;
    if (/(?:^|\/)\.(?:git|rg)?ignore$/.test(path)) this.#ignored.clear();
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      if (this.#ignored.has(path.slice(0, at))) return;
    }
    this.#pending.add(path);
    this.#changed();
  }

  /** Paths reported since the last listing. */
  readonly #pending = new Set<string>();

  #changed(): void {
    this.#stale = true;
    if (!this.#ready || this.#relisting) return;
    this.#timer?.dispose();
    this.#timer = this.#clock.after(gather, () => {
      this.#relist().catch((error: unknown) => this.#log.error("the files could not be listed", error));
    });
  }

  #relist(): Promise<void> {
    this.#relisting ??= this.#listAll().finally(() => {
      this.#relisting = undefined;
      if (this.#stale && !this.#controller.signal.aborted) this.#changed();
    });
    return this.#relisting;
  }

  async #listAll(): Promise<void> {
    this.#timer?.dispose();
    this.#stale = false;
    const reported = [...this.#pending];
    this.#pending.clear();
    const all: string[] = [];
    for (const [index, root] of workspace.roots.entries()) {
      const limit = mostFiles - all.length;
      if (limit <= 0) break;
      const { paths } = await this.#search.files(root.path, { limit, signal: this.#controller.signal });
      for (const path of paths) all.push(index === 0 ? path : `@${root.name}:/${path}`);
    }
    // Others of this process get their turn while a long list is taken in.
    for (let at = 0; at < all.length; at += portion) {
      for (const path of all.slice(at, at + portion)) this.#list.add(path);
      await setImmediate();
    }
    this.#list.replace(all);
    for (const path of reported) {
      if (this.#list.has(path)) continue;
      const top = this.#topUnknown(path);
      if (top !== undefined) this.#ignored.add(top);
    }
  }

  /** The outermost folder of `path` that holds no listed file. */
  #topUnknown(path: string): string | undefined {
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) {
      const folder = path.slice(0, at);
      if (!this.#list.hasFolder(folder)) return folder;
    }
    return undefined;
  }

  #opened(editor: vscode.TextEditor | undefined): void {
    if (editor?.document.uri.scheme !== "file") return;
    const path = workspacePath(editor.document.uri.fsPath);
    this.#recent = [path, ...this.#recent.filter((other) => other !== path)].slice(0, recentFiles);
  }
}
