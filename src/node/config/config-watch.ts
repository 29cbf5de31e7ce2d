/**
 * Reports changes of files that may not exist yet, by the events of their folders. If a folder does not exist, its closest
 * existing parent is watched until it does.
 */
import { type FSWatcher, statSync, watch } from "node:fs";
import path from "node:path";
import type { Disposable } from "../../core/lifecycle.ts";

export function watchFiles(files: () => string[], onChange: () => void): Disposable {
  const watcher = new FilesWatcher(files, onChange);
  return { dispose: () => watcher.dispose() };
}

class FilesWatcher {
  readonly #files: () => string[];
  readonly #onChange: () => void;
  readonly #folders = new Map<string, FSWatcher>();
  #state: string;
  #disposed = false;

  constructor(files: () => string[], onChange: () => void) {
    this.#files = files;
    this.#onChange = onChange;
    this.#watchFolders();
    this.#state = this.#stateNow();
  }

  dispose(): void {
    this.#disposed = true;
    for (const watcher of this.#folders.values()) watcher.close();
    this.#folders.clear();
  }

  #watchFolders(): void {
    const wanted = new Set(this.#files().flatMap((file) => closestFolder(file) ?? []));
    for (const folder of this.#folders.keys()) if (!wanted.has(folder)) this.#unwatch(folder);
    const added = [...wanted].filter((folder) => !this.#folders.has(folder));
    for (const folder of added) this.#watchFolder(folder);
    // Files created in a folder before its watcher started cause no event, so the folder is checked again.
    if (added.some((folder) => this.#folders.has(folder))) this.#watchFolders();
  }

  #watchFolder(folder: string): void {
    try {
      // A watcher alone does not keep the process running.
      const watcher = watch(folder, { persistent: false }, (_, name) => {
        if (this.#concerns(folder, name)) this.#check();
      });
      watcher.on("error", () => this.#unwatch(folder));
      this.#folders.set(folder, watcher);
    } catch {
      // The folder was removed in the meantime, or the system has no watchers left. The files are read again when they are
      // needed.
    }
  }

  #unwatch(folder: string): void {
    this.#folders.get(folder)?.close();
    this.#folders.delete(folder);
  }

  /** Whether the entry `name` of `folder` is a file, or on the way to one: other files of a project change all the time. */
  #concerns(folder: string, name: string | null): boolean {
    // The folder itself is reported by its own name.
    if (name === null || folded(name) === folded(path.basename(folder))) return true;
    const files = this.#files();
    // Most events are of other files: to look for the name in all paths at once takes a tenth of the time.
    if (!folded(files.join("\n")).includes(folded(name))) return false;
    return files.some((file) => {
      const [next = ""] = path.relative(folder, file).split(path.sep);
      return folded(next) === folded(name);
    });
  }

  #check(): void {
    if (this.#disposed) return;
    this.#watchFolders();
    const state = this.#stateNow();
    if (state === this.#state) return;
    this.#state = state;
    this.#onChange();
  }

  #stateNow(): string {
    return this.#files().map(describe).join("\n");
  }
}

/** Compares names like a file system that ignores case. Some file systems distinguish more. */
const folded = (name: string) => name.normalize("NFC").toLowerCase();

function describe(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found ? `${found.ino} ${found.mtimeNs} ${found.size}` : "";
}

function closestFolder(file: string): string | undefined {
  for (let folder = path.dirname(file); ; folder = path.dirname(folder)) {
    if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}
