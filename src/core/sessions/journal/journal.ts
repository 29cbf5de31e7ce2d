/**
 * The journal's bytes. Each record is one frame: a mark that cannot occur in UTF-8 text, length, checksum, JSON. So a
 * frame is whole or it is not, and after damage the next whole frame can be found.
 *
 * Each process appends to a file of its own; nobody else ever appends to it. A checkpoint of any process may rename it
 * away at any moment (see `replica.ts`), which the writer notices after each append.
 */

import { crc32 } from "../../checksums.ts";
import { messageOf } from "../../errors.ts";
import type { Storage } from "../../ports/storage.ts";
import type { Log } from "../../ports/system.ts";
import { type JournalRecord, recordSchema } from "./records.ts";

export const journalFolder = "journal";
/**
 * Each journal again, under the same name. It is not synced, so a power failure may leave less of it, and nobody waits for
 * it; whatever else happens to a journal, its records are here.
 */
export const mirrorFolder = "mirror";

const mark = Uint8Array.from([0xf5, 0x4e, 0x4b, 0x4a]);
const headerLength = 12;

export function encodeFrame(record: JournalRecord): Uint8Array {
  const body = new TextEncoder().encode(JSON.stringify(record));
  const frame = new Uint8Array(headerLength + body.length);
  const view = new DataView(frame.buffer);
  frame.set(mark);
  view.setUint32(4, body.length);
  view.setUint32(8, crc32(body));
  frame.set(body, headerLength);
  return frame;
}

export interface JournalContent {
  records: JournalRecord[];
  /** Bytes up to the end of the last whole frame. What follows is torn, or still being written. */
  end: number;
  /** Bytes that no frame accounts for and that are not the torn end of the last record. */
  damagedBytes: number;
  /** Whole frames that this version does not understand. */
  unknown: number;
  /** Sessions that are named in bytes that no frame accounts for. */
  damagedSessions: Set<string>;
}

export function decodeFrames(bytes: Uint8Array): JournalContent {
  const content: JournalContent = {
    records: [],
    end: 0,
    damagedBytes: 0,
    unknown: 0,
    damagedSessions: new Set(),
  };
  const lose = (to: number): void => {
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
    const record = parseBody(body);
    if (record) content.records.push(record);
    else content.unknown += 1;
    at = start + headerLength + body.length;
    content.end = at;
  }
  if (!isTorn(bytes, content.end)) lose(bytes.length);
  return content;
}

function sessionsIn(bytes: Uint8Array): string[] {
  const found = new TextDecoder().decode(bytes).matchAll(/"session":"([^"\\]{1,100})"/g);
  return [...found].map(([, id = ""]) => id);
}

/** A write that was cut off leaves the beginning of one frame, nothing else. */
function isTorn(bytes: Uint8Array, at: number): boolean {
  const rest = bytes.subarray(at);
  if (rest.length < headerLength) return mark.every((byte, index) => (rest[index] ?? byte) === byte);
  const length = new DataView(rest.buffer, rest.byteOffset).getUint32(4);
  return findMark(rest, 0) === 0 && rest.length < headerLength + length && findMark(rest, 1) < 0;
}

function findMark(bytes: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(0xf5, from); at >= 0; at = bytes.indexOf(0xf5, at + 1)) {
    if (mark.every((byte, index) => bytes[at + index] === byte)) return at;
  }
  return -1;
}

function bodyAt(bytes: Uint8Array, start: number): Uint8Array | undefined {
  if (start + headerLength > bytes.length) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset + start, headerLength);
  const length = view.getUint32(4);
  if (start + headerLength + length > bytes.length) return undefined;
  const body = bytes.subarray(start + headerLength, start + headerLength + length);
  return crc32(body) === view.getUint32(8) ? body : undefined;
}

function parseBody(body: Uint8Array): JournalRecord | undefined {
  try {
    return recordSchema.safeParse(JSON.parse(new TextDecoder().decode(body))).data;
  } catch {
    return undefined;
  }
}

/**
 * The name of a journal file says who wrote it: `<writer>-<number>.log`, and once a checkpoint has begun to take it in,
 * `<writer>-<number>.log.<anything unique>.sealed`.
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

  constructor(storage: Storage, log: Log) {
    this.#storage = storage;
    this.#log = log;
  }

  get fileName(): string {
    return `${this.id}-${this.#file}.log`;
  }

  /**
   * On disk when it resolves. When it rejects the record may or may not be there, and whatever was torn is left behind
   * as the end of its file: the next record goes to another.
   */
  async append(frame: Uint8Array): Promise<void> {
    try {
      await this.#appendOnce(frame);
    } catch (error) {
      this.#file += 1;
      throw error;
    }
    // After the journal, so that a mirror never holds what its journal does not.
    await this.#storage.append(`${mirrorFolder}/${this.fileName}`, frame, false).catch((error: unknown) => {
      this.#log.info(`session store: the mirror of a journal was not written: ${messageOf(error)}`);
    });
  }

  async #appendOnce(frame: Uint8Array): Promise<void> {
    // A checkpoint elsewhere may take the file away between the write and its reading: then nobody has read the
    // record, and it is written again. Twice in a row cannot go on, for each time costs the other a checkpoint.
    for (;;) {
      const name = `${journalFolder}/${this.fileName}`;
      await this.#storage.append(name, frame);
      if (await this.#storage.stat(name)) return;
    }
  }
}
