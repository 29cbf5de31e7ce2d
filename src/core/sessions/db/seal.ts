/**
 * The seal at the end of the database file: one line with its store, its generation, and the SHA-256 of everything
 * before it. SQLite ignores bytes after the last page that its header counts, so other tools can still open the file.
 */
import { crc32, sha256 } from "../../bytes.ts";
import { SEALED_SINCE } from "./schema.ts";

const PATTERN = /^nekode-seal 1 ([0-9a-f-]{36}) (\d{16}) ([0-9a-f]{64}) ([0-9a-f]{8})\n$/;
const SEAL_LENGTH = 14 + 37 + 17 + 65 + 9;
const MAGIC = "SQLite format 3\0";
const VERSION_AT = 60;

export interface SealReading {
  /**
   * intact: as written. unsealed: from a version that did not seal, so nothing is known. damaged: changed or truncated.
   */
  state: "intact" | "unsealed" | "damaged";
  /** The database without its seal. */
  content: Uint8Array;
  /** Set if intact. */
  store?: string;
  generation?: number;
}

/** Returns the bytes of a database with a seal. `store`: the UUID of the store it belongs to. */
export async function seal(content: Uint8Array, store: string, generation: number): Promise<Uint8Array> {
  const fields = `nekode-seal 1 ${store} ${String(generation).padStart(16, "0")} ${await sha256(content)} `;
  const line = new TextEncoder().encode(`${fields}${checkOf(fields)}\n`);
  const whole = new Uint8Array(content.length + line.length);
  whole.set(content);
  whole.set(line, content.length);
  return whole;
}

export async function readSealed(bytes: Uint8Array): Promise<SealReading> {
  const stored = sealOf(bytes);
  if (!stored) return { state: mustBeSealed(bytes) ? "damaged" : "unsealed", content: bytes };
  const content = bytes.subarray(0, bytes.length - SEAL_LENGTH);
  const [store = "", generation = "", hash = ""] = stored;
  if ((await sha256(content)) !== hash) return { state: "damaged", content };
  return { state: "intact", content, store, generation: Number(generation) };
}

function sealOf(bytes: Uint8Array): string[] | undefined {
  const line = new TextDecoder("latin1").decode(bytes.subarray(Math.max(0, bytes.length - SEAL_LENGTH)));
  const parts = PATTERN.exec(line);
  if (!parts) return undefined;
  const isWhole = checkOf(line.slice(0, -9)) === parts[4];
  return isWhole ? parts.slice(1) : undefined;
}

function checkOf(fields: string): string {
  return crc32(new TextEncoder().encode(fields)).toString(16).padStart(8, "0");
}

/** True for files of versions that seal, and for anything that is not a database, which counts as damaged. */
function mustBeSealed(bytes: Uint8Array): boolean {
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, MAGIC.length));
  if (bytes.length < 100 || head !== MAGIC) return true;
  return new DataView(bytes.buffer, bytes.byteOffset).getUint32(VERSION_AT) >= SEALED_SINCE;
}
