/**
 * The current database file and the two previous ones. Each generation's file is sealed. The previous files stay, together
 * with the journals that lead from each to the next and the mirrors of those journals, until a checkpoint has written the
 * next file and read it back. So if any two of these files are damaged, lost, outdated or from another store, the others
 * restore everything that checkpoints applied.
 */
import * as z from "../../../shared/zod.ts";
import type { Storage } from "../../ports/storage.ts";
import { writerOf } from "../journal/journal.ts";
import type { Database } from "./database.ts";
import { DATABASE_FILE, type DatabaseOpener, type OpenedDatabase } from "./open-database.ts";
import { readSealed, type SealReading, seal } from "./seal.ts";
import {
  type DatabaseFacts,
  type GenerationStep,
  readHead,
  type StoreHead,
  writeHead,
} from "./store-head.ts";

export const PREVIOUS_FOLDER = "previous";
/** Mirrors of the journals in `PREVIOUS_FOLDER`, under the same names. */
export const PREVIOUS_MIRROR_FOLDER = "previous-mirror";
export const DAMAGED_FOLDER = "damaged";

/** What is wrong with the database file. */
export type DatabaseFault = "missing" | "checksum" | "outdated" | "foreign" | "unreadable";

export interface OpenedGeneration {
  base: OpenedDatabase;
  /** Generation of the file that `base` was read from. */
  generation: number;
  /** UUID of the store; undefined if neither the database nor the head contains it. */
  store: string | undefined;
  /** Names of previous journals that must also be applied; some exist only in `PREVIOUS_MIRROR_FOLDER`. */
  journals: string[];
  fault?: DatabaseFault;
  /** With a fault: the file may have contained more than `base` and the journals restore. */
  isPartial?: boolean;
}

export class Generations {
  readonly #storage: Storage;
  readonly #opener: DatabaseOpener;
  /** Largest generation found in any file. */
  #newest = 0;

  constructor(storage: Storage, opener: DatabaseOpener) {
    this.#storage = storage;
    this.#opener = opener;
  }

  /**
   * The caller reads `head` before `bytes`, the database file. `witnesses` returns the stores that the journals name.
   */
  async open(
    bytes: Uint8Array | undefined,
    head: StoreHead | undefined,
    witnesses: () => Promise<ReadonlySet<string>>,
  ): Promise<OpenedGeneration> {
    this.#newest = head?.generation ?? 0;
    if (!bytes) {
      const before = await this.#previous();
      if (!head?.generation && !before.exists)
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
      // A process died during a checkpoint, or someone restored an older file.
      const before = await this.#previous();
      return { base, generation, store, journals: generation > before.generation ? [] : before.journals };
    } catch {
      return this.#recover("unreadable", head, sealed);
    }
  }

  /**
   * Whether the database file is the one that `head` was written for, so that opening it would find no fault. `version`: of the file;
   * undefined: there is none.
   */
  async isAsLeft(head: StoreHead | undefined, version: string | undefined): Promise<boolean> {
    const before = await this.#previous();
    if (version === undefined) return !head?.generation && !before.exists;
    if (head?.database?.version !== version) return false;
    return head.database.migrations === this.#opener.migrations && head.generation > before.generation;
  }

  /**
   * Replaces the database file with `base` if the file still has that version, and reads it back. Keeps the replaced
   * file, of the generation `from`, or sets it aside if it was damaged. Requires the lock.
   */
  async replace(
    base: OpenedDatabase,
    { store, from, version }: { store: string; from: number; version: string | undefined },
  ): Promise<{ generation: number; bytes: number }> {
    const storage = this.#storage;
    const { generation: before } = await this.#previous();
    const generation = Math.max(this.#newest, before, from, generationIn(base.db)) + 1;
    base.db.run("INSERT OR REPLACE INTO store (name, value) VALUES ('generation', ?)", [generation]);
    const bytes = await seal(base.db.export(), store, generation);
    if ((await storage.stat(DATABASE_FILE))?.version !== version)
      throw new Error("another process took the lock over");
    if (base.state === "damaged") await this.#setAside(generation);
    else if (version !== undefined) await storage.duplicate(DATABASE_FILE, nameOf(from));
    await storage.replace(DATABASE_FILE, bytes, { version });
    const written = await storage.read(DATABASE_FILE);
    if (!written || (await readSealed(written)).state !== "intact")
      throw new Error("what was written cannot be read back");
    this.#newest = generation;
    return { generation, bytes: bytes.length };
  }

  /**
   * Runs after `replace`. Of the previous files, keeps the generation `from`, the one before it, and the journals that
   * lead from them to `generation`. `move` moves the journals of the last step into `PREVIOUS_FOLDER` and returns their
   * names. `keepJournals`: keeps all journals that are already there, because the database was recovered from `from`. `database`: of
   * the file that was written, if its version is known.
   */
  async retire(
    {
      store,
      from,
      generation,
      keepJournals,
      database,
    }: {
      store: string;
      from: number;
      generation: number;
      keepJournals: boolean;
      database?: Pick<DatabaseFacts, "version" | "seq">;
    },
    move: () => Promise<readonly string[]>,
  ): Promise<void> {
    const storage = this.#storage;
    const older = olderStep(await readHead(storage), from, keepJournals);
    const isKept = (file: string) => {
      if (writerOf(file) !== undefined) return keepJournals || older?.journals.includes(file);
      const base = generationOf(file);
      return base !== undefined && (base === from || base === older?.before);
    };
    for (const folder of [PREVIOUS_FOLDER, PREVIOUS_MIRROR_FOLDER])
      for (const file of await storage.list(folder))
        if (!isKept(file)) await storage.remove(`${folder}/${file}`);
    const { journals: there } = keepJournals ? await this.#previous() : { journals: [] };
    const kept = there.filter((file) => !older?.journals.includes(file));
    const journals = [...kept, ...(await move())];
    await writeHead(storage, {
      ...{ store, generation, before: from, journals },
      ...(older ? { older } : {}),
      ...(database ? { database: { ...database, migrations: this.#opener.migrations } } : {}),
    });
  }

  /** Returns why the file cannot be the current database; undefined if it can. */
  async #faultOf(
    sealed: SealReading,
    head: StoreHead | undefined,
    witnesses: () => Promise<ReadonlySet<string>>,
  ): Promise<DatabaseFault | undefined> {
    if (sealed.state === "damaged") return "checksum";
    if (!head) return undefined;
    if (sealed.state === "unsealed") return head.generation > 0 ? "outdated" : undefined;
    if (sealed.store !== head.store) {
      // Either this file or the head comes from elsewhere.
      const named = new Set([...(await witnesses()), ...(await this.#previousStores())]);
      return named.has(head.store) && !named.has(sealed.store ?? "") ? "foreign" : undefined;
    }
    return (sealed.generation ?? 0) < head.generation ? "outdated" : undefined;
  }

  async #recover(
    fault: DatabaseFault,
    head: StoreHead | undefined,
    sealed: SealReading | undefined,
  ): Promise<OpenedGeneration> {
    const { bases, journals } = await this.#previous();
    const earlier = await this.#earlier(bases);
    const { generation } = earlier;
    const store = head?.store ?? earlier.store ?? sealed?.store;
    const isPartial = !head || !leadsOn(head, generation, journals);
    const facts = { store, journals, fault, isPartial };
    const isLastResort = isPartial && generation === 0 && fault !== "foreign";
    const base = isLastResort && sealed ? await this.#openDespiteFault(sealed) : undefined;
    // The journals of a first generation restore all of it; what SQLite reads may contain changed text.
    const isFirst = base?.state === "damaged" && generationIn(base.db) === 1 && journals.length > 0;
    if (isFirst) base.db.close();
    if (!base || isFirst) return { ...facts, generation, base: { ...earlier.base, state: "damaged" } };
    earlier.base.db.close();
    return { ...facts, generation: generationIn(base.db), base };
  }

  /** Opens a file despite its fault, if SQLite can read all of it, whatever changed in it. */
  async #openDespiteFault({ content }: SealReading): Promise<OpenedDatabase | undefined> {
    try {
      const base = await this.#opener.open(content, false);
      return { ...base, state: base.state === "newer" ? base.state : "damaged" };
    } catch {
      return undefined;
    }
  }

  /** Returns the newest intact database before the current one; an empty one of generation 0 if there is none. */
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
        // Unreadable too. An older one may be readable.
      }
    }
    return { base: await this.#opener.empty(), generation: 0 };
  }

  /** Lists the files kept from before, newest first. */
  async #previous(): Promise<{ exists: boolean; generation: number; bases: number[]; journals: string[] }> {
    const files = await this.#storage.list(PREVIOUS_FOLDER);
    const mirrors = await this.#storage.list(PREVIOUS_MIRROR_FOLDER);
    const bases = files.flatMap((file) => generationOf(file) ?? []).sort((a, b) => b - a);
    const journals = [...new Set([...files, ...mirrors])]
      .filter((file) => writerOf(file) !== undefined)
      .sort();
    return { exists: files.length > 0, generation: bases[0] ?? 0, bases, journals };
  }

  async #previousStores(): Promise<string[]> {
    const stores: string[] = [];
    for (const generation of (await this.#previous()).bases) {
      const bytes = await this.#storage.read(nameOf(generation));
      const store = bytes && (await readSealed(bytes)).store;
      if (store) stores.push(store);
    }
    return stores;
  }

  async #setAside(generation: number): Promise<void> {
    const damaged = await this.#storage.read(DATABASE_FILE);
    const name = `${DAMAGED_FOLDER}/sessions-${generation}-${crypto.randomUUID()}.db`;
    if (damaged) await this.#storage.replace(name, damaged);
  }
}

function nameOf(generation: number): string {
  return `${PREVIOUS_FOLDER}/sessions-${generation}.db`;
}

function generationOf(file: string): number | undefined {
  const digits = /^sessions-(\d{1,15})\.db$/.exec(file)?.[1];
  return digits === undefined ? undefined : Number(digits);
}

/** Returns the step to the generation `from` that the head from before this checkpoint records, if it records one. */
function olderStep(
  head: StoreHead | undefined,
  from: number,
  keepJournals: boolean,
): GenerationStep | undefined {
  if (!head || from === 0) return undefined;
  if (head.generation === from) return { before: head.before, journals: head.journals };
  return keepJournals && head.before === from ? head.older : undefined;
}

/** Whether the generation `from` and these journals restore everything that the head records. */
function leadsOn(head: StoreHead, from: number, journals: readonly string[]): boolean {
  const areThere = (names: readonly string[]) => names.every((name) => journals.includes(name));
  if (from === head.generation) return true;
  if (!areThere(head.journals)) return false;
  return from === head.before || (from === head.older?.before && areThere(head.older.journals));
}

const generationSchema = z.object({ value: z.int().check(z.nonnegative()) });

/** The generation recorded in the database itself. */
function generationIn(db: Database): number {
  return db.first(generationSchema, "SELECT value FROM store WHERE name = 'generation'")?.value ?? 0;
}
