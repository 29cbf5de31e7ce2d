/** Which files of a folder changed since the last look, for language servers that rely on their client to tell them. */
import { statSync } from "node:fs";
import path from "node:path";
import type { Search } from "../../core/ports/search.ts";
import { type DiskChange, extensionOf } from "./language-client.ts";

/** Files of a folder that are looked at. */
const LISTED_FILES = 20_000;

export class WatchedFiles {
  readonly #root: string;
  readonly #search: Pick<Search, "files">;
  /** What the last look found: the names of all files, and the stamps of those that it looked at, by absolute path. */
  #before: { names: ReadonlySet<string>; stamps: ReadonlyMap<string, string> } | undefined;

  constructor(root: string, search: Pick<Search, "files">) {
    this.#root = root;
    this.#search = search;
  }

  /** The files that are not ignored. */
  async list(signal: AbortSignal): Promise<readonly string[]> {
    const { paths } = await this.#search.files(this.#root, { limit: LISTED_FILES, signal });
    return paths;
  }

  /** The changes since the last look; the first one finds none. `extensions`: of files that are looked at; `patterns`: of others, as servers name them. */
  async changes(
    extensions: ReadonlySet<string>,
    patterns: readonly string[],
    signal: AbortSignal,
  ): Promise<DiskChange[]> {
    const isWanted = wantedFiles(extensions, patterns);
    const names = new Set(await this.list(signal));
    const stamps = new Map<string, string>();
    const changes: DiskChange[] = [];
    const before = this.#before;
    for (const name of names) {
      if (!isWanted(name)) continue;
      const file = path.join(this.#root, name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (!stat?.isFile()) continue;
      const stamp = `${stat.mtimeMs} ${stat.ctimeMs} ${stat.size} ${stat.ino}`;
      stamps.set(file, stamp);
      const known = before?.stamps.get(file);
      if (before && !before.names.has(name)) changes.push({ path: file, kind: "created" });
      else if (known !== undefined && known !== stamp) changes.push({ path: file, kind: "changed" });
    }
    for (const name of before?.names ?? [])
      if (!names.has(name) && isWanted(name))
        changes.push({ path: path.join(this.#root, name), kind: "deleted" });
    this.#before = { names, stamps };
    return changes;
  }
}

/**
 * Patterns are read as lists of names and extensions, because a file too many does no harm. One without either, such as `**`, means all
 * files.
 */
function wantedFiles(
  extensions: ReadonlySet<string>,
  patterns: readonly string[],
): (name: string) => boolean {
  const words = new Set<string>();
  let all = false;
  for (const pattern of patterns) {
    const last = pattern.split("/").at(-1) ?? pattern;
    const found = last.match(/[\w.-]*\w/g) ?? [];
    if (found.length === 0) all = true;
    for (const word of found) words.add(word.replace(/^\./, "").toLowerCase());
  }
  return (name) => {
    const extension = extensionOf(name);
    const base = path.posix.basename(name).toLowerCase().replace(/^\./, "");
    return all || extensions.has(extension) || words.has(base) || words.has(extension.slice(1));
  };
}
