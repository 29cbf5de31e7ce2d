/**
 * Reads rows out of a damaged database without its directory: every page that looks like a leaf of a table is read for
 * records, and a record's number of columns and their kinds tell its table. Format: sqlite.org/fileformat2.html.
 */
import type { SqlValue } from "sql.js";
import type { Database } from "./database.ts";

/** Columns of each table, in the order of its creation, with a test that tells its rows from all others. */
const tables: {
  name: string;
  columns: string[];
  /** Columns of the first version; a row written by it ends there. */
  first?: number;
  fits(row: SqlValue[]): boolean;
}[] = [
  {
    name: "messages",
    columns: [
      "id",
      "session_id",
      "timestamp",
      "role",
      "content",
      "tool_calls",
      "tool_results",
      "position",
      "body",
    ],
    fits: (row) => allTexts(row, 0, 1, 2, 3, 4, 8) && typeof row[7] === "number" && isJson(row[8]),
  },
  {
    name: "sessions",
    columns: [
      "id",
      "started_at",
      "ended_at",
      "project_path",
      "model_used",
      "title",
      "updated_at",
      "mode",
      "todo",
      "totals",
      "touched",
      "favourite",
      "deleted_at",
      "forked_from",
      "forked_at",
      "forked_count",
    ],
    first: 11,
    fits: (row) => allTexts(row, 0, 1, 3, 4, 5, 6, 7, 8) && typeof row[10] === "number",
  },
  {
    name: "removed_sessions",
    columns: ["id", "removed_at"],
    fits: (row) => allTexts(row, 0, 1) && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(String(row[1])),
  },
  {
    name: "payload_uses",
    columns: ["payload", "session_id"],
    fits: (row) => allTexts(row, 0, 1) && /^[0-9a-f]{64}$/.test(String(row[0])),
  },
];

/** Puts all that can be read into `into`, an empty database of the newest version. */
export function carve(bytes: Uint8Array, into: Database): { sessions: number; messages: number } {
  const counts = { sessions: 0, messages: 0 };
  into.transaction(() => {
    for (const row of leafRows(bytes)) {
      const table = tables.find(
        ({ columns, first = columns.length, fits }) => first <= row.length && fits(row),
      );
      if (!table) continue;
      const columns = table.columns.slice(0, row.length);
      const marks = columns.map(() => "?").join(", ");
      // A page no longer in use may hold an earlier state of a session; messages never change.
      const conflict = table.name === "sessions" ? newerSessionWins(columns) : "DO NOTHING";
      into.run(
        `INSERT INTO ${table.name} (${columns.join(", ")}) VALUES (${marks}) ON CONFLICT ${conflict}`,
        row.slice(0, columns.length),
      );
    }
    // Pages that are no longer in use may still hold what the person deleted.
    into.run("DELETE FROM sessions WHERE id IN (SELECT id FROM removed_sessions)");
    into.run("DELETE FROM messages WHERE session_id IN (SELECT id FROM removed_sessions)");
    into.run("DELETE FROM payload_uses WHERE session_id IN (SELECT id FROM removed_sessions)");
    // Messages whose session is lost get one, so that they are seen.
    into.run(`
      INSERT INTO sessions (id, started_at, ended_at, project_path, model_used, title, updated_at, mode, todo, touched)
      SELECT session_id, min(timestamp), max(timestamp), '', '', substr(content, 1, 80), max(timestamp), 'act', '', 0
      FROM messages WHERE session_id NOT IN (SELECT id FROM sessions) GROUP BY session_id`);
  });
  for (const name of ["sessions", "messages"] as const) counts[name] = into.count(name);
  return counts;
}

function newerSessionWins(columns: readonly string[]): string {
  const set = columns.map((column) => `${column} = excluded.${column}`).join(", ");
  return `(id) DO UPDATE SET ${set} WHERE excluded.touched > sessions.touched`;
}

function allTexts(row: SqlValue[], ...columns: number[]): boolean {
  return columns.every((column) => typeof row[column] === "string");
}

function isJson(value: SqlValue | undefined): boolean {
  try {
    JSON.parse(String(value));
    return true;
  } catch {
    return false;
  }
}

function* leafRows(bytes: Uint8Array): Generator<SqlValue[]> {
  const file = new PageFile(bytes);
  for (let page = 1; page <= file.count; page++) {
    // The first page begins with the file's own header.
    const header = page === 1 ? 100 : 0;
    const start = (page - 1) * file.size;
    if (bytes[start + header] !== 0x0d) continue;
    const cells = file.u16(start + header + 3);
    for (let cell = 0; cell < cells; cell++) {
      const pointer = start + header + 8 + cell * 2;
      if (pointer + 2 > start + file.size) break;
      const row = file.recordAt(page, start + file.u16(pointer));
      if (row) yield row;
    }
  }
}

class PageFile {
  readonly size: number;
  readonly count: number;
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const named = bytes.length >= 18 ? this.u16(16) : 0;
    // sql.js writes pages of 4096; another size is believed only where it is one that can be.
    this.size = named >= 512 && (named & (named - 1)) === 0 ? named : 4096;
    this.count = Math.floor(bytes.length / this.size);
  }

  u16(at: number): number {
    return at + 2 <= this.#bytes.length ? this.#view.getUint16(at) : 0;
  }

  /** The row whose cell begins there; undefined when it cannot be read whole. */
  recordAt(page: number, at: number): SqlValue[] | undefined {
    const end = page * this.size;
    const length = this.#varint(at);
    const rowid = length && this.#varint(length.next);
    if (!length || !rowid || length.value > this.#bytes.length) return undefined;
    const payload = this.#payload(rowid.next, length.value, end);
    return payload && readRecord(payload);
  }

  /** A record longer than its page goes on in a chain of overflow pages. */
  #payload(at: number, length: number, end: number): Uint8Array | undefined {
    const most = this.size - 35;
    if (length <= most) return at + length <= end ? this.#bytes.subarray(at, at + length) : undefined;
    const least = Math.floor(((this.size - 12) * 32) / 255) - 23;
    const fitted = least + ((length - least) % (this.size - 4));
    const local = fitted <= most ? fitted : least;
    if (at + local + 4 > end) return undefined;
    const payload = new Uint8Array(length);
    payload.set(this.#bytes.subarray(at, at + local));
    let filled = local;
    let next = this.#view.getUint32(at + local);
    while (filled < length) {
      if (next < 1 || next > this.count) return undefined;
      const start = (next - 1) * this.size;
      const part = Math.min(length - filled, this.size - 4);
      payload.set(this.#bytes.subarray(start + 4, start + 4 + part), filled);
      filled += part;
      next = this.#view.getUint32(start);
    }
    return payload;
  }

  #varint(at: number): { value: number; next: number } | undefined {
    return readVarint(this.#bytes, at);
  }
}

function readVarint(bytes: Uint8Array, at: number): { value: number; next: number } | undefined {
  let value = 0;
  for (let index = 0; index < 9; index++) {
    const byte = bytes[at + index];
    if (byte === undefined) return undefined;
    if (index === 8) return { value: value * 256 + byte, next: at + 9 };
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: at + index + 1 };
  }
  return undefined;
}

function readRecord(payload: Uint8Array): SqlValue[] | undefined {
  const header = readVarint(payload, 0);
  if (!header || header.value > payload.length) return undefined;
  const view = new DataView(payload.buffer, payload.byteOffset, payload.byteLength);
  const row: SqlValue[] = [];
  let at = header.value;
  let kindAt = header.next;
  while (kindAt < header.value) {
    const kind = readVarint(payload, kindAt);
    if (!kind) return undefined;
    kindAt = kind.next;
    const length = lengthOf(kind.value);
    if (length === undefined || at + length > payload.length) return undefined;
    row.push(readValue(view, payload, kind.value, at, length));
    at += length;
  }
  return at === payload.length ? row : undefined;
}

/** Bytes that a value of that serial type takes. */
function lengthOf(kind: number): number | undefined {
  if (kind >= 12) return Math.floor((kind - 12) / 2);
  return [0, 1, 2, 3, 4, 6, 8, 8, 0, 0][kind];
}

function readValue(view: DataView, bytes: Uint8Array, kind: number, at: number, length: number): SqlValue {
  if (kind >= 12) {
    const part = bytes.subarray(at, at + length);
    return kind % 2 === 0 ? part.slice() : new TextDecoder("utf-8", { ignoreBOM: true }).decode(part);
  }
  if (kind === 0) return null;
  if (kind === 7) return view.getFloat64(at);
  if (kind >= 8) return kind - 8;
  let value = 0;
  for (let index = 0; index < length; index++) value = value * 256 + (bytes[at + index] ?? 0);
  const bits = length * 8;
  return value >= 2 ** (bits - 1) ? value - 2 ** bits : value;
}
