/**
 * Applies a write-ahead log to the database beside it, in memory: what a program wrote last is only in the log. Follows SQLite's
 * documented file format. Changes nothing on the disk.
 */

const HEADER = 32;
const FRAME_HEADER = 24;
/** The last bit says in which byte order the checksums were computed. */
const MAGIC = 0x377f0682;

/**
 * Returns the database with all committed changes of the log, in the rollback mode that needs no log; undefined: the log does not
 * belong to the database, or is damaged from its beginning.
 */
export function withWal(database: Uint8Array, wal: Uint8Array): Uint8Array | undefined {
  if (wal.length === 0) return inRollbackMode(database);
  if (wal.length < HEADER) return undefined;
  const view = new DataView(wal.buffer, wal.byteOffset, wal.byteLength);
  const magic = view.getUint32(0);
  if ((magic & 0xfffffffe) >>> 0 !== MAGIC) return undefined;
  const isLittleEndian = (magic & 1) === 0;
  const pageSize = view.getUint32(8);
  if (pageSize !== pageSizeOf(database)) return undefined;
  let sums = checksum(view, 0, HEADER - 8, isLittleEndian, [0, 0]);
  if (!isEqual(view, HEADER - 8, sums)) return undefined;
  const pages = new Map<number, number>();
  let pending = new Map<number, number>();
  let size = Math.floor(database.length / pageSize);
  for (let at = HEADER; at + FRAME_HEADER + pageSize <= wal.length; at += FRAME_HEADER + pageSize) {
    // Frames with other salts remain from before the log began anew.
    const isCurrent =
      view.getUint32(at + 8) === view.getUint32(16) && view.getUint32(at + 12) === view.getUint32(20);
    sums = checksum(view, at, 8, isLittleEndian, sums);
    sums = checksum(view, at + FRAME_HEADER, pageSize, isLittleEndian, sums);
    if (!isCurrent || !isEqual(view, at + 16, sums)) break;
    pending.set(view.getUint32(at), at + FRAME_HEADER);
    const committed = view.getUint32(at + 4);
    if (committed === 0) continue;
    for (const [page, place] of pending) pages.set(page, place);
    pending = new Map();
    size = committed;
  }
  const out = new Uint8Array(size * pageSize);
  out.set(database.subarray(0, out.length));
  for (const [page, place] of pages)
    if (page >= 1 && page <= size) out.set(wal.subarray(place, place + pageSize), (page - 1) * pageSize);
  return inRollbackMode(out);
}

function pageSizeOf(database: Uint8Array): number {
  const size = ((database[16] ?? 0) << 8) | (database[17] ?? 0);
  return size === 1 ? 65_536 : size;
}

/** Without these two bytes, SQLite would look for the log. */
function inRollbackMode(database: Uint8Array): Uint8Array {
  const out = database.slice();
  if (out.length > 19) {
    out[18] = 1;
    out[19] = 1;
  }
  return out;
}

type Sums = readonly [number, number];

function checksum(view: DataView, from: number, length: number, isLittleEndian: boolean, before: Sums): Sums {
  let [a, b] = before;
  for (let at = from; at < from + length; at += 8) {
    a = (a + view.getUint32(at, isLittleEndian) + b) >>> 0;
    b = (b + view.getUint32(at + 4, isLittleEndian) + a) >>> 0;
  }
  return [a, b];
}

function isEqual(view: DataView, at: number, [a, b]: Sums): boolean {
  return view.getUint32(at) === a && view.getUint32(at + 4) === b;
}
