/**
 * Finds the files of a project that the sandbox hides or fixes, by their names. What was found in a folder holds as long as the folder's
 * time of change, so that looking again costs one `stat` for each folder.
 */
import { lstatSync } from "node:fs";
import { readdir, realpath } from "node:fs/promises";
import path from "node:path";
import type { SandboxUse } from "../../core/ports/sandbox.ts";
import { isInside } from "../../core/roots.ts";
import { isReadAtStart, sandboxRule } from "../../core/safety/paths/sandbox-names.ts";
import { readsSecret } from "./secret-content.ts";

/** Folders of a project, without those of dependencies, that are looked at before a command. */
const MOST_FOLDERS = 20_000;

export interface GuardedFiles {
  /** Commands cannot read these files and folders. */
  hidden: string[];
  /** Commands can read these files and folders and not change them. */
  fixed: string[];
  /** Repositories' own folders, and files that name them. */
  repositories: string[];
  /** What takes effect by itself: the fixed files and folders and the repositories, as the project names them. */
  effective: string[];
}

export class TooManyFolders extends Error {}

type IsIgnored = NonNullable<SandboxUse["isIgnored"]>;

interface FolderContent extends GuardedFiles {
  /** The folder's inode and time of change. */
  version: string;
  /** Folders in it that are looked into. */
  folders: string[];
}

export class GuardedFileFinder {
  readonly #root: string;
  readonly #contents = new Map<string, FolderContent>();

  /** As of the last search. */
  #isIgnored: IsIgnored = () => false;

  /** `root`: a real path. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * `isIgnored`: files that are hidden whatever their names are; what was found holds as long as it is the same function. Throws
   * TooManyFolders; rejects if the root cannot be read.
   */
  async find(isIgnored: IsIgnored = this.#isIgnored): Promise<GuardedFiles> {
    if (isIgnored !== this.#isIgnored) this.#contents.clear();
    this.#isIgnored = isIgnored;
    const found: GuardedFiles = { hidden: [], fixed: [], repositories: [], effective: [] };
    const seen = new Set<string>();
    let folders = [this.#root];
    while (folders.length > 0) {
      for (const folder of folders) seen.add(folder);
      if (seen.size > MOST_FOLDERS) throw new TooManyFolders(this.#root);
      const contents: FolderContent[] = [];
      const changed: Promise<FolderContent>[] = [];
      // Not asynchronous: for thousands of folders, promises cost the process as much as the calls.
      for (const folder of folders) {
        const known = this.#unchanged(folder);
        if (known === undefined) changed.push(this.#content(folder));
        else contents.push(known);
      }
      contents.push(...(await Promise.all(changed)));
      folders = contents.flatMap((content) => content.folders);
      for (const content of contents) {
        found.hidden.push(...content.hidden);
        found.fixed.push(...content.fixed);
        found.repositories.push(...content.repositories);
        found.effective.push(...content.effective);
      }
    }
    if (this.#contents.size > seen.size)
      for (const folder of this.#contents.keys()) if (!seen.has(folder)) this.#contents.delete(folder);
    return found;
  }

  #unchanged(folder: string): FolderContent | undefined {
    const known = this.#contents.get(folder);
    try {
      return known?.version === versionOf(folder) ? known : undefined;
    } catch {
      // `#content` finds out why.
      return undefined;
    }
  }

  async #content(folder: string): Promise<FolderContent> {
    const nothing = { folders: [], hidden: [], fixed: [], repositories: [], effective: [] };
    try {
      const version = versionOf(folder);
      const content = { version, ...(await this.#read(folder)) };
      this.#contents.set(folder, content);
      return content;
    } catch (error) {
      // Gone, or not readable for commands either.
      if (folder !== this.#root) return { version: "", ...nothing };
      throw error;
    }
  }

  async #read(folder: string): Promise<Omit<FolderContent, "version">> {
    const content = {
      folders: [] as string[],
      hidden: [] as string[],
      fixed: [] as string[],
      repositories: [] as string[],
      effective: [] as string[],
    };
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name);
      const relative = path.relative(this.#root, file).replaceAll(path.sep, "/");
      if (entry.name === ".git") {
        content.repositories.push(file);
        content.effective.push(file);
        continue;
      }
      const rule = this.#isIgnored(relative, this.#root) ? "hidden" : sandboxRule(relative);
      if (rule === "hidden" || (isReadAtStart(relative) && readsSecret(file))) {
        content.hidden.push(await realpath(file).catch(() => file));
      } else if (rule === "fixed") {
        content.effective.push(file);
        // What a link outside of the project leads to is fixed in any case.
        const real = await realpath(file).catch(() => undefined);
        if (real !== undefined && isInside(this.#root, real)) content.fixed.push(real);
      } else if (rule === undefined && entry.isDirectory()) content.folders.push(file);
    }
    return content;
  }
}

function versionOf(folder: string): string {
  const { ino, mtimeNs } = lstatSync(folder, { bigint: true });
  return `${ino} ${mtimeNs}`;
}
