/**
 * For runs of a session's messages ("chunks", some 64,000 characters each), what they may contain. Made from the
 * messages when somebody searches, or before the database is written; it is in no journal, and what is missing of it is
 * made again.
 */
import { z } from "zod";
import type { Database } from "./database.ts";
import { fold, signatureOf } from "./grams.ts";
import { unpacked } from "./packs.ts";
import type { PayloadStore } from "./payloads.ts";
import { fromRow, messageColumns, messageRowSchema } from "./rows.ts";
import { type Piece, piecesOf } from "./searchable.ts";

/** Characters of a chunk, at least; a session's last one may be smaller. */
const chunkSize = 1 << 16;

/** Chunks that take about a second to make. */
const worthSaving = 200;

export interface Chunk {
  session: string;
  first: number;
  last: number;
}

/** Runs queries in the turn of the store. */
export interface Reader {
  /** On the database as all processes left it. */
  fresh<T>(query: (db: Database) => T): Promise<T>;
  /** On what is known already, which costs no look at the disk. */
  known<T>(query: (db: Database) => T): Promise<T>;
}

const staleSchema = z.object({ id: z.string(), last: z.number(), indexed: z.number().nullable() });
const rowSchema = messageRowSchema.extend({ position: z.number() });
export type IndexedRow = z.infer<typeof rowSchema>;

export interface Indexed {
  position: number;
  pieces: Piece[];
}

export class SearchIndex {
  readonly #reader: Reader;
  readonly #payloads: PayloadStore;
  #made = 0;

  constructor(reader: Reader, payloads: PayloadStore) {
    this.#reader = reader;
    this.#payloads = payloads;
  }

  /** So much was made since the start that the next process should not have to make it again. */
  get isWorthSaving(): boolean {
    return this.#made > worthSaving;
  }

  /** Takes in what is new, session by session, for as long as `goOn` says. */
  async refresh(goOn: () => boolean = () => true): Promise<void> {
    const stale = await this.#reader.fresh((db) =>
      db.all(
        staleSchema,
        `SELECT id, last, indexed FROM (SELECT id,
           (SELECT max(position) FROM messages WHERE session_id = sessions.id) AS last,
           (SELECT max(last) FROM search_chunks WHERE session_id = sessions.id) AS indexed FROM sessions)
         WHERE last > ifnull(indexed, 0)`,
      ),
    );
    for (const { id, indexed } of stale) {
      if (!goOn()) return;
      await this.#index(id, indexed ?? 0);
    }
  }

  async #index(session: string, indexed: number): Promise<void> {
    const rows = await this.#reader.known((db) => {
      // The last chunk goes on where it is small, so that they do not become many.
      let from = indexed;
      const tail = "SELECT first, size FROM search_chunks WHERE session_id = ? AND last = ?";
      db.each(tail, [session, indexed], ([first, size]) => {
        if (Number(size) < chunkSize) from = Number(first) - 1;
      });
      return rowsBetween(db, session, from + 1, Number.MAX_SAFE_INTEGER);
    });
    const messages = await this.piecesOf(rows);
    const chunks: (Chunk & { size: number; bits: Uint8Array })[] = [];
    let texts: string[] = [];
    let size = 0;
    let first = messages[0]?.position ?? 0;
    for (const [index, { position, pieces }] of messages.entries()) {
      for (const text of await this.texts(pieces)) {
        texts.push(fold(text));
        size += text.length;
      }
      const next = messages[index + 1];
      if (next && (size < chunkSize || next.position === position)) continue;
      chunks.push({ session, first, last: position, size, bits: signatureOf(texts) });
      texts = [];
      size = 0;
      first = next?.position ?? 0;
    }
    await this.#reader.known((db) => {
      const start = chunks[0]?.first;
      if (start === undefined) return;
      db.transaction(() => {
        db.run("DELETE FROM search_chunks WHERE session_id = ? AND last >= ?", [session, start]);
        this.#made += chunks.length;
        for (const chunk of chunks) {
          db.run("INSERT INTO search_chunks (session_id, first, last, size, bits) VALUES (?, ?, ?, ?, ?)", [
            session,
            chunk.first,
            chunk.last,
            chunk.size,
            chunk.bits,
          ]);
        }
      });
    });
  }

  /** What can be searched of these rows. */
  async piecesOf(rows: readonly IndexedRow[]): Promise<Indexed[]> {
    return (await unpacked(rows, this.#payloads)).map(indexed);
  }

  /** The texts of pieces, those in payloads read from their files. */
  async texts(pieces: readonly Piece[]): Promise<string[]> {
    const hashes = pieces.flatMap(({ text }) => (typeof text === "string" ? [] : [text.payload]));
    const payloads = hashes.length > 0 ? await this.#payloads.texts(hashes) : undefined;
    return pieces.map(({ text }) => (typeof text === "string" ? text : (payloads?.get(text.payload) ?? "")));
  }
}

/** A session's own messages between two positions, both included, as rows. */
export function rowsBetween(db: Database, session: string, first: number, last: number): IndexedRow[] {
  const sql = `SELECT ${messageColumns}, position FROM messages
    WHERE session_id = ? AND position BETWEEN ? AND ? ORDER BY position`;
  return db.all(rowSchema, sql, [session, first, last]);
}

function indexed({ position, ...row }: IndexedRow): Indexed {
  try {
    return { position, pieces: piecesOf(fromRow(row)) };
  } catch {
    // Not a message: it is not shown either.
    return { position, pieces: [] };
  }
}
