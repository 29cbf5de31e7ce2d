/**
 * Contents by their SHA-256: one file each in one folder, written once however often they are used. Removed once nobody uses
 * them, in two steps, because another process may begin to use one at that moment: a content is first moved away, then those
 * who use it are looked for again. Who begins to use one puts it again once that is on record. So one of the two notices.
 */
import { sha256 } from "./checksums.ts";
import { inParallel } from "./in-parallel.ts";
import type { Storage } from "./ports/storage.ts";

/** Suffix of a content about to be removed. */
const leaving = ".leaving";

export class ContentStore {
  readonly #storage: Storage;
  readonly #folder: string;

  constructor(storage: Storage, folder: string) {
    this.#storage = storage;
    this.#folder = folder;
  }

  /** The name of its file in the storage. */
  nameOf(hash: string): string {
    return `${this.#folder}/${hash}`;
  }

  /** Writes it if it is not there; durable when it resolves. Whether it was written. */
  async put(hash: string, bytes: Uint8Array): Promise<boolean> {
    const name = this.nameOf(hash);
    if ((await this.#storage.stat(name))?.size === bytes.length) return false;
    await this.#storage.replace(name, bytes);
    return true;
  }

  async has(hash: string, size: number): Promise<boolean> {
    const name = this.nameOf(hash);
    const found = (await this.#storage.stat(name)) ?? (await this.#storage.stat(name + leaving));
    return found?.size === size;
  }

  async read(hash: string): Promise<Uint8Array | "missing" | "damaged"> {
    const name = this.nameOf(hash);
    const bytes = (await this.#storage.read(name)) ?? (await this.#storage.read(name + leaving));
    if (!bytes) return "missing";
    return (await sha256(bytes)) === hash ? bytes : "damaged";
  }

  /** All that are there, but for those whose removal has begun. */
  async hashes(): Promise<string[]> {
    return (await this.#list()).filter(({ isLeaving }) => !isLeaving).map(({ hash }) => hash);
  }

  /** Those whose removal has begun; it was cut off if no process is at it. */
  async leaving(): Promise<string[]> {
    return (await this.#list()).filter(({ isLeaving }) => isLeaving).map(({ hash }) => hash);
  }

  /** Bytes of each, also of those whose removal has begun. */
  async sizes(): Promise<Map<string, number>> {
    const sizes = new Map<string, number>();
    await inParallel(await this.#list(), async ({ hash, isLeaving }) => {
      const found = await this.#storage.stat(this.nameOf(hash) + (isLeaving ? leaving : ""));
      if (found) sizes.set(hash, found.size);
    });
    return sizes;
  }

  /** Removes these, except for those that `stillUsed` names. Rejects after all of them where some could not be removed. */
  async release(hashes: readonly string[], stillUsed: () => Promise<ReadonlySet<string>>): Promise<void> {
    const errors: unknown[] = [];
    const moved: string[] = [];
    for (const hash of hashes) {
      const name = this.nameOf(hash);
      try {
        if (await this.#storage.stat(name)) await this.#storage.rename(name, name + leaving);
        moved.push(hash);
      } catch (error) {
        // If it is gone, another process removes it.
        if (await this.#storage.stat(name)) errors.push(error);
      }
    }
    const used = await stillUsed();
    for (const hash of moved) {
      try {
        if (used.has(hash)) await this.bringBack([hash]);
        else await this.#storage.remove(this.nameOf(hash) + leaving);
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Undoes the first step of their removal. */
  async bringBack(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      const name = this.nameOf(hash);
      if (!(await this.#storage.stat(name + leaving))) continue;
      if (await this.#storage.stat(name)) await this.#storage.remove(name + leaving);
      else await this.#storage.rename(name + leaving, name);
    }
  }

  async #list(): Promise<{ hash: string; isLeaving: boolean }[]> {
    const names = await this.#storage.list(this.#folder);
    return names.flatMap((name) => {
      const [, hash, suffix] = /^([0-9a-f]{64})(\.leaving)?$/.exec(name) ?? [];
      return hash === undefined ? [] : [{ hash, isLeaving: suffix !== undefined }];
    });
  }
}
