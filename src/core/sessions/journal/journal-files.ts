/** Reads the journals of all writers of a project, each from the position reached before. */
import { messageOf } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import { DAMAGED_FOLDER, PREVIOUS_FOLDER, PREVIOUS_MIRROR_FOLDER } from "../db/generations.ts";
import {
  decodeFrames,
  isSealed,
  JOURNAL_FOLDER,
  type JournalContent,
  MIRROR_FOLDER,
  sealedName,
  writerOf,
} from "./journal.ts";
import type { RecordReader, RecordStamp } from "./records.ts";

export interface StampedRecord<R extends RecordStamp> {
  writer: string;
  record: R;
  /** The journal file that it was read from, if it was read from one. */
  file?: string;
}

/** The state of a journal file. */
export interface JournalState {
  /** Bytes applied so far. */
  offset: number;
  /** The file must not be discarded after it was applied: it is damaged, or partly unknown to this version. */
  keep: boolean;
}

/** Content that can be read neither from the journal nor from its mirror. */
export interface JournalLoss {
  writer: string;
  content: JournalContent<RecordStamp>;
}

export interface JournalRead<R extends RecordStamp> {
  records: StampedRecord<R>[];
  /**
   * Records in the mirrors of journals that are damaged, truncated or missing, with the name of the journal; most of them are
   * in `records` too.
   */
  spare: StampedRecord<R>[];
  losses: JournalLoss[];
}

export class JournalFiles<R extends RecordStamp> {
  readonly #storage: Storage;
  readonly #log: Log;
  readonly #readRecord: RecordReader<R>;

  constructor(storage: Storage, log: Log, readRecord: RecordReader<R>) {
    this.#storage = storage;
    this.#log = log;
    this.#readRecord = readRecord;
  }

  async list(folder: string = JOURNAL_FOLDER): Promise<string[]> {
    return (await this.#storage.list(folder)).filter((file) => writerOf(file) !== undefined);
  }

  /** Reads all records, including those that only mirrors contain; undefined if a file disappeared. */
  async readAll(
    files: readonly string[],
    followed: Map<string, JournalState>,
  ): Promise<JournalRead<R> | undefined> {
    const read: JournalRead<R> = { records: [], spare: [], losses: [] };
    const mirrors = await this.list(MIRROR_FOLDER);
    for (const file of files) if (!(await this.#read(file, followed, read))) return undefined;
    // A journal that another process created, sealed or applied meanwhile is not lost: it is read, or known, under its
    // new name.
    const now = await this.list();
    const alone = mirrors.filter((file) => !files.includes(file) && !now.some((name) => isSame(name, file)));
    for (const file of alone) read.spare.push(...(await this.#mirrorOf(file)));
    return this.#withoutLiving(read);
  }

  /** Reads the new records of these files and updates `followed`; undefined if a file disappeared. */
  async readNew(
    files: readonly string[],
    followed: Map<string, JournalState>,
  ): Promise<JournalRead<R> | undefined> {
    const read: JournalRead<R> = { records: [], spare: [], losses: [] };
    for (const file of files) if (!(await this.#read(file, followed, read))) return undefined;
    return read;
  }

  /** Reads journals that `moveApplied` kept completely, together with their mirrors; skips those that do not exist. */
  async readPrevious(files: readonly string[]): Promise<JournalRead<R>> {
    const read: JournalRead<R> = { records: [], spare: [], losses: [] };
    const folders = [PREVIOUS_FOLDER, PREVIOUS_MIRROR_FOLDER];
    for (const file of files) {
      const found = await Promise.all(folders.map((folder) => this.#storage.read(`${folder}/${file}`)));
      const contents = found.flatMap((bytes) => (bytes ? [this.#decoded(bytes)] : []));
      const writer = writerOf(file) ?? "";
      for (const content of contents) read.records.push(...stamped(content, writer));
      const [content] = contents;
      if (content && contents.every(hasDamage)) read.losses.push({ writer, content });
    }
    return read;
  }

  /**
   * Renames every journal and its mirror, so that the journal is complete and its writer starts a new one. Moves the
   * entries in `followed` to the new names.
   */
  async seal(followed: Map<string, JournalState>): Promise<void> {
    for (const file of await this.list()) {
      if (isSealed(file)) continue;
      const sealed = sealedName(file);
      const known = followed.get(file);
      if (!(await this.#renamed(JOURNAL_FOLDER, file, sealed))) continue;
      await this.#renamed(MIRROR_FOLDER, file, sealed);
      followed.delete(file);
      followed.set(sealed, known ?? { offset: 0, keep: false });
    }
    // Mirrors whose journal is lost, or was sealed while the writer was between writing the journal and its mirror. Listed
    // before the journals, because the writer begins a new mirror after its journal.
    const mirrors = await this.list(MIRROR_FOLDER);
    const journals = await this.list();
    for (const file of mirrors)
      if (!isSealed(file) && !journals.includes(file))
        await this.#renamed(MIRROR_FOLDER, file, sealedName(file));
  }

  /**
   * Reads the sealed records that were not applied before, including those that only mirrors contain; undefined if a
   * file disappeared.
   */
  async readSealed(followed: Map<string, JournalState>): Promise<JournalRead<R> | undefined> {
    const sealed = (await this.list()).filter(isSealed);
    const read = await this.readNew(sealed, followed);
    if (!read) return undefined;
    for (const file of await this.list(MIRROR_FOLDER))
      if (isSealed(file) && !sealed.includes(file)) read.spare.push(...(await this.#mirrorOf(file)));
    return this.#withoutLiving(read);
  }

  /**
   * Keeps applied sealed journals: intact ones with their mirrors, and mirrors in place of journals that are damaged or
   * lost. Returns the names moved to `PREVIOUS_FOLDER`.
   */
  async moveApplied(followed: Map<string, JournalState>): Promise<string[]> {
    const storage = this.#storage;
    const names: string[] = [];
    const mirrors = new Set((await this.list(MIRROR_FOLDER)).filter(isSealed));
    for (const [file, { keep }] of [...followed]) {
      if (!isSealed(file)) continue;
      await storage.rename(`${JOURNAL_FOLDER}/${file}`, `${keep ? DAMAGED_FOLDER : PREVIOUS_FOLDER}/${file}`);
      followed.delete(file);
      if (keep) continue;
      names.push(file);
      if (mirrors.delete(file))
        await storage.rename(`${MIRROR_FOLDER}/${file}`, `${PREVIOUS_MIRROR_FOLDER}/${file}`);
    }
    for (const file of mirrors) {
      await storage.rename(`${MIRROR_FOLDER}/${file}`, `${PREVIOUS_FOLDER}/${file}`);
      names.push(file);
    }
    return names;
  }

  /**
   * Returns false if the writer has the file open on a system that does not allow renaming it then. The file stays a
   * journal, and nothing is lost.
   */
  async #renamed(folder: string, from: string, to: string): Promise<boolean> {
    try {
      if (!(await this.#storage.stat(`${folder}/${from}`))) return false;
      await this.#storage.rename(`${folder}/${from}`, `${folder}/${to}`);
      return true;
    } catch (error) {
      this.#log.info(`session store: ${folder}/${from} stays: ${messageOf(error)}`);
      return false;
    }
  }

  /**
   * Leaves out of `spare` what journals that are still being written contain: a journal and its mirror are sealed one after the
   * other, so the mirror may have records that its writer meanwhile wrote to its next journal.
   */
  async #withoutLiving(read: JournalRead<R>): Promise<JournalRead<R>> {
    if (read.spare.length === 0) return read;
    const living = new Set<string>();
    for (const file of await this.list()) {
      const bytes = isSealed(file) ? undefined : await this.#storage.read(`${JOURNAL_FOLDER}/${file}`);
      if (!bytes) continue;
      for (const stamp of stamped(this.#decoded(bytes), writerOf(file) ?? "")) living.add(recordKey(stamp));
    }
    return { ...read, spare: read.spare.filter((stamp) => !living.has(recordKey(stamp))) };
  }

  /** Returns false if the file disappeared. */
  async #read(file: string, followed: Map<string, JournalState>, read: JournalRead<R>): Promise<boolean> {
    const known = followed.get(file) ?? { offset: 0, keep: false };
    const name = `${JOURNAL_FOLDER}/${file}`;
    // Read before the journal, which always contains at least as much.
    const mirror = known.offset === 0 ? await this.#storage.read(`${MIRROR_FOLDER}/${file}`) : undefined;
    const size = (await this.#storage.stat(name))?.size;
    if (size === undefined || size < known.offset) return false;
    const bytes = size > known.offset ? await this.#storage.read(name, known.offset) : new Uint8Array();
    if (!bytes) return false;
    const writer = writerOf(file) ?? "";
    const content = this.#decoded(bytes);
    for (const stamp of stamped(content, writer)) read.records.push({ ...stamp, file });
    const isDamaged = hasDamage(content);
    const keep = known.keep || isDamaged;
    let isWhole = false;
    if (mirror && !(content.end >= mirror.length && startsWith(bytes, mirror))) {
      const mirrored = this.#decoded(mirror);
      for (const stamp of stamped(mirrored, writer)) read.spare.push({ ...stamp, file });
      isWhole = !hasDamage(mirrored) && mirror.length >= bytes.length;
    }
    if (isDamaged && !isWhole) read.losses.push({ writer, content });
    followed.set(file, { offset: known.offset + content.end, keep });
    return true;
  }

  #decoded(bytes: Uint8Array): JournalContent<R> {
    return decodeFrames(bytes, this.#readRecord);
  }

  async #mirrorOf(file: string): Promise<StampedRecord<R>[]> {
    const bytes = (await this.#storage.read(`${MIRROR_FOLDER}/${file}`)) ?? new Uint8Array();
    return stamped(this.#decoded(bytes), writerOf(file) ?? "");
  }
}

function hasDamage({ damagedBytes, unknown }: JournalContent<RecordStamp>): boolean {
  return damagedBytes > 0 || unknown > 0;
}

/** Identifies a record: its writer numbers its records. */
export function recordKey({ writer, record }: StampedRecord<RecordStamp>): string {
  return `${writer} ${record.seq}`;
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  if (beginning.length > bytes.length) return false;
  for (let at = 0; at < beginning.length; at++) if (beginning[at] !== bytes[at]) return false;
  return true;
}

function stamped<R extends RecordStamp>(content: JournalContent<R>, writer: string): StampedRecord<R>[] {
  return content.records.map((record) => ({ writer: record.writer ?? writer, record }));
}

/** Whether two names belong to the same journal, sealed or not. */
function isSame(a: string, b: string): boolean {
  const [journal = ""] = b.split(".log");
  return a.startsWith(`${journal}.log`);
}
