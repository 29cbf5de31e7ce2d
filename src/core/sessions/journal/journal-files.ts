/** The journals of all writers of a project, each read on from where it was read to before. */
import { messageOf } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import {
  decodeFrames,
  isSealed,
  type JournalContent,
  journalFolder,
  mirrorFolder,
  sealedName,
  writerOf,
} from "./journal.ts";
import type { JournalRecord } from "./records.ts";

export interface Stamped {
  writer: string;
  record: JournalRecord;
  /** The journal that it was read from, where it was. */
  file?: string;
}

/** What is known of one journal file. */
export interface Followed {
  /** Bytes taken in. */
  offset: number;
  /** Not to be thrown away when taken in: damaged, or partly not understood. */
  keep: boolean;
}

/** What could not be read of a journal, and is not in its mirror either. */
export interface JournalLoss {
  writer: string;
  content: JournalContent;
}

export interface JournalRead {
  records: Stamped[];
  /** What mirrors hold of journals that are damaged, cut off or gone; most of it is in `records` too. */
  spare: Stamped[];
  losses: JournalLoss[];
}

export class JournalFiles {
  readonly #storage: Storage;
  readonly #log: Log;

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  async list(folder: string = journalFolder): Promise<string[]> {
    return (await this.#storage.list(folder)).filter((file) => writerOf(file) !== undefined);
  }

  /** All records, with what the mirrors add; undefined: one of the files went away. */
  async readAll(files: readonly string[], followed: Map<string, Followed>): Promise<JournalRead | undefined> {
    const read: JournalRead = { records: [], spare: [], losses: [] };
    const mirrors = await this.list(mirrorFolder);
    for (const file of files) if (!(await this.#read(file, followed, read))) return undefined;
    // A journal that another process began, sealed or took in meanwhile is not lost: it is read, or known, by its new name.
    const now = await this.list();
    const alone = mirrors.filter((file) => !files.includes(file) && !now.some((name) => isSame(name, file)));
    for (const file of alone) read.spare.push(...(await this.#mirrorOf(file)));
    return read;
  }

  /** New records of these files, noting in `followed` how far each was read; undefined: one of them went away. */
  async readOn(files: readonly string[], followed: Map<string, Followed>): Promise<JournalRead | undefined> {
    const read: JournalRead = { records: [], spare: [], losses: [] };
    for (const file of files) if (!(await this.#read(file, followed, read))) return undefined;
    return read;
  }

  /** Journals in another folder, whole; those that are not there are left out. */
  async readFrom(folder: string, files: readonly string[]): Promise<JournalRead> {
    const read: JournalRead = { records: [], spare: [], losses: [] };
    for (const file of files) {
      const content = decodeFrames((await this.#storage.read(`${folder}/${file}`)) ?? new Uint8Array());
      const writer = writerOf(file) ?? "";
      read.records.push(...stamped(content, writer));
      if (hasDamage(content)) read.losses.push({ writer, content });
    }
    return read;
  }

  /**
   * Renames every journal away, with its mirror, so that its writer begins a new one and this one ends. What is known of
   * it in `followed` is known of it under its new name.
   */
  async seal(followed: Map<string, Followed>): Promise<void> {
    for (const file of await this.list()) {
      if (isSealed(file)) continue;
      const sealed = sealedName(file);
      const known = followed.get(file);
      if (!(await this.#renamed(journalFolder, file, sealed))) continue;
      await this.#renamed(mirrorFolder, file, sealed);
      followed.delete(file);
      followed.set(sealed, known ?? { offset: 0, keep: false });
    }
    // A mirror whose journal is lost, or whose writer is between the two.
    const journals = await this.list();
    for (const file of await this.list(mirrorFolder))
      if (!isSealed(file) && !journals.includes(file))
        await this.#renamed(mirrorFolder, file, sealedName(file));
  }

  /** What was sealed and not taken in before, with what is in mirrors alone; undefined: a file went away. */
  async readSealed(followed: Map<string, Followed>): Promise<JournalRead | undefined> {
    const sealed = (await this.list()).filter(isSealed);
    const read = await this.readOn(sealed, followed);
    for (const file of read ? await this.list(mirrorFolder) : [])
      if (isSealed(file) && !sealed.includes(file)) read?.spare.push(...(await this.#mirrorOf(file)));
    return read;
  }

  /** What was sealed and taken in goes to these folders, mirrors of journals that are whole go away; the names in `whole`. */
  async putAway(followed: Map<string, Followed>, whole: string, damaged: string): Promise<string[]> {
    const storage = this.#storage;
    const names: string[] = [];
    const mirrors = new Set((await this.list(mirrorFolder)).filter(isSealed));
    for (const [file, { keep }] of [...followed]) {
      if (!isSealed(file)) continue;
      await storage.rename(`${journalFolder}/${file}`, `${keep ? damaged : whole}/${file}`);
      followed.delete(file);
      if (keep) continue;
      names.push(file);
      await storage.remove(`${mirrorFolder}/${file}`);
      mirrors.delete(file);
    }
    for (const file of mirrors) {
      await storage.rename(`${mirrorFolder}/${file}`, `${whole}/${file}`);
      names.push(file);
    }
    return names;
  }

  /** False: held open by its writer where the system does not allow that. It stays a journal, and nothing is lost. */
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

  /** False: it went away. */
  async #read(file: string, followed: Map<string, Followed>, read: JournalRead): Promise<boolean> {
    const known = followed.get(file) ?? { offset: 0, keep: false };
    const name = `${journalFolder}/${file}`;
    // Before the journal, which never holds less.
    const mirror = known.offset === 0 ? await this.#storage.read(`${mirrorFolder}/${file}`) : undefined;
    const size = (await this.#storage.stat(name))?.size;
    if (size === undefined || size < known.offset) return false;
    const bytes = size > known.offset ? await this.#storage.read(name, known.offset) : new Uint8Array();
    if (!bytes) return false;
    const writer = writerOf(file) ?? "";
    const content = decodeFrames(bytes);
    for (const stamp of stamped(content, writer)) read.records.push({ ...stamp, file });
    const isDamaged = hasDamage(content);
    let keep = known.keep || isDamaged;
    let isWhole = false;
    if (mirror && !(content.end >= mirror.length && startsWith(bytes, mirror))) {
      const mirrored = decodeFrames(mirror);
      const there = new Set(content.records.map(({ seq }) => seq));
      read.spare.push(...stamped(mirrored, writer));
      isWhole = !hasDamage(mirrored) && mirror.length >= bytes.length;
      keep ||= mirrored.records.some(({ seq }) => !there.has(seq));
    }
    if (isDamaged && !isWhole) read.losses.push({ writer, content });
    followed.set(file, { offset: known.offset + content.end, keep });
    return true;
  }

  async #mirrorOf(file: string): Promise<Stamped[]> {
    const bytes = (await this.#storage.read(`${mirrorFolder}/${file}`)) ?? new Uint8Array();
    return stamped(decodeFrames(bytes), writerOf(file) ?? "");
  }
}

function hasDamage({ damagedBytes, unknown }: JournalContent): boolean {
  return damagedBytes > 0 || unknown > 0;
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return beginning.length <= bytes.length && beginning.every((byte, index) => byte === bytes[index]);
}

function stamped(content: JournalContent, writer: string): Stamped[] {
  return content.records.map((record) => ({ writer: record.writer ?? writer, record }));
}

/** Whether two names are of one journal, sealed or not. */
function isSame(a: string, b: string): boolean {
  const [journal = ""] = b.split(".log");
  return a.startsWith(`${journal}.log`);
}
