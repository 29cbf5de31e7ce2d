/** Guards against zip bombs in office documents, which are zip archives. */
import { inflateRawSync } from "node:zlib";

/** Bytes that an archive may unpack to. */
const UNPACKED_LIMIT = 200_000_000;

const ENTRY_SIGNATURE = 0x02014b50;
const END_SIGNATURE = 0x06054b50;
const LOCAL_SIGNATURE = 0x04034b50;

/** Throws an Error if `bytes` are not an archive, or unpack to more than `limit` bytes, whatever sizes the archive states. */
export function refuseBomb(bytes: Uint8Array, limit = UNPACKED_LIMIT): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  if (end === undefined) throw new Error("It is damaged: it is not a zip archive.");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let room = limit;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY_SIGNATURE) {
      throw new Error("It is damaged: the directory of the archive is not valid.");
    }
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) !== 0) throw new Error("It is protected by a password.");
    room -= unpackedSize(view, at, room);
    if (room < 0)
      throw new Error(`It unpacks to more than ${limit / 1_000_000} MB, which exceeds the limit.`);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

/** The actual unpacked size of one entry, not the size that the archive states. */
function unpackedSize(view: DataView, entry: number, room: number): number {
  const method = view.getUint16(entry + 10, true);
  const packed = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (method === 0) return packed;
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== LOCAL_SIGNATURE) {
    throw new Error("It is damaged: the entries of the archive are not valid.");
  }
  const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
  const data = new Uint8Array(
    view.buffer,
    view.byteOffset + start,
    Math.min(packed, view.byteLength - start),
  );
  try {
    return inflateRawSync(data, { maxOutputLength: Math.max(1, room + 1) }).length;
  } catch (error) {
    if (error instanceof RangeError) return room + 1;
    throw new Error("It is damaged: its content cannot be unpacked.");
  }
}

function endRecord(view: DataView): number | undefined {
  const earliest = Math.max(0, view.byteLength - 22 - 0xffff);
  for (let at = view.byteLength - 22; at >= earliest; at--) {
    if (view.getUint32(at, true) === END_SIGNATURE) return at;
  }
  return undefined;
}
