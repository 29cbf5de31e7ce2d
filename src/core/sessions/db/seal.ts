/**
 * The end of the database file: one line that says whose it is, which generation, and the SHA-256 of all before it.
 * SQLite ignores what follows the last page that its header counts, so the file stays a database for every other tool.
 */
import { crc32, sha256 } from "../../checksums.ts";
import { sealedSince } from "./schema.ts";

const pattern = /^nekode-seal 1 ([0-9a-f-]{36}) (\d{16}) ([0-9a-f]{64}) ([0-9a-f]{8})\n$/;
const sealLength = 14 + 37 + 17 + 65 + 9;
const magic = "SQLite format 3\0";
const versionAt = 60;

export interface Sealed {
  /**
   * intact: as it was written. unsealed: from before files were sealed, so nothing is known. damaged: not as it was
   * written, or cut off.
   */
  state: "intact" | "unsealed" | "damaged";
  /** The database without its seal. */
  content: Uint8Array;
  /** Of an intact one. */
  store?: string;
  generation?: number;
}

/** The bytes of a database, sealed. `store`: the UUID of the store it belongs to. */
export async function seal(content: Uint8Array, store: string, generation: number): Promise<Uint8Array> {
  const said = `nekode-seal 1 ${store} ${String(generation).padStart(16, "0")} ${await sha256(content)} `;
  const line = new TextEncoder().encode(`${said}${checkOf(said)}\n`);
  const whole = new Uint8Array(content.length + line.length);
  whole.set(content);
  whole.set(line, content.length);
  return whole;
}

export async function readSealed(bytes: Uint8Array): Promise<Sealed> {
  const found = sealOf(bytes);
  if (!found) return { state: mustBeSealed(bytes) ? "damaged" : "unsealed", content: bytes };
  const content = bytes.subarray(0, bytes.length - sealLength);
  const [store = "", generation = "", hash = ""] = found;
  if ((await sha256(content)) !== hash) return { state: "damaged", content };
  return { state: "intact", content, store, generation: Number(generation) };
}

function sealOf(bytes: Uint8Array): string[] | undefined {
  const line = new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, bytes.length - sealLength)));
  const parts = pattern.exec(line);
  if (!parts) return undefined;
  const isWhole = checkOf(line.slice(0, -9)) === parts[4];
  return isWhole ? parts.slice(1) : undefined;
}

function checkOf(said: string): string {
  return crc32(new TextEncoder().encode(said)).toString(16).padStart(8, "0");
}

/** Files of the versions that seal are never without a seal, and what is no database at all is damaged. */
function mustBeSealed(bytes: Uint8Array): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, magic.length));
  if (bytes.length < 100 || head !== magic) return true;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(versionAt) >= sealedSince;
}
