/**
 * The files of the `@` picker: ripgrep lists them on first use, and the editor's watcher keeps the list up to date. A
 * file that the watcher reports as new may be ignored by git, so new files trigger a new listing.
 */
import * as vscode from "vscode";
import { type Disposable, DisposableStore } from "../../core/lifecycle.ts";
import type { Search } from "../../core/ports/search.ts";
import type { Clock, Log } from "../../core/ports/system.ts";
import { rootPrefix } from "../../core/roots.ts";
import { inPortions } from "../../node/portions.ts";
import type { FileHit } from "../../shared/protocol.ts";
import { allTabs, tabUri } from "../editor/open-documents.ts";
import { FileList } from "./file-list.ts";
import { workspace, workspacePath } from "./workspace-folders.ts";

/** Maximum number of files offered, across all folders. */
const MOST_FILES = 300_000;
/** Milliseconds for which changes are collected before the files are listed again. */
const GATHER = 200;
/**
 * Milliseconds after which the files are listed again when the picker opens: the watcher does not report folders of the user's
 * `files.watcherExclude`, and can miss files of folders that are created quickly one in another.
 */
const FRESH = 10_000;
const IGNORED_ALWAYS = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/;
const RECENT_FILES = 50;

export class FileIndex implements Disposable {
  readonly #search: Pick<Search, "files">;
  readonly #clock: Pick<Clock, "after" | "now">;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #controller = new AbortController();
  readonly #list = new FileList();
  #ready: Promise<void> | undefined;
  #relisting: Promise<void> | undefined;
  #timer: Disposable | undefined;
  /** Changes arrived since the last listing began. */
  #stale = false;
  /** When the last listing began, in milliseconds of the clock. */
  #listedAt = 0;
  /**
   * Folders reported as new but absent from the following listing: they are ignored, so further reports have no effect.
   */
  readonly #ignored = new Set<string>();
  /** Files that the user had open, most recent first. */
  #recent: string[] = [];

  constructor(search: Pick<Search, "files">, clock: Pick<Clock, "after" | "now">, log: Log) {
    this.#search = search;
    this.#clock = clock;
    this.#log = log;
    this.#store.add({ dispose: () => this.#controller.abort() });
    this.#store.add(vscode.window.onDidChangeActiveTextEditor((editor) => this.#opened(editor)));
    this.#opened(vscode.window.activeTextEditor);
    this.#store.add(vscode.workspace.onDidChangeWorkspaceFolders(() => this.#changed()));
  }

  /** Resolves when the list reflects the disk at the time of the call, or later. */
  async settled(): Promise<void> {
    await this.#started();
    while (this.#stale || this.#relisting) await (this.#relisting ?? this.#relist());
  }

  /** Only entries of `kind`, if given. An empty query, with which the picker opens, also renews a list that is not fresh. */
  async find(query: string, limit: number, kind?: FileHit["kind"]): Promise<FileHit[]> {
    await this.#started();
    if (query === "" && this.#clock.now().getTime() - this.#listedAt > FRESH) this.#changed();
    return this.#list.find(query, limit, this.#first(), kind);
  }

  /** Files that the user viewed, most recent first, then other open files. */
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
        // A listing in progress may still include it.
        if (this.#relisting) this.#changed();
      }),
    );
    await this.#relist();
  }

  #created(uri: vscode.Uri): void {
    if (uri.scheme !== "file") return;
    const path = workspacePath(uri.fsPath);
    if (this.#list.has(path) || IGNORED_ALWAYS.test(path)) return;
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
    this.#timer = this.#clock.after(GATHER, () => {
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
    this.#listedAt = this.#clock.now().getTime();
    const reported = [...this.#pending];
    this.#pending.clear();
    const all: string[] = [];
    for (const root of workspace.roots) {
      const limit = MOST_FILES - all.length;
      if (limit <= 0) break;
      const { paths } = await this.#search.files(root.path, { limit, signal: this.#controller.signal });
      for (const path of paths) all.push(rootPrefix(workspace, root) + path);
    }
    for await (const portion of inPortions(all)) for (const path of portion) this.#list.add(path);
    this.#list.replace(all);
    for (const path of reported) {
      if (this.#list.has(path)) continue;
      const top = this.#topUnknown(path);
      if (top !== undefined) this.#ignored.add(top);
    }
  }

  /** The outermost folder of `path` that contains no listed file. */
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
    this.#recent = [path, ...this.#recent.filter((other) => other !== path)].slice(0, RECENT_FILES);
  }
}
