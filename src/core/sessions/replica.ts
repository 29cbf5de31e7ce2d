/**
 * The database in memory, kept equal to what all processes of the project wrote: the file at its last checkpoint, and
 * every record of every journal since.
 *
 * Nobody waits for anybody: each process appends to a journal of its own without a lock. A checkpoint, under the lock,
 * renames all journals away ("seals" them), takes them in, replaces the database as a whole and removes them. Whoever
 * dies in between leaves sealed journals, which are journals like any other. Records carry their writer's own growing
 * number, and the database holds the last number taken in from each writer, so that none is taken in twice.
 */
import * as z from "zod";
import { messageOf } from "../errors.ts";
import type { Assets, Log, Storage } from "../ports.ts";
import { applyRecord } from "./apply.ts";
import { type Base, databaseFile, openBase } from "./base.ts";
import type { Database } from "./database.ts";
import { encodeFrame, isSealed, JournalWriter, journalFolder, sealedName, writerOf } from "./journal.ts";
import { type Followed, JournalFiles, type Stamped } from "./journal-files.ts";
import { Problems } from "./problems.ts";
import type { JournalRecord } from "./records.ts";

const lockName = "sessions";
const damagedFolder = "damaged";

/** Bytes of journal after which the database is rewritten; more where the database is larger, so that the sum of
 * all rewriting stays proportional to what was written. */
const checkpointBytes = 4 * 1024 * 1024;

const writerRow = z.object({ id: z.string(), seq: z.number() });
const storeRow = z.object({ value: z.number() });

export class Replica {
  readonly problems: Problems;
  readonly #storage: Storage;
  readonly #assets: Assets;
  readonly #log: Log;
  readonly #steps: readonly string[] | undefined;
  readonly #readOnly: boolean;
  readonly #writer: JournalWriter;
  readonly #journals: JournalFiles;
  #base: Base | undefined;
  /** Version of the database file that `#base` was read from. */
  #version: string | undefined;
  #followed = new Map<string, Followed>();
  /** Last number taken in from each writer. */
  #applied = new Map<string, number>();
  #seq = 0;
  #unsavedBytes = 0;
  #databaseBytes = 0;
  #written = false;
  #postponed = 0;
  /** Called under the lock, before the database is written. */
  beforeWriting: (db: Database) => Promise<void> = async () => {};

  constructor(storage: Storage, assets: Assets, log: Log, steps?: readonly string[], readOnly = false) {
    this.#storage = storage;
    this.#assets = assets;
    this.#log = log;
    this.#steps = steps;
    this.#readOnly = readOnly;
    this.#writer = new JournalWriter(storage);
    this.problems = new Problems(log);
    this.#journals = new JournalFiles(storage, this.problems);
  }

  get db(): Database {
    if (!this.#base) throw new Error("the session store is not open");
    return this.#base.db;
  }

  get writable(): boolean {
    return !this.#readOnly && this.#base?.state !== "newer";
  }

  /** The database in memory is not what its file says, apart from journals: it was repaired or brought up to date. */
  get mustCheckpoint(): boolean {
    return this.#base?.state === "migrated" || this.#base?.state === "damaged";
  }

  get wantsCheckpoint(): boolean {
    return this.#unsavedBytes > this.#postponed + this.#checkpointAfter;
  }

  /** After a checkpoint that did not come about: not before as much again was written. */
  postpone(): void {
    this.#postponed = this.#unsavedBytes;
  }

  /** This process has written something that is only in its journal. */
  get hasUnsaved(): boolean {
    return this.#written || this.mustCheckpoint;
  }

  /** The database in memory has something worth keeping that is in no journal. */
  keepAtClose(): void {
    this.#written = true;
  }

  /** Takes in what other processes wrote; the first time, opens. Writes nothing. */
  async refresh(): Promise<void> {
    // Each failed try means that a checkpoint of another process came in between.
    for (let tries = 0; tries < 100; tries++) {
      const version = (await this.#storage.stat(databaseFile))?.version;
      const files = await this.#journals.list();
      const moved = files.some((file) => isSealed(file) && !this.#followed.has(file));
      const reload = !this.#base || version !== this.#version || moved;
      if (reload ? await this.#reload(version, files) : await this.#follow(version, files)) return;
    }
    throw new Error("the session store is being rewritten by others all the time");
  }

  /** Durable when it resolves, all in one write. Each record's number is given to its maker. */
  async commit(makers: readonly ((seq: number) => JournalRecord)[]): Promise<void> {
    if (this.#readOnly) throw new Error("the sessions were opened to be read");
    if (!this.writable) throw new Error("the sessions were written by a newer version of Nekode");
    const records = makers.map((make) => {
      this.#seq += 1;
      return make(this.#seq);
    });
    const frames = joined(records.map(encodeFrame));
    await this.#writer.append(frames);
    this.#unsavedBytes += frames.length;
    this.#written = true;
    this.#apply(records.map((record) => ({ writer: this.#writer.id, record })));
  }

  /** Something of the project could not be read as it was, now or once. */
  async hasDamage(): Promise<boolean> {
    return this.problems.list.length > 0 || (await this.#storage.list(damagedFolder)).length > 0;
  }

  /** Runs `work` while no other process checkpoints or removes. */
  locked<T>(work: () => Promise<T>, waitMs?: number): Promise<T> {
    return this.#storage.locked(lockName, work, waitMs);
  }

  /** Rewrites the database with all journals taken in. */
  async checkpoint(waitMs?: number): Promise<void> {
    if (!this.writable) return;
    await this.locked(async () => {
      await this.refresh();
      if (!this.writable) return;
      await this.#seal();
      await this.#takeInSealed();
      await this.beforeWriting(this.db);
      await this.#replaceDatabase();
      await this.#removeSealed();
    }, waitMs);
  }

  close(): void {
    this.#base?.db.close();
    this.#base = undefined;
  }

  get #checkpointAfter(): number {
    return Math.max(checkpointBytes, this.#databaseBytes / 2);
  }

  /** Nothing was sealed and no database written since: what was read in between belongs together. */
  async #isStill(version: string | undefined, files: readonly string[]): Promise<boolean> {
    const now = await this.#journals.list();
    const sealed = (names: readonly string[]) => names.filter(isSealed).sort().join();
    return sealed(now) === sealed(files) && (await this.#storage.stat(databaseFile))?.version === version;
  }

  async #reload(version: string | undefined, files: readonly string[]): Promise<boolean> {
    const bytes = await this.#storage.read(databaseFile);
    if ((bytes === undefined) !== (version === undefined)) return false;
    const base = await openBase(bytes, this.#assets, this.problems, this.#steps);
    const followed = new Map<string, Followed>();
    const records = await this.#journals.read(files, followed);
    if (!records || !(await this.#isStill(version, files))) {
      base.db.close();
      return false;
    }
    this.#base?.db.close();
    this.#base = base;
    this.#version = version;
    this.#databaseBytes = bytes?.length ?? 0;
    this.#followed = followed;
    this.#applied = new Map(
      base.db.all(writerRow, "SELECT id, seq FROM writers").map(({ id, seq }) => [id, seq]),
    );
    this.#seq = Math.max(this.#seq, this.#stored("seq"), ...this.#applied.values());
    this.#unsavedBytes = 0;
    this.#postponed = 0;
    this.#apply(records);
    for (const { offset } of followed.values()) this.#unsavedBytes += offset;
    return true;
  }

  async #follow(version: string | undefined, files: readonly string[]): Promise<boolean> {
    const followed = new Map(this.#followed);
    // What this process wrote is in memory already.
    const others = files.filter((file) => writerOf(file) !== this.#writer.id);
    const records = await this.#journals.read(others, followed);
    if (!records || !(await this.#isStill(version, files))) return false;
    this.#followed = followed;
    this.#apply(records);
    return true;
  }

  #apply(records: Stamped[]): void {
    if (records.length === 0) return;
    records.sort((a, b) => a.record.seq - b.record.seq || (a.writer < b.writer ? -1 : 1));
    this.db.transaction(() => {
      for (const { writer, record } of records) {
        this.#seq = Math.max(this.#seq, record.seq);
        if (record.seq <= (this.#applied.get(writer) ?? 0)) continue;
        this.#applied.set(writer, record.seq);
        try {
          applyRecord(this.db, record);
        } catch (error) {
          this.problems.add("record-unusable", `${record.op} of ${record.session}: ${messageOf(error)}`);
        }
      }
    });
  }

  #stored(name: string): number {
    return this.db.first(storeRow, "SELECT value FROM store WHERE name = ?", [name])?.value ?? 0;
  }

  /** Renames every journal away, so that its writer begins a new one and this one ends. */
  async #seal(): Promise<void> {
    for (const file of await this.#journals.list()) {
      if (isSealed(file)) continue;
      const sealed = sealedName(file);
      const known = this.#followed.get(file);
      try {
        await this.#storage.rename(`${journalFolder}/${file}`, `${journalFolder}/${sealed}`);
      } catch (error) {
        // Held open by its writer where the system does not allow that: it stays a journal, and nothing is lost.
        this.#log.info(`session store: a journal stays: ${messageOf(error)}`);
        continue;
      }
      this.#followed.delete(file);
      this.#followed.set(sealed, known ?? { offset: 0, keep: false });
    }
  }

  async #takeInSealed(): Promise<void> {
    const sealed = (await this.#journals.list()).filter(isSealed);
    const records = await this.#journals.read(sealed, this.#followed);
    if (!records) throw new Error("a sealed journal went away");
    this.#apply(records);
  }

  async #replaceDatabase(): Promise<void> {
    const { db } = this;
    const generation = this.#stored("generation") + 1;
    const writers = new Set((await this.#journals.list()).map(writerOf));
    db.transaction(() => {
      db.run("DELETE FROM writers");
      for (const [writer, seq] of this.#applied) {
        // A writer without a file has nothing that could be taken in again.
        if (writers.has(writer)) db.run("INSERT INTO writers (id, seq) VALUES (?, ?)", [writer, seq]);
      }
      const put = "INSERT OR REPLACE INTO store (name, value) VALUES (?, ?)";
      db.run(put, ["generation", generation]);
      db.run(put, ["seq", this.#seq]);
    });
    const bytes = db.export();
    const version = (await this.#storage.stat(databaseFile))?.version;
    if (version !== this.#version) throw new Error("another process took the lock over");
    if (this.#base?.state === "damaged") await this.#setDatabaseAside(generation);
    await this.#storage.replace(databaseFile, bytes, { version });
    this.#version = (await this.#storage.stat(databaseFile))?.version;
    this.#base = { db, state: "current" };
    this.#databaseBytes = bytes.length;
    this.#unsavedBytes = 0;
    this.#postponed = 0;
    this.#written = false;
  }

  async #setDatabaseAside(generation: number): Promise<void> {
    const damaged = await this.#storage.read(databaseFile);
    if (damaged)
      await this.#storage.replace(
        `${damagedFolder}/sessions-${generation}-${crypto.randomUUID()}.db`,
        damaged,
      );
  }

  async #removeSealed(): Promise<void> {
    for (const [file, { keep }] of [...this.#followed]) {
      if (!isSealed(file)) continue;
      const name = `${journalFolder}/${file}`;
      if (keep) await this.#storage.rename(name, `${damagedFolder}/${file}`);
      else await this.#storage.remove(name);
      this.#followed.delete(file);
    }
  }
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  const [only] = frames;
  if (only && frames.length === 1) return only;
  const whole = new Uint8Array(frames.reduce((sum, frame) => sum + frame.length, 0));
  let at = 0;
  for (const frame of frames) {
    whole.set(frame, at);
    at += frame.length;
  }
  return whole;
}
