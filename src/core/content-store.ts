/**
 * Stores contents by their SHA-256: one file each in one folder, written once however often a content is used.
 * A content that nothing uses is removed in two steps, because another process may start to use it at the same moment:
 * the file is first renamed, then its users are looked up again. A process that starts to use a content writes it again
 * after recording the use. So one of the two always notices the other.
 */

import { inParallel } from "./async.ts";
import { sha256 } from "./bytes.ts";
import type { Storage } from "./ports/storage.ts";

/** Suffix of a content whose removal has begun. */
const REMOVAL_SUFFIX = ".leaving";

export class ContentStore {
  readonly #storage: Storage;
  readonly #folder: string;
  /** Contents that this process wrote unsynced. */
  readonly #unsynced = new Set<string>();

  constructor(storage: Storage, folder: string) {
    this.#storage = storage;
    this.#folder = folder;
  }

  /** Returns the name of the content's file in the storage. */
  nameOf(hash: string): string {
    return `${this.#folder}/${hash}`;
  }

  /**
   * Writes the content unless it exists; durable when the promise resolves, unless `synced` is false. Returns whether it
   * was written.
   */
  async put(hash: string, bytes: Uint8Array, synced = true): Promise<boolean> {
    const name = this.nameOf(hash);
    const exists = (await this.#storage.stat(name))?.size === bytes.length;
    if (!exists) await this.#storage.replace(name, bytes, undefined, synced);
    else if (synced && this.#unsynced.has(hash)) await this.#storage.sync(name);
    if (synced) this.#unsynced.delete(hash);
    else if (!exists) this.#unsynced.add(hash);
    return !exists;
  }

  async has(hash: string, size: number): Promise<boolean> {
    const name = this.nameOf(hash);
    const stat = (await this.#storage.stat(name)) ?? (await this.#storage.stat(name + REMOVAL_SUFFIX));
    return stat?.size === size;
  }

  async read(hash: string): Promise<Uint8Array | "missing" | "damaged"> {
    const name = this.nameOf(hash);
    const bytes = (await this.#storage.read(name)) ?? (await this.#storage.read(name + REMOVAL_SUFFIX));
    if (!bytes) return "missing";
    return (await sha256(bytes)) === hash ? bytes : "damaged";
  }

  /** Lists all contents except those whose removal has begun. */
  async hashes(): Promise<string[]> {
    return (await this.#list()).filter(({ isBeingRemoved }) => !isBeingRemoved).map(({ hash }) => hash);
  }

  /** Lists contents whose removal has begun. A removal was interrupted if no process is working on it. */
  async pendingRemovals(): Promise<string[]> {
    return (await this.#list()).filter(({ isBeingRemoved }) => isBeingRemoved).map(({ hash }) => hash);
  }

  /** Returns the size in bytes of each content, including those whose removal has begun. */
  async sizes(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    await inParallel(await this.#list(), async ({ hash, isBeingRemoved }) => {
      const stat = await this.#storage.stat(this.nameOf(hash) + (isBeingRemoved ? REMOVAL_SUFFIX : ""));
      if (stat) sizes.set(hash, stat.size);
    });
    return sizes;
  }

  /**
   * Removes these contents, except those that `stillUsed` returns. Tries all of them, then rejects if some could not be
   * removed.
   */
  async release(hashes: readonly string[], stillUsed: () => Promise<ReadonlySet<string>>): Promise<void> {
    const errors: unknown[] = [];
    const moved: string[] = [];
    for (const hash of hashes) {
      const name = this.nameOf(hash);
      try {
        if (await this.#storage.stat(name)) await this.#storage.rename(name, name + REMOVAL_SUFFIX);
        moved.push(hash);
      } catch (error) {
        // If the file is gone, another process is removing it.
        if (await this.#storage.stat(name)) errors.push(error);
      }
    }
    const used = await stillUsed();
    for (const hash of moved) {
      try {
        if (used.has(hash)) await this.cancelRemoval([hash]);
        else await this.#storage.remove(this.nameOf(hash) + REMOVAL_SUFFIX);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Undoes the first step of a removal. */
  async cancelRemoval(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      const name = this.nameOf(hash);
      if (!(await this.#storage.stat(name + REMOVAL_SUFFIX))) continue;
      if (await this.#storage.stat(name)) await this.#storage.remove(name + REMOVAL_SUFFIX);
      else await this.#storage.rename(name + REMOVAL_SUFFIX, name);
    }
  }

  async #list(): Promise<{ hash: string; isBeingRemoved: boolean }[]> {
    const names = await this.#storage.list(this.#folder);
    return names.flatMap((name) => {
      const [, hash, suffix] = /^([0-9a-f]{64})(\.leaving)?$/.exec(name) ?? [];
      return hash === undefined ? [] : [{ hash, isBeingRemoved: suffix !== undefined }];
    });
  }
}
