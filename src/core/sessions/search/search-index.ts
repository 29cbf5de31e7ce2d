/**
 * Summaries of what runs of a session's messages ("chunks" of about 64,000 characters) may contain. They are built from
 * the messages in the background when someone opens the history, and briefly before the store closes. They are in no
 * journal; missing ones are rebuilt.
 *
 * The index grows with the messages, so there is usually little to build. A complete build is needed for sessions
 * imported from files, after a migration, after a damaged database, and after a process died between two checkpoints.
 * It runs in short slices, newest sessions first, and searches use what exists so far.
 */
import type { IndexProgress } from "../../../shared/protocol.ts";
import * as z from "../../../shared/zod.ts";
import { giveWay } from "../../async.ts";
import { Emitter } from "../../lifecycle.ts";
import type { Clock } from "../../ports/system.ts";
import type { Database } from "../db/database.ts";
import { isPosition } from "../db/lineage.ts";
import { unpacked } from "../db/packs.ts";
import type { PayloadStore } from "../db/payloads.ts";
import { fromRow, MESSAGE_COLUMNS, messageRowSchema } from "../db/rows.ts";
import { fold, Signature } from "./grams.ts";
import { piecesOf, type SearchablePiece } from "./searchable.ts";

/** Minimum characters per chunk; a session's last chunk may be smaller. */
const CHUNK_SIZE = 1 << 16;
/** Messages read at a time. */
const BATCH = 64;
/** Chunks that take about a second to build. */
const WORTH_SAVING = 200;
/** Milliseconds of work that may be lost if the process dies. */
const SAVE_AFTER_MS = 10_000;
/** Milliseconds of work before yielding, and between two progress reports. */
const SLICE_MS = 8;
const PROGRESS_INTERVAL_MS = 300;
/** Characters hashed at a time, and the overlap of two such pieces, so that no run of characters is split. */
const STRIDE_SIZE = 1 << 16;
const OVERLAP = 64;

export interface Chunk {
  session: string;
  first: number;
  last: number;
}

/** Runs queries in the store's queue. */
export interface QueryRunner {
  /** Queries the database after applying what other processes wrote. */
  fresh<T>(query: (db: Database) => T): Promise<T>;
  /** Queries what is already in memory, without reading the disk. */
  known<T>(query: (db: Database) => T): Promise<T>;
}

const staleSchema = z.object({ id: z.string(), last: z.number(), indexed: z.number() });
type Stale = z.infer<typeof staleSchema>;
const rowSchema = z.extend(messageRowSchema, { position: z.number() });
export type IndexedRow = z.infer<typeof rowSchema>;

export interface IndexedMessage {
  position: number;
  pieces: SearchablePiece[];
}

type Texts = Record<SearchablePiece["by"], string[]>;

export class SearchIndex {
  readonly #reader: QueryRunner;
  readonly #payloads: PayloadStore;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #progressed = new Emitter<IndexProgress>();
  #builtChunks = 0;
  #working: Promise<void> | undefined;
  #stopped = false;
  #progress: IndexProgress = { done: 0, total: 0 };
  #sliceFrom = 0;
  #savedAt = 0;
  #reportedAt = 0;
  /** A listener was told that the index is incomplete and expects to learn when it is complete. */
  #isAwaited = false;
  /** Sessions that cannot be indexed. They are tried only once. */
  readonly #unusable = new Set<string>();

  /** Fires periodically during a long build, and when the index is complete. */
  readonly onProgress = this.#progressed.on;

  constructor(reader: QueryRunner, payloads: PayloadStore, clock: Clock, failed: (error: unknown) => void) {
    this.#reader = reader;
    this.#payloads = payloads;
    this.#clock = clock;
    this.#failed = failed;
  }

  /** So much was built since the last save that the next process should not have to repeat it. */
  get isWorthSaving(): boolean {
    return this.#builtChunks > WORTH_SAVING;
  }

  saved(): void {
    this.#builtChunks = 0;
  }

  /**
   * True if a save is due during a build. Without it, windows that soon close or die would start over each time and
   * never finish.
   */
  isTimeToSave(): boolean {
    const isTime = this.#builtChunks > 0 && this.#now() - this.#savedAt > SAVE_AFTER_MS;
    if (isTime) this.#savedAt = this.#now();
    return isTime;
  }

  /**
   * Indexes new messages in the background. Resolves with undefined when that is done, or after `waitMs` with the
   * progress.
   */
  async refresh(waitMs: number): Promise<IndexProgress | undefined> {
    this.#working ??= this.#work();
    const working = this.#working;
    let enough: () => void = () => {};
    const waited = new Promise<void>((resolve) => {
      enough = resolve;
    });
    const timer = this.#clock.after(waitMs, () => enough());
    await Promise.race([working, waited]);
    timer.dispose();
    if (this.#working !== working) return undefined;
    this.#isAwaited = true;
    return { ...this.#progress };
  }

  /** Keeps what was built and builds nothing more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      await this.#indexNew();
    } catch (error) {
      this.#failed(error);
    }
    this.#working = undefined;
    const isHeard = !this.#stopped && (this.#isAwaited || this.isWorthSaving);
    this.#isAwaited = false;
    const { total } = this.#progress;
    try {
      if (isHeard) this.#progressed.emit({ done: total, total });
    } catch (error) {
      this.#failed(error);
    }
  }

  /** Indexes everything that is not indexed yet, including messages that arrive meanwhile. */
  async #indexNew(): Promise<void> {
    this.#sliceFrom = this.#now();
    this.#reportedAt = this.#sliceFrom;
    this.#savedAt = this.#sliceFrom;
    this.#progress = { done: 0, total: 0 };
    const tried = new Map<string, string>();
    for (;;) {
      const stale = (await this.#reader.fresh(staleSessions)).filter(({ id }) => !this.#unusable.has(id));
      if (stale.length === 0) return;
      for (const { id, last, indexed } of stale) {
        // A message that cannot be read would keep the index incomplete forever.
        if (tried.get(id) === `${last} ${indexed}`) this.#unusable.add(id);
        tried.set(id, `${last} ${indexed}`);
      }
      this.#progress.total = stale.reduce((sum, { last, indexed }) => sum + last - indexed, 0);
      this.#progress.done = 0;
      for (const session of stale) {
        await this.#index(session).catch((error: unknown) => {
          this.#unusable.add(session.id);
          this.#failed(error);
        });
        if (this.#stopped) return;
        if (this.#now() - this.#reportedAt > PROGRESS_INTERVAL_MS) {
          this.#reportedAt = this.#now();
          this.#isAwaited = true;
          this.#progressed.emit({ ...this.#progress });
        }
      }
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  /** Yields to other work if the last yield was long enough ago. */
  async #yieldIfDue(): Promise<void> {
    const spent = this.#now() - this.#sliceFrom;
    if (spent >= 0 && spent < SLICE_MS) return;
    // A clock that jumped back gives no elapsed time.
    if (spent >= 0) await giveWay(this.#clock);
    this.#sliceFrom = this.#now();
  }

  async #index({ id, indexed }: Stale): Promise<void> {
    const from = await this.#reader.known((db) => startOf(db, id, indexed));
    const doneBefore = this.#progress.done;
    let texts = noTexts();
    let size = 0;
    let first: number | undefined;
    let position = from;
    let before = await this.#reader.known((db) => lastBefore(db, id, from + 1));
    for (;;) {
      const rows = await this.#reader.known((db) => rowsAfter(db, id, position));
      for (const message of await this.messagesOf(rows)) {
        // Messages at one position stay in one chunk.
        if (size >= CHUNK_SIZE && first !== undefined && message.position !== position) {
          if (!(await this.#put({ session: id, first, last: position }, texts, size, before))) return;
          before = position;
          [texts, size, first] = [noTexts(), 0, undefined];
        }
        if (this.#stopped) return;
        first ??= message.position;
        position = message.position;
        const read = await this.texts(message.pieces);
        for (const [index, { by }] of message.pieces.entries()) {
          const text = read[index] ?? "";
          texts[by].push(text);
          size += text.length;
        }
      }
      const { total } = this.#progress;
      this.#progress.done = Math.min(total, doneBefore + Math.max(0, position - indexed));
      if (rows.length === 0) break;
    }
    if (first !== undefined) await this.#put({ session: id, first, last: position }, texts, size, before);
  }

  /**
   * Returns false if the preceding chunk no longer exists, because another process rewrote the database without it. The
   * session is then indexed again.
   */
  async #put({ session, first, last }: Chunk, texts: Texts, size: number, before: number): Promise<boolean> {
    const person = await this.#signature([texts.person]);
    const agent = await this.#signature([texts.agent]);
    const bits = await this.#signature([texts.person, texts.agent, texts.tool]);
    const isContiguous = await this.#reader.known((db) => {
      if (lastBefore(db, session, first) !== before) return false;
      db.transaction(() => {
        // Replaces the smaller last chunk, which no longer ends here.
        db.run("DELETE FROM search_chunks WHERE session_id = ? AND last >= ?", [session, first]);
        db.run(
          "INSERT INTO search_chunks (session_id, first, last, size, bits, person, agent) VALUES (?, ?, ?, ?, ?, ?, ?)",
          [session, first, last, size, bits ?? new Uint8Array(), person, agent],
        );
      });
      return true;
    });
    if (isContiguous) this.#builtChunks += 1;
    return isContiguous;
  }

  async #signature(lists: readonly (readonly string[])[]): Promise<Uint8Array | null> {
    const length = lists.flat().reduce((sum, text) => sum + text.length, 0);
    if (length === 0 && lists.length === 1) return null;
    const signature = new Signature(length);
    for (const text of lists.flat()) {
      for (let at = 0; at < text.length; at += STRIDE_SIZE - OVERLAP) {
        signature.add(fold(text.slice(at, at + STRIDE_SIZE)));
        await this.#yieldIfDue();
      }
    }
    return signature.end();
  }

  /** Returns the searchable texts of these rows. */
  async messagesOf(rows: readonly IndexedRow[]): Promise<Iterable<IndexedMessage>> {
    return eachOf(await unpacked(rows, this.#payloads));
  }

  /** Returns the texts of pieces; reads those in payloads from their files. */
  async texts(pieces: readonly SearchablePiece[]): Promise<string[]> {
    const hashes = pieces.flatMap(({ text }) => (typeof text === "string" ? [] : [text.payload]));
    const payloads = hashes.length > 0 ? await this.#payloads.texts(hashes) : undefined;
    return pieces.map(({ text }) => (typeof text === "string" ? text : (payloads?.get(text.payload) ?? "")));
  }
}

function noTexts(): Texts {
  return { person: [], agent: [], tool: [] };
}

/** Returns sessions with messages that are not indexed, newest first. */
function staleSessions(db: Database): Stale[] {
  return db.all(
    staleSchema,
    `SELECT id, last, ifnull(indexed, 0) AS indexed FROM (SELECT id, touched,
       (SELECT max(position) FROM messages WHERE session_id = sessions.id AND ${isPosition("position")}) AS last,
       (SELECT max(last) FROM search_chunks WHERE session_id = sessions.id AND ${isPosition("last")}) AS indexed FROM sessions)
     WHERE last > ifnull(indexed, 0) ORDER BY touched DESC, id`,
  );
}

/**
 * Returns the position after which to continue. A small last chunk is extended, so that small chunks do not accumulate.
 */
function startOf(db: Database, session: string, indexed: number): number {
  let from = indexed;
  db.each(
    "SELECT first, size FROM search_chunks WHERE session_id = ? AND last = ?",
    [session, indexed],
    ([first, size]) => {
      if (Number(size) < CHUNK_SIZE) from = Number(first) - 1;
    },
  );
  return from;
}

/** Returns the last indexed position before `position`; 0: none. */
function lastBefore(db: Database, session: string, position: number): number {
  let last = 0;
  const sql = "SELECT ifnull(max(last), 0) FROM search_chunks WHERE session_id = ? AND last < ?";
  db.each(sql, [session, position], ([found]) => {
    last = Number(found);
  });
  return last;
}

/** Returns a session's own next messages after a position, with all messages of the last position. */
function rowsAfter(db: Database, session: string, position: number): IndexedRow[] {
  const sql = `SELECT ${MESSAGE_COLUMNS}, position FROM messages
    WHERE session_id = ? AND position > ? AND ${isPosition("position")} ORDER BY position LIMIT ${BATCH}`;
  const rows = db.all(rowSchema, sql, [session, position]);
  const last = rows.at(-1)?.position;
  if (last === undefined || rows.length < BATCH) return rows;
  return [...rows.filter((row) => row.position < last), ...rowsBetween(db, session, last, last)];
}

/** Returns a session's own messages between two positions, inclusive, as rows. */
export function rowsBetween(db: Database, session: string, first: number, last: number): IndexedRow[] {
  const sql = `SELECT ${MESSAGE_COLUMNS}, position FROM messages
    WHERE session_id = ? AND position BETWEEN ? AND ? ORDER BY position`;
  return db.all(rowSchema, sql, [session, first, last]);
}

/** Yields one at a time, for callers that need only the first ones. */
function* eachOf(rows: readonly IndexedRow[]): Generator<IndexedMessage> {
  for (const row of rows) yield indexed(row);
}

function indexed({ position, ...row }: IndexedRow): IndexedMessage {
  try {
    return { position, pieces: piecesOf(fromRow(row)) };
  } catch {
    // Not a message, so it is not shown either.
    return { position, pieces: [] };
  }
}
