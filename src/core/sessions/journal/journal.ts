/**
 * The binary format of a journal. Each record is one frame: a mark that cannot occur in UTF-8 text, length, checksum,
 * JSON. So a frame is either intact or detectably damaged, and the next intact frame after damage can be found.
 *
 * Each process appends only to a file of its own. A checkpoint of any process may rename the file at any moment (see
 * `replica.ts`); the writer detects this after each append.
 */

import { crc32 } from "../../bytes.ts";
import { messageOf } from "../../errors.ts";
import type { Appender, Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import type { JournalRecord, RecordReader, RecordStamp } from "./records.ts";

export const JOURNAL_FOLDER = "journal";
/**
 * A copy of each journal under the same name. It is not synced, so a power failure may leave less of it, and an append does not
 * wait until it has its record. In every other case of loss, it contains the journal's records, but for the last one where the process
 * was ended at that moment.
 */
export const MIRROR_FOLDER = "mirror";

const mark = Uint8Array.from([0xf5, 0x4e, 0x4b, 0x4a]);
const HEADER_LENGTH = 12;

export function encodeFrame(record: JournalRecord): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(record));
  const frame = new Uint8Array(HEADER_LENGTH + body.length);
  const view = new DataView(frame.buffer);
  frame.set(mark);
  view.setUint32(4, body.length);
  view.setUint32(8, crc32(body));
  frame.set(body, HEADER_LENGTH);
  return frame;
}

export interface JournalContent<R extends RecordStamp> {
  records: R[];
  /** Bytes up to the end of the last intact frame. What follows is torn, or still being written. */
  end: number;
  /** Bytes that belong to no frame and are not the torn end of the last record. */
  damagedBytes: number;
  /** Intact frames that this version does not understand. */
  unknown: number;
  /** Sessions named in bytes that belong to no frame. */
  damagedSessions: Set<string>;
}

export function decodeFrames<R extends RecordStamp>(
  bytes: Uint8Array,
  read: RecordReader<R>,
): JournalContent<R> {
  const content: JournalContent<R> = {
    records: [],
    end: 0,
    damagedBytes: 0,
    unknown: 0,
    damagedSessions: new Set(),
  };
  const decoder = new TextDecoder();
  const lose = (to: number): void => {
    if (to === content.end) return;
    content.damagedBytes += to - content.end;
    for (const id of sessionsIn(bytes.subarray(content.end, to))) content.damagedSessions.add(id);
  };
  let at = 0;
  while (at < bytes.length) {
    const start = findMark(bytes, at);
    if (start < 0) break;
    const body = bodyAt(bytes, start);
    if (!body) {
      at = start + 1;
      continue;
    }
    lose(start);
    const record = read(parseBody(decoder.decode(body)));
    if (record) content.records.push(record);
    else content.unknown += 1;
    at = start + HEADER_LENGTH + body.length;
    content.end = at;
  }
  if (!isTorn(bytes, content.end)) lose(bytes.length);
  return content;
}

function sessionsIn(bytes: Uint8Array): string[] {
  const found = new TextDecoder().decode(bytes).matchAll(/"session":"([^"\\]{1,100})"/g);
  return [...found].map(([, id = ""]) => id);
}

/** An interrupted write leaves the beginning of one frame and nothing else. */
function isTorn(bytes: Uint8Array, at: number): boolean {
  const rest = bytes.subarray(at);
  if (rest.length < HEADER_LENGTH) return mark.every((byte, index) => (rest[index] ?? byte) === byte);
  const length = new DataView(rest.buffer, rest.byteOffset).getUint32(4);
  return findMark(rest, 0) === 0 && rest.length < HEADER_LENGTH + length && findMark(rest, 1) < 0;
}

function findMark(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xf5, from); at >= 0; at = bytes.indexOf(0xf5, at + 1)) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

function bodyAt(bytes: Uint8Array, start: number): Uint8Array | undefined {
  if (start + HEADER_LENGTH > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, HEADER_LENGTH);
  const length = view.getUint32(4);
  if (start + HEADER_LENGTH + length > bytes.length) return undefined;
  const body = bytes.subarray(start + HEADER_LENGTH, start + HEADER_LENGTH + length);
  return crc32(body) === view.getUint32(8) ? body : undefined;
}

/** undefined: it is not JSON. */
function parseBody(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

/**
 * Returns the writer from the name of a journal file: `<writer>-<number>.log`, or, once a checkpoint has begun to apply
 * it, `<writer>-<number>.log.<unique>.sealed`.
 */
export function writerOf(file: string): string | undefined {
  return /^([0-9a-f-]{36})-\d+\.log(?:\.[0-9a-f-]{36}\.sealed)?$/.exec(file)?.[1];
}

export function isSealed(file: string): boolean {
  return file.endsWith(".sealed");
}

export function sealedName(file: string): string {
  return `${file}.${crypto.randomUUID()}.sealed`;
}

export class JournalWriter {
  readonly id = crypto.randomUUID();
  readonly #storage: Storage;
  readonly #log: Log;
  #file = 1;
  #journal: Appender | undefined;
  #mirror: Appender | undefined;
  /** Journals with frames that may not be on the disk yet. */
  readonly #unsynced = new Set<Appender>();
  /** Resolves when the mirror has all frames. */
  #mirrored = Promise.resolve();

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  get fileName(): string {
    return `${this.id}-${this.#file}.log`;
  }

  /**
   * Resolves when the frame is written, so that it survives the end of the process; `sync` makes it survive that of the
   * system. If it rejects, the record may or may not have been written. A torn record stays
   * at the end of its file, and the next record goes to a new file.
   */
  async append(frame: Uint8Array): Promise<void> {
    await this.#mirrored;
    try {
      await this.#appendToJournal(frame);
    } catch (error) {
      this.#file += 1;
      await this.#leaveFiles();
      throw error;
    }
    // Written after the journal, so that a mirror never contains more than its journal. Where it was moved meanwhile, its journal
    // was as well, and both have the frame.
    this.#mirrored = this.#appendToMirror(frame);
  }

  /** Resolves when all frames are on the disk. */
  async sync(): Promise<void> {
    await this.#mirrored;
    for (const journal of [...this.#unsynced]) {
      await journal.sync();
      this.#unsynced.delete(journal);
      if (journal !== this.#journal) await journal.close();
    }
  }

  /** Closes the files. An append opens them again. */
  async close(): Promise<void> {
    await this.#mirrored;
    await this.#leaveFiles();
    for (const journal of this.#unsynced) await journal.close();
    this.#unsynced.clear();
  }

  async #appendToJournal(frame: Uint8Array): Promise<void> {
    // A checkpoint of another process may move the file away between the write and the checkpoint's read. Then no
    // process has read the record, and it is written again. This cannot repeat for long, because each repetition costs
    // the other process a checkpoint.
    for (;;) {
      this.#journal ??= this.#storage.appender(`${JOURNAL_FOLDER}/${this.fileName}`);
      this.#unsynced.add(this.#journal);
      if (await this.#journal.append(frame)) return;
      await this.#mirror?.close();
    }
  }

  async #appendToMirror(frame: Uint8Array): Promise<void> {
    try {
      this.#mirror ??= this.#storage.appender(`${MIRROR_FOLDER}/${this.fileName}`);
      await this.#mirror.append(frame);
    } catch (error) {
      this.#log.info(`session store: the mirror of a journal was not written: ${messageOf(error)}`);
    }
  }

  /** The next append goes to other files. One that is not synced stays open until it is. */
  async #leaveFiles(): Promise<void> {
    const [journal, mirror] = [this.#journal, this.#mirror];
    this.#journal = undefined;
    this.#mirror = undefined;
    if (journal && !this.#unsynced.has(journal)) await journal.close();
    await mirror?.close();
  }
}
