/**
 * The database of now and the one before it. Each generation's file is sealed, and the file before it is kept together
 * with the journals that lead from it to this one, until a checkpoint has written the next and read it back. So whichever
 * single file is damaged, lost, older than it should be or another store's, the rest gives back everything.
 */
import * as z from "zod";
import type { Storage } from "../../ports/storage.ts";
import { writerOf } from "../journal/journal.ts";
import type { Database } from "./database.ts";
import { type DatabaseOpener, databaseFile, type OpenedDatabase } from "./open-database.ts";
import { readSealed, type Sealed, seal } from "./seal.ts";
import { type Head, writeHead } from "./store-head.ts";

export const previousFolder = "previous";
export const damagedFolder = "damaged";

/** What is wrong with the database file. */
export type Fault = "missing" | "checksum" | "outdated" | "foreign" | "unreadable";

export interface Opened {
  base: OpenedDatabase;
  /** Of the file that `base` was read from. */
  generation: number;
  /** UUID of the store; undefined: neither the database nor the head says so. */
  store: string | undefined;
  /** Names in `previousFolder` of journals to take in as well. */
  journals: string[];
  fault?: Fault;
  /** It is used in spite of its fault, because nothing better is left. */
  isAsItIs?: boolean;
  /** The bytes to salvage from, where the generation before and its journals may not be all there was. */
  salvage?: Uint8Array;
}

export class Generations {
  readonly #storage: Storage;
  readonly #opener: DatabaseOpener;
  /** Largest generation that any file names. */
  #newest = 0;

  constructor(storage: Storage, opener: DatabaseOpener) {
    this.#storage = storage;
    this.#opener = opener;
  }

  /** `head` was read before `bytes`, the database file. `witnesses` says which stores the journals name. */
  async open(
    bytes: Uint8Array | undefined,
    head: Head | undefined,
    witnesses: () => Promise<ReadonlySet<string>>,
  ): Promise<Opened> {
    this.#newest = head?.generation ?? 0;
    if (!bytes) {
      const before = await this.#before();
      if (!head?.generation && !before.isThere)
        return { base: await this.#opener.empty(), generation: 0, store: head?.store, journals: [] };
      return this.#recover("missing", head, undefined);
    }
    const sealed = await readSealed(bytes);
    this.#newest = Math.max(this.#newest, sealed.generation ?? 0);
    const fault = await this.#faultOf(sealed, head, witnesses);
    if (fault !== undefined) return this.#recover(fault, head, sealed);
    try {
      const base = await this.#opener.open(sealed.content, sealed.state === "intact");
      const store = sealed.store ?? head?.store;
      const generation = sealed.generation ?? generationIn(base.db);
      // A process that ended in the middle of a checkpoint, or a file that somebody put back.
      const before = await this.#before();
      return { base, generation, store, journals: generation > before.generation ? [] : before.journals };
    } catch {
      return this.#recover("unreadable", head, sealed);
    }
  }

  /**
   * Puts `base` in the place of the database file, if that is still of that version, and reads it back. The file before
   * it, of the generation `from`, is kept, or set aside where it was damaged. Under the lock.
   */
  async replace(
    base: OpenedDatabase,
    { store, from, version }: { store: string; from: number; version: string | undefined },
  ): Promise<{ generation: number; bytes: number }> {
    const storage = this.#storage;
    const { generation: before } = await this.#before();
    const generation = Math.max(this.#newest, before, from, generationIn(base.db)) + 1;
    base.db.run("INSERT OR REPLACE INTO store (name, value) VALUES ('generation', ?)", [generation]);
    const bytes = await seal(base.db.export(), store, generation);
    if ((await storage.stat(databaseFile))?.version !== version)
      throw new Error("another process took the lock over");
    if (base.state === "damaged") await this.#setAside(generation);
    else if (version !== undefined) await storage.duplicate(databaseFile, nameOf(from));
    await storage.replace(databaseFile, bytes, { version });
    const written = await storage.read(databaseFile);
    if (!written || (await readSealed(written)).state !== "intact")
      throw new Error("what was written cannot be read back");
    this.#newest = generation;
    return { generation, bytes: bytes.length };
  }

  /**
   * After `replace`: of before, only the generation `from` is kept, and the journals that lead from it to `generation`:
   * those that `move` brings into `previousFolder`, whose names it resolves with. `goesOn`: those that are there stay.
   */
  async retire(
    { store, from, generation, goesOn }: { store: string; from: number; generation: number; goesOn: boolean },
    move: () => Promise<readonly string[]>,
  ): Promise<void> {
    const storage = this.#storage;
    const there = await storage.list(previousFolder);
    const kept = there.filter(
      (file) => generationOf(file) === from || (goesOn && writerOf(file) !== undefined),
    );
    for (const file of there) if (!kept.includes(file)) await storage.remove(`${previousFolder}/${file}`);
    const journals = [...kept.filter((file) => writerOf(file) !== undefined), ...(await move())];
    await writeHead(storage, { store, generation, before: from, journals });
  }

  /** Why the file cannot be the database of now; undefined: it can. */
  async #faultOf(
    sealed: Sealed,
    head: Head | undefined,
    witnesses: () => Promise<ReadonlySet<string>>,
  ): Promise<Fault | undefined> {
    if (sealed.state === "damaged") return "checksum";
    if (!head) return undefined;
    if (sealed.state === "unsealed") return head.generation > 0 ? "outdated" : undefined;
    if (sealed.store !== head.store) {
      // Either this file or the head comes from elsewhere.
      const named = new Set([...(await witnesses()), ...(await this.#storesBefore())]);
      return named.has(head.store) && !named.has(sealed.store ?? "") ? "foreign" : undefined;
    }
    return (sealed.generation ?? 0) < head.generation ? "outdated" : undefined;
  }

  async #recover(fault: Fault, head: Head | undefined, sealed: Sealed | undefined): Promise<Opened> {
    const { bases, journals } = await this.#before();
    const earlier = await this.#earlier(bases);
    const { generation } = earlier;
    const found = { generation, store: head?.store ?? earlier.store ?? sealed?.store, journals, fault };
    const isComplete =
      head?.generation === generation ||
      (head?.before === generation && head.journals.every((file) => journals.includes(file)));
    const nothingElse = isComplete || !sealed || fault === "foreign";
    if (nothingElse || generation > 0 || journals.length > 0) {
      const salvage = nothingElse ? {} : { salvage: sealed.content };
      return { ...found, ...salvage, base: { ...earlier.base, state: "damaged" } };
    }
    try {
      const base = await this.#opener.open(sealed.content, false);
      earlier.base.db.close();
      // SQLite can read all of it, whatever changed in it.
      const state = base.state === "newer" ? base.state : "damaged";
      return { ...found, isAsItIs: true, base: { ...base, state } };
    } catch {
      return { ...found, salvage: sealed.content, base: { ...earlier.base, state: "damaged" } };
    }
  }

  /** The newest database before this one that is intact; an empty one of generation 0 where there is none. */
  async #earlier(
    bases: readonly number[],
  ): Promise<{ base: OpenedDatabase; generation: number; store?: string }> {
    for (const generation of bases) {
      const bytes = await this.#storage.read(nameOf(generation));
      if (!bytes) continue;
      const sealed = await readSealed(bytes);
      if (sealed.state === "damaged") continue;
      try {
        const base = await this.#opener.open(sealed.content, sealed.state === "intact");
        if (base.state !== "newer")
          return {
            base,
            generation: sealed.generation ?? generation,
            ...(sealed.store ? { store: sealed.store } : {}),
          };
        base.db.close();
      } catch {
        // Not readable either: one before it may be.
      }
    }
    return { base: await this.#opener.empty(), generation: 0 };
  }

  /** What is kept of before, the newest first. */
  async #before(): Promise<{ isThere: boolean; generation: number; bases: number[]; journals: string[] }> {
    const files = await this.#storage.list(previousFolder);
    const bases = files.flatMap((file) => generationOf(file) ?? []).sort((a, b) => b - a);
    const journals = files.filter((file) => writerOf(file) !== undefined).sort();
    return { isThere: files.length > 0, generation: bases[0] ?? 0, bases, journals };
  }

  async #storesBefore(): Promise<string[]> {
    const stores: string[] = [];
    for (const generation of (await this.#before()).bases) {
      const bytes = await this.#storage.read(nameOf(generation));
      const store = bytes && (await readSealed(bytes)).store;
      if (store) stores.push(store);
    }
    return stores;
  }

  async #setAside(generation: number): Promise<void> {
    const damaged = await this.#storage.read(databaseFile);
    const name = `${damagedFolder}/sessions-${generation}-${crypto.randomUUID()}.db`;
    if (damaged) await this.#storage.replace(name, damaged);
  }
}

function nameOf(generation: number): string {
  return `${previousFolder}/sessions-${generation}.db`;
}

function generationOf(file: string): number | undefined {
  const digits = /^sessions-(\d{1,15})\.db$/.exec(file)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

const generationSchema = z.object({ value: z.number().int().nonnegative() });

/** As the database itself says. */
function generationIn(db: Database): number {
  return db.first(generationSchema, "SELECT value FROM store WHERE name = 'generation'")?.value ?? 0;
}
