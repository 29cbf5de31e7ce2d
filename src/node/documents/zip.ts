/** Office documents are zip archives; one may unpack to far more than it weighs. */
import { inflateRawSync } from "node:zlib";

/** Bytes that an archive may unpack to. */
const unpackedLimit = 200_000_000;

const entrySignature = 0x02014b50;
const endSignature = 0x06054b50;
const localSignature = 0x04034b50;

/** Throws an Error for what is no archive, or one that unpacks to more than is reasonable whatever it says of itself. */
export function refuseBomb(bytes: Uint8Array, limit = unpackedLimit): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endRecord(view);
  if (end === undefined) throw new Error("It is damaged: not a zip archive, as such a document is.");
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  let room = limit;
  for (let entry = 0; entry < count; entry++) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== entrySignature) {
      throw new Error("It is damaged: the archive's list of contents is broken.");
    }
    const flags = view.getUint16(at + 8, true);
    if ((flags & 1) !== 0) throw new Error("It is locked by a password.");
    room -= unpackedSize(view, at, room);
    if (room < 0) throw new Error(`It unpacks to more than ${limit / 1_000_000} MB, which is not read.`);
    at += 46 + view.getUint16(at + 28, true) + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
}

/** The size of one entry as it comes out, not as the archive says. */
function unpackedSize(view: DataView, entry: number, room: number): number {
  const method = view.getUint16(entry + 10, true);
  const packed = view.getUint32(entry + 20, true);
  const local = view.getUint32(entry + 42, true);
  if (method === 0) return packed;
  if (local + 30 > view.byteLength || view.getUint32(local, true) !== localSignature) {
    throw new Error("It is damaged: the archive's entries are broken.");
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
    if (view.getUint32(at, true) === endSignature) return at;
  }
  return undefined;
}
