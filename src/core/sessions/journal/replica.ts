/**
 * The in-memory database, kept equal to what all processes of the project wrote: the database file of the last
 * checkpoint, plus all journal records since. A process that only writes does not read it.
 *
 * Processes do not wait for each other: each appends to its own journal without a lock. A checkpoint takes the lock,
 * renames all journals ("seals" them), applies them, replaces the database file, and moves the journals to the folder
 * of the previous database. A process that dies in between leaves sealed journals, which are read like any others.
 * Records carry a number that grows per writer, and the database stores the last applied number of each writer, so that
 * no record is applied twice, whatever files reappear.
 */

import * as z from "../../../shared/zod.ts";
import { joinedBytes } from "../../bytes.ts";
import { messageOf } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Assets, Log } from "../../ports/system.ts";
import { applyRecord } from "../db/apply-record.ts";
import type { Database } from "../db/database.ts";
import { DAMAGED_FOLDER, Generations, type OpenedGeneration } from "../db/generations.ts";
import { DATABASE_FILE, DatabaseOpener, type OpenedDatabase } from "../db/open-database.ts";
import { readHead, type StoreHead, writeHead } from "../db/store-head.ts";
import { Problems } from "../problems.ts";
import { DamageReporter } from "./damage.ts";
import { encodeFrame, isSealed, JournalWriter, writerOf } from "./journal.ts";
import {
  JournalFiles,
  type JournalRead,
  type JournalState,
  recordKey,
  type StampedRecord,
} from "./journal-files.ts";
import { type JournalRecord, type RecordStamp, readRecord, readStamp, recordSchema } from "./records.ts";

const LOCK_NAME = "sessions";

/**
 * Bytes of journal after which the database is rewritten; more for a larger database, so that the total cost of
 * rewriting stays proportional to what was written.
 */
const CHECKPOINT_BYTES = 4 * 1024 * 1024;
/** Records of this process that wait to be applied, at most: applying them takes a few milliseconds. */
const MOST_PENDING = 200;
/**
 * At close, the database is rewritten once the next process would have to read more than this many bytes from journals,
 * or more than this many journals. Rewriting takes a quarter of a second; to read so much, a process that only writes takes 20 ms.
 */
const CLOSE_BYTES = 512 * 1024;
const CLOSE_JOURNALS = 8;

export class Replica {
  readonly problems: Problems;
  readonly #storage: Storage;
  readonly #readOnly: boolean;
  readonly #writer: JournalWriter;
  readonly #journals: JournalFiles<JournalRecord>;
  /** The same, as far as a process needs them that only writes. */
  readonly #stamps: JournalFiles<RecordStamp>;
  readonly #generations: Generations;
  readonly #damage: DamageReporter;
  #base: OpenedDatabase | undefined;
  /** Generation of the file that `#base` was read from. */
  #generation = 0;
  /** UUID of the store; undefined: it has none yet. */
  #store: string | undefined;
  /** Something was read from a file that is not kept permanently. */
  #mustWrite = false;
  /** Version of the database file that `#base` was read from. */
  #version: string | undefined;
  #followed = new Map<string, JournalState>();
  /** Last number applied from each writer. */
  #applied = new Map<string, number>();
  /** Records of this process that are in its journal and not in the database yet, which nobody has asked since. */
  #pending: StampedRecord<JournalRecord>[] = [];
  #seq = 0;
  #unsavedBytes = 0;
  #databaseBytes = 0;
  #written = false;
  #mustKeep = false;
  #postponed = 0;
  /** Called when records of other processes, or another database file, changed what the database has. */
  onOthers: () => void = () => {};
  /** Called with the lock, before the database is written. */
  beforeWriting: (db: Database) => Promise<void> = async () => {};

  constructor(storage: Storage, assets: Assets, log: Log, steps?: readonly string[], readOnly = false) {
    this.#storage = storage;
    this.#readOnly = readOnly;
    this.#writer = new JournalWriter(storage, log);
    this.problems = new Problems(log);
    this.#journals = new JournalFiles(storage, log, readRecord);
    this.#stamps = new JournalFiles(storage, log, readStamp);
    this.#generations = new Generations(storage, new DatabaseOpener(assets, steps));
    this.#damage = new DamageReporter(this.problems);
  }

  get db(): Database {
    if (!this.#base) throw new Error("the session store is not open");
    this.#applyPending();
    return this.#base.db;
  }

  get writable(): boolean {
    return !this.#readOnly && this.#base?.state !== "newer";
  }

  /** The in-memory database differs from its file by more than the journals: it was repaired or migrated. */
  get mustCheckpoint(): boolean {
    return this.#mustWrite || this.#base?.state === "migrated" || this.#base?.state === "damaged";
  }

  get wantsCheckpoint(): boolean {
    return this.#unsavedBytes > this.#postponed + this.#checkpointAfter;
  }

  /** After a failed checkpoint, waits until the same amount was written again. */
  postpone(): void {
    this.#postponed = this.#unsavedBytes;
  }

  /** This process wrote something that is only in its journal. */
  get hasUnsaved(): boolean {
    return this.#written || this.mustCheckpoint;
  }

  /** Whether to rewrite the database before this process ends. */
  get wantsCheckpointAtClose(): boolean {
    const isLong = this.#unsavedBytes > CLOSE_BYTES || this.#followed.size >= CLOSE_JOURNALS;
    return this.mustCheckpoint || this.#mustKeep || (this.#written && isLong);
  }

  /** The in-memory database contains something worth keeping that is in no journal. */
  keepAtClose(): void {
    this.#mustKeep = true;
  }

  /**
   * Opens the store as far as a process needs that only writes, as most runs of the terminal host do: SQLite is loaded, and the
   * database read, with the first question. If anything differs from what the last checkpoint left, the database is read now, so that
   * damage is reported at the start.
   */
  async open(): Promise<void> {
    if (!(await this.#openUnread())) await this.refresh();
  }

  /** Reads the database if nobody has yet; unlike `refresh`, it does not look for what others wrote since. */
  async read(): Promise<void> {
    if (!this.isRead) await this.refresh();
  }

  get isRead(): boolean {
    return this.#base !== undefined;
  }

  /** Applies what other processes wrote; the first call reads the database. Writes nothing. */
  async refresh(): Promise<void> {
    // An attempt fails only if a checkpoint of another process interferes.
    for (let tries = 0; tries < 100; tries++) {
      const version = (await this.#storage.stat(DATABASE_FILE))?.version;
      const files = await this.#journals.list();
      const moved = files.some((file) => isSealed(file) && !this.#followed.has(file));
      const reload = !this.#base || version !== this.#version || moved;
      if (reload ? await this.#reload(version, files) : await this.#follow(version, files)) return;
    }
    throw new Error("the session store is being rewritten by others all the time");
  }

  /** In a single write, which survives the end of this process; see `sync`. Each maker receives its record's number. */
  async commit(makers: readonly ((seq: number) => JournalRecord)[]): Promise<void> {
    if (this.#readOnly) throw new Error("the sessions were opened to be read");
    if (!this.writable) throw new Error("the sessions were written by a newer version of Nekode");
    this.#store ??= await this.withLock(() => this.#identify());
    const store = this.#store;
    const records = makers.map((make) => {
      this.#seq += 1;
      // Only records that can be parsed again are written.
      return recordSchema.parse({ ...make(this.#seq), writer: this.#writer.id, store });
    });
    const frames = joinedBytes(records.map(encodeFrame));
    await this.#writer.append(frames);
    this.#unsavedBytes += frames.length;
    this.#written = true;
    // Whoever reads the database first reads them from the journal.
    if (!this.isRead) return;
    for (const record of records) this.#pending.push({ writer: this.#writer.id, record });
    if (this.#pending.length > MOST_PENDING) this.#applyPending();
  }

  /** Resolves when everything that was committed survives a power failure, too. */
  sync(): Promise<void> {
    return this.#writer.sync();
  }

  /** Reports the sessions that a damaged or missing payload belongs to. */
  reportLostPayload(payload: string): void {
    if (this.#base) this.#damage.reportPayload(this.db, payload);
  }

  /** Something in the project could not be read as it was written, now or earlier. */
  async hasDamage(): Promise<boolean> {
    return this.problems.list.length > 0 || (await this.#storage.list(DAMAGED_FOLDER)).length > 0;
  }

  /** Runs `work` while no other process runs a checkpoint or removes payloads. */
  withLock<T>(work: () => Promise<T>, waitMs?: number): Promise<T> {
    return this.#storage.withLock(LOCK_NAME, work, waitMs);
  }

  /** Applies all journals and rewrites the database. */
  async checkpoint(waitMs?: number): Promise<void> {
    if (!this.writable) return;
    await this.withLock(async () => {
      await this.refresh();
      if (!this.writable) return;
      await this.#journals.seal(this.#followed);
      await this.#applySealed();
      await this.beforeWriting(this.db);
      await this.#replaceDatabase();
    }, waitMs);
  }

  async close(): Promise<void> {
    this.#base?.db.close();
    this.#base = undefined;
    await this.#writer.close();
  }

  get #checkpointAfter(): number {
    return Math.max(CHECKPOINT_BYTES, this.#databaseBytes / 2);
  }

  /** True if nothing was sealed and no database was written since, so that what was read in between is consistent. */
  async #isUnchanged(version: string | undefined, files: readonly string[]): Promise<boolean> {
    const now = await this.#journals.list();
    const sealed = (names: readonly string[]) => names.filter(isSealed).sort().join();
    return sealed(now) === sealed(files) && (await this.#storage.stat(DATABASE_FILE))?.version === version;
  }

  /** Returns false, and changes nothing, if the database has to be read to know what is there. */
  async #openUnread(): Promise<boolean> {
    // Read before the database, which is never behind it.
    const head = await readHead(this.#storage);
    const database = await this.#storage.stat(DATABASE_FILE);
    if (!(await this.#generations.isAsLeft(head, database?.version))) return false;
    const files = await this.#journals.list();
    const followed = new Map<string, JournalState>();
    const read = await this.#stamps.readAll(files, followed);
    if (!read || read.spare.length > 0 || read.losses.length > 0) return false;
    if (read.records.some(({ record }) => record.store === undefined || record.store !== head?.store))
      return false;
    if (!(await this.#isUnchanged(database?.version, files))) return false;
    this.#store = head?.store;
    this.#followed = followed;
    this.#databaseBytes = database?.size ?? 0;
    this.#seq = read.records.reduce(
      (most, { record }) => Math.max(most, record.seq),
      head?.database?.seq ?? 0,
    );
    for (const { offset } of followed.values()) this.#unsavedBytes += offset;
    return true;
  }

  async #reload(version: string | undefined, files: readonly string[]): Promise<boolean> {
    // Read before the database, which is never behind it.
    const head = await readHead(this.#storage);
    const bytes = await this.#storage.read(DATABASE_FILE);
    if ((bytes === undefined) !== (version === undefined)) return false;
    const followed = new Map<string, JournalState>();
    const read = await this.#journals.readAll(files, followed);
    if (!read) return false;
    const opened = await this.#generations.open(bytes, head, async () => storesOf(read.records));
    const older = await this.#journals.readPrevious(opened.journals);
    if (!(await this.#isUnchanged(version, files))) {
      opened.base.db.close();
      return false;
    }
    this.#adopt(opened, head, version, bytes?.length ?? 0);
    this.#followed = followed;
    this.#applyRead({
      records: [...older.records, ...read.records],
      spare: read.spare,
      losses: [...older.losses, ...read.losses],
    });
    this.#damage.reportDatabase(this.db, opened, older.losses.length > 0);
    for (const { offset } of followed.values()) this.#unsavedBytes += offset;
    return true;
  }

  #adopt(
    opened: OpenedGeneration,
    head: StoreHead | undefined,
    version: string | undefined,
    size: number,
  ): void {
    this.#base?.db.close();
    this.#base = opened.base;
    // The journals, which are read next, have them.
    this.#pending = [];
    this.onOthers();
    opened.base.db.onInvalidRows = (detail) => this.problems.add("rows-unreadable", detail);
    this.#generation = opened.generation;
    this.#store = opened.store ?? head?.store;
    this.#version = version;
    this.#databaseBytes = size;
    this.#mustWrite = false;
    if (opened.base.state === "newer")
      this.problems.add("newer-version", `database version ${opened.base.db.userVersion()}`);
    this.#applied = appliedNumbers(opened.base.db);
    this.#seq = Math.max(this.#seq, savedNumber(opened.base.db), ...this.#applied.values());
    this.#unsavedBytes = 0;
    this.#postponed = 0;
  }

  async #follow(version: string | undefined, files: readonly string[]): Promise<boolean> {
    const followed = new Map(this.#followed);
    // The records of this process are already in memory.
    const others = files.filter((file) => writerOf(file) !== this.#writer.id);
    const read = await this.#journals.readNew(others, followed);
    if (!read || !(await this.#isUnchanged(version, files))) return false;
    // A sealed journal that is no longer listed was read before another process moved it.
    for (const file of followed.keys()) if (isSealed(file) && !files.includes(file)) followed.delete(file);
    this.#followed = followed;
    this.#applyRead(read);
    return true;
  }

  /** Applies records of this store, and records that only mirrors contain. */
  #applyRead({ records, spare, losses }: JournalRead<JournalRecord>): void {
    this.#applyPending();
    if (records.length > 0 || spare.length > 0) this.onOthers();
    this.#store ??= [...storesOf(records)][0];
    const isOurs = ({ record }: StampedRecord<RecordStamp>) =>
      record.store === undefined || record.store === this.#store;
    const ours = records.filter(isOurs);
    const foreign = records.filter((stamped) => !isOurs(stamped));
    if (foreign.length > 0) {
      this.#keepFiles(foreign);
      this.#damage.reportForeign(foreign.length);
      this.#mustWrite = true;
    }
    const known = new Set(ours.map(recordKey));
    const isNew = (stamped: StampedRecord<RecordStamp>) =>
      stamped.record.seq > (this.#applied.get(stamped.writer) ?? 0);
    const restored = spare.filter(
      (stamped) => isOurs(stamped) && isNew(stamped) && !known.has(recordKey(stamped)),
    );
    this.#apply([...ours, ...restored]);
    if (restored.length === 0 && losses.length === 0) return;
    this.#mustWrite = true;
    this.#keepFiles(restored);
    if (restored.length > 0) this.#damage.reportRestored(restored.length);
    for (const loss of losses) this.#damage.reportLoss(this.db, loss);
  }

  /** Keeps the journals that these records were read from, or are missing from, after they are applied. */
  #keepFiles(records: readonly StampedRecord<RecordStamp>[]): void {
    for (const { file } of records) {
      const known = file === undefined ? undefined : this.#followed.get(file);
      if (known) known.keep = true;
    }
  }

  /**
   * Returns the store's UUID, created at the first write. Requires the lock, so that two processes get the same one.
   */
  async #identify(): Promise<string> {
    const head = await readHead(this.#storage);
    if (head) return head.store;
    const store = crypto.randomUUID();
    // Without a database there is nothing to find missing, and each record names the store: the disk need not be waited for.
    await writeHead(this.#storage, { store, generation: 0, before: 0, journals: [] }, false);
    return store;
  }

  #applyPending(): void {
    const records = this.#pending;
    this.#pending = [];
    this.#apply(records);
  }

  #apply(records: StampedRecord<JournalRecord>[]): void {
    if (records.length === 0 || !this.#base) return;
    records.sort((a, b) => a.record.seq - b.record.seq || (a.writer < b.writer ? -1 : 1));
    const { db } = this.#base;
    db.transaction(() => {
      for (const { writer, record } of records) {
        this.#seq = Math.max(this.#seq, record.seq);
        if (record.seq <= (this.#applied.get(writer) ?? 0)) continue;
        this.#applied.set(writer, record.seq);
        try {
          applyRecord(db, record);
        } catch (error) {
          this.problems.add("record-unusable", `${record.op} of ${record.session}: ${messageOf(error)}`);
        }
      }
    });
  }

  async #applySealed(): Promise<void> {
    const read = await this.#journals.readSealed(this.#followed);
    if (!read) throw new Error("a sealed journal went away");
    this.#applyRead(read);
  }

  async #replaceDatabase(): Promise<void> {
    const { db } = this;
    this.#store ??= await this.#identify();
    const store = this.#store;
    const base = this.#base ?? { db, state: "current" as const };
    saveNumbers(db, this.#applied, this.#seq);
    const from = this.#generation;
    const keepJournals = base.state === "damaged";
    const { generation, bytes } = await this.#generations.replace(base, {
      store,
      from,
      version: this.#version,
    });
    const version = (await this.#storage.stat(DATABASE_FILE))?.version;
    const database = version === undefined ? {} : { database: { version, seq: this.#seq } };
    this.#version = version;
    this.#base = { db, state: "current" };
    this.#generation = generation;
    this.#databaseBytes = bytes;
    this.#unsavedBytes = 0;
    this.#postponed = 0;
    this.#written = false;
    this.#mustWrite = false;
    await this.#generations.retire({ store, from, generation, keepJournals, ...database }, () =>
      this.#journals.moveApplied(this.#followed),
    );
  }
}

/** Returns the stores that the records name, the most frequent first. */
function storesOf(records: readonly StampedRecord<RecordStamp>[]): Set<string> {
  const counts = new Map<string, number>();
  for (const { record } of records)
    if (record.store !== undefined) counts.set(record.store, (counts.get(record.store) ?? 0) + 1);
  return new Set([...counts].sort((a, b) => b[1] - a[1]).map(([store]) => store));
}

/** A larger number can only come from damage, and numbers could not grow beyond it. */
const LARGEST_SEQ = 2 ** 52;
const writerRow = z.object({ id: z.string(), seq: z.int().check(z.lte(LARGEST_SEQ)) });
const storeRow = z.object({ value: z.int().check(z.lte(LARGEST_SEQ)) });

/** Returns the last number applied from each writer. */
function appliedNumbers(db: Database): Map<string, number> {
  return new Map(db.all(writerRow, "SELECT id, seq FROM writers").map(({ id, seq }) => [id, seq]));
}

/** Returns the largest number of any record when the database was written; 0: none was saved. */
function savedNumber(db: Database): number {
  return db.first(storeRow, "SELECT value FROM store WHERE name = 'seq'")?.value ?? 0;
}

function saveNumbers(db: Database, applied: ReadonlyMap<string, number>, seq: number): void {
  db.transaction(() => {
    // Includes writers that are gone: if one of their journals reappears, its records are known.
    for (const [writer, last] of applied)
      db.run("INSERT OR REPLACE INTO writers (id, seq) VALUES (?, ?)", [writer, last]);
    db.run("INSERT OR REPLACE INTO store (name, value) VALUES ('seq', ?)", [seq]);
  });
}
