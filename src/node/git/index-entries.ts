/**
 * Reads git's index file. `git ls-files --stage --debug` prints the same in more than twice as many bytes, as text, which takes ten times
 * as long to read. Forms that only git can read, which few repositories have, are left to it.
 */
import { setImmediate } from "node:timers/promises";
import { FILE_MODES } from "./plumbing-output.ts";

/** What an index records of its files. */
export interface IndexedFiles {
  /** Names of what is not one file: gitlinks and the sides of conflicts. */
  others: readonly string[];
  /** Names of files that are assumed to be unchanged. */
  assumed: readonly string[];
  /** The ids of all files' contents, as lines. */
  ids: Buffer;
  /** In the same order: bytes of each file in the working tree when git last checked. */
  sizes: ArrayLike<number>;
  /** The ids of the folders in which nothing changed since git recorded them. */
  trees: readonly string[];
  /** The names of the files at these places of that order, which ascend. */
  namesAt(places: readonly number[]): Promise<string[]>;
}

/** Entries that are read at once: a millisecond or two. */
const PIECE = 2_000;

/** undefined: the index is split, sparse, damaged or of a later version. `idLength`: bytes of an object's id. */
export async function indexedFiles(bytes: Buffer, idLength: number): Promise<IndexedFiles | undefined> {
  try {
    return await readEntries(bytes, idLength);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

async function readEntries(bytes: Buffer, idLength: number): Promise<IndexedFiles | undefined> {
  const entries = entriesOf(bytes, idLength);
  if (!entries) return undefined;
  const others: string[] = [];
  const assumed: string[] = [];
  const sizes = new Uint32Array(entries.count);
  const line = idLength * 2 + 1;
  const ids = Buffer.alloc(entries.count * line, "\n");
  let count = 0;
  while (entries.next()) {
    if (entries.isAssumed) assumed.push(entries.name());
    if (entries.isFile) {
      ids.write(bytes.toString("hex", entries.id, entries.id + idLength), count * line, "latin1");
      sizes[count] = entries.size;
      count += 1;
    } else others.push(entries.name());
    if (entries.read % PIECE === 0) await setImmediate();
  }
  const extensions = extensionsIn(bytes, entries.end, bytes.length - idLength);
  if (!extensions) return undefined;
  return {
    ...{ others, assumed, sizes: sizes.subarray(0, count), ids: ids.subarray(0, count * line) },
    trees: treesIn(extensions.get("TREE") ?? Buffer.alloc(0), idLength),
    namesAt: (places) => namesAt(bytes, idLength, places),
  };
}

async function namesAt(bytes: Buffer, idLength: number, places: readonly number[]): Promise<string[]> {
  const names: string[] = [];
  const entries = places.length > 0 ? entriesOf(bytes, idLength) : undefined;
  for (let place = -1; entries?.next() && names.length < places.length; ) {
    if (entries.isFile) place += 1;
    if (entries.isFile && place === places[names.length]) names.push(entries.name());
    if (entries.read % PIECE === 0) await setImmediate();
  }
  return names;
}

/** undefined: not an index, or one of a version that is not known. */
function entriesOf(bytes: Buffer, idLength: number): IndexEntries | undefined {
  const isIndex = bytes.length >= 12 + idLength && bytes.toString("latin1", 0, 4) === "DIRC";
  const version = isIndex ? bytes.readUInt32BE(4) : 0;
  if (version < 2 || version > 4) return undefined;
  const count = bytes.readUInt32BE(8);
  // The least that an entry can take; a damaged count would otherwise reserve gigabytes.
  return count * (STAT + idLength + 2) > bytes.length
    ? undefined
    : new IndexEntries(bytes, idLength, version);
}

/** Bytes of what an entry records of a file's state, the mode and the size among them. */
const STAT = 40;

/** The entries one after the other. Throws RangeError where the index ends within one. */
class IndexEntries {
  readonly count: number;
  /** Entries that were read. */
  read = 0;
  /** Where the last one that was read ends. */
  end = 12;
  /** Of the entry that was read last: whether it is a file, a link or an executable, without a conflict. */
  isFile = false;
  isAssumed = false;
  size = 0;
  /** Where its id is. */
  id = 0;
  readonly #bytes: Buffer;
  readonly #idLength: number;
  readonly #version: number;
  #nameAt = 0;
  #nameEnd = 0;
  /** In version 4, the name: an entry has only what is not the beginning of the last one's. */
  #name = Buffer.alloc(256);
  #nameLength = 0;

  constructor(bytes: Buffer, idLength: number, version: number) {
    this.#bytes = bytes;
    this.#idLength = idLength;
    this.#version = version;
    this.count = bytes.readUInt32BE(8);
  }

  /** false: there are no more. */
  next(): boolean {
    if (this.read === this.count) return false;
    const bytes = this.#bytes;
    const start = this.end;
    const mode = bytes.readUInt32BE(start + 24);
    this.size = bytes.readUInt32BE(start + 36);
    this.id = start + STAT;
    const flags = bytes.readUInt16BE(this.id + this.#idLength);
    this.isAssumed = (flags & 0x8000) !== 0;
    this.isFile = FILE_MODES.has(mode) && (flags & 0x3000) === 0;
    const nameAt = this.id + this.#idLength + ((flags & 0x4000) === 0 ? 2 : 4);
    if (this.#version === 4) this.#shortened(nameAt);
    else {
      this.#nameAt = nameAt;
      // Longer names have the highest length that fits.
      const length = flags & 0xfff;
      this.#nameEnd = length < 0xfff ? nameAt + length : this.#endOf(nameAt);
      // One to eight NUL bytes, so that the length of each entry is a multiple of eight.
      this.end = start + ((this.#nameEnd - start + 8) & ~7);
      if (this.end > bytes.length) throw new RangeError("the index ends within an entry");
    }
    this.read += 1;
    return true;
  }

  name(): string {
    return this.#version === 4
      ? this.#name.toString("utf8", 0, this.#nameLength)
      : this.#bytes.toString("utf8", this.#nameAt, this.#nameEnd);
  }

  #endOf(nameAt: number): number {
    const end = this.#bytes.indexOf(0, nameAt);
    if (end < 0) throw new RangeError("the index ends within a name");
    return end;
  }

  /** First how many bytes of the last name are dropped, in groups of seven bits, then what follows the rest of it. */
  #shortened(start: number): void {
    let at = start;
    let byte = this.#bytes.readUInt8(at++);
    let dropped = byte & 0x7f;
    while ((byte & 0x80) !== 0) {
      byte = this.#bytes.readUInt8(at++);
      dropped = (dropped + 1) * 128 + (byte & 0x7f);
    }
    const end = this.#endOf(at);
    const from = this.#nameLength - dropped;
    if (from < 0) throw new RangeError("the index drops more of a name than there is");
    this.#nameLength = from + end - at;
    if (this.#nameLength > this.#name.length)
      this.#name = Buffer.concat([this.#name, Buffer.alloc(this.#nameLength)]);
    this.#bytes.copy(this.#name, from, at, end);
    this.end = end + 1;
  }
}

/**
 * By name. undefined: one with a lower case name changes what the entries mean, as those of a split or sparse index do, or the index
 * ends within one.
 */
function extensionsIn(bytes: Buffer, start: number, end: number): Map<string, Buffer> | undefined {
  const extensions = new Map<string, Buffer>();
  let at = start;
  while (at + 8 <= end) {
    const name = bytes.toString("latin1", at, at + 4);
    if (!/^[A-Z]/.test(name)) return undefined;
    const content = at + 8;
    at = content + bytes.readUInt32BE(at + 4);
    extensions.set(name, bytes.subarray(content, at));
  }
  return at === end ? extensions : undefined;
}

/**
 * The ids in an extension "TREE" (gitformat-index(5), "Cache tree"): of each folder its name and a NUL byte, the number of its entries, that of its
 * folders and a line break, and its id unless the first number is negative.
 */
function treesIn(bytes: Buffer, idLength: number): string[] {
  const ids: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const numbers = bytes.indexOf(0, at) + 1;
    const end = bytes.indexOf("\n", numbers) + 1;
    if (numbers === 0 || end === 0) throw new RangeError("the index ends within a folder");
    at = end;
    if (bytes[numbers] === MINUS) continue;
    at += idLength;
    if (at > bytes.length) throw new RangeError("the index ends within an id");
    ids.push(bytes.toString("hex", end, at));
  }
  return ids;
}

const MINUS = "-".charCodeAt(0);
