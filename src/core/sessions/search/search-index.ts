/**
 * For runs of a session's messages ("chunks", some 64,000 characters each), what they may contain. Made from the
 * messages in the background, when somebody looks at the history, and a little before the store is closed; it is in no
 * journal, and what is missing of it is made again.
 *
 * It grows with the messages, so there is seldom much to make. All of it is made for sessions that were taken in from
 * files, after a migration, after a damaged database, and after a process that died between two checkpoints. Then it is
 * made in short slices, the newest sessions first, and searches find what is in it so far.
 */
import * as z from "zod";
import type { IndexProgress } from "../../../shared/protocol.ts";
import { Emitter } from "../../lifecycle.ts";
import type { Clock } from "../../ports/system.ts";
import type { Database } from "../db/database.ts";
import { isPosition } from "../db/lineage.ts";
import { unpacked } from "../db/packs.ts";
import type { PayloadStore } from "../db/payloads.ts";
import { fromRow, messageColumns, messageRowSchema } from "../db/rows.ts";
import { fold, Signature } from "./grams.ts";
import { type Piece, piecesOf } from "./searchable.ts";

/** Characters of a chunk, at least; a session's last one may be smaller. */
const chunkSize = 1 << 16;
/** Messages read at a time. */
const batch = 64;
/** Chunks that take about a second to make. */
const worthSaving = 200;
/** Milliseconds of work that a process which dies in the middle of it may lose. */
const saveAfterMs = 10_000;
/** Milliseconds of work after which others have their turn, and between two words about the progress. */
const sliceMs = 8;
const tellMs = 300;
/** Characters looked at in one go, and those that two such pieces share, so that no run of characters is cut. */
const strideSize = 1 << 16;
const overlap = 64;

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

const staleSchema = z.object({ id: z.string(), last: z.number(), indexed: z.number() });
type Stale = z.infer<typeof staleSchema>;
const rowSchema = messageRowSchema.extend({ position: z.number() });
export type IndexedRow = z.infer<typeof rowSchema>;

export interface Indexed {
  position: number;
  pieces: Piece[];
}

type Texts = Record<Piece["by"], string[]>;

export class SearchIndex {
  readonly #reader: Reader;
  readonly #payloads: PayloadStore;
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #progressed = new Emitter<IndexProgress>();
  #made = 0;
  #working: Promise<void> | undefined;
  #stopped = false;
  #progress: IndexProgress = { done: 0, total: 0 };
  #sliceFrom = 0;
  #savedAt = 0;
  #toldAt = 0;
  /** Somebody heard that it is not complete, and waits to hear that it is. */
  #isAwaited = false;
  /** Sessions that cannot be taken in: tried once. */
  readonly #unusable = new Set<string>();

  /** Now and then while it is made, where that takes long, and when it is complete. */
  readonly onProgress = this.#progressed.on;

  constructor(reader: Reader, payloads: PayloadStore, clock: Clock, failed: (error: unknown) => void) {
    this.#reader = reader;
    this.#payloads = payloads;
    this.#clock = clock;
    this.#failed = failed;
  }

  /** So much was made since it was last saved that the next process should not have to make it again. */
  get isWorthSaving(): boolean {
    return this.#made > worthSaving;
  }

  saved(): void {
    this.#made = 0;
  }

  /**
   * In the middle of it, and a while since this was last so: windows that are closed soon, or die, would else begin again
   * and again and never come to its end.
   */
  isTimeToSave(): boolean {
    const isTime = this.#made > 0 && this.#now() - this.#savedAt > saveAfterMs;
    if (isTime) this.#savedAt = this.#now();
    return isTime;
  }

  /**
   * Takes in what is new, in the background. Resolves when that is done, with undefined, and else after `waitMs`, with
   * how far it is.
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

  /** What is made is kept; nothing more is. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  async #work(): Promise<void> {
    try {
      await this.#takeIn();
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

  /** All that is not taken in yet, also what comes meanwhile. */
  async #takeIn(): Promise<void> {
    this.#sliceFrom = this.#now();
    this.#toldAt = this.#sliceFrom;
    this.#savedAt = this.#sliceFrom;
    this.#progress = { done: 0, total: 0 };
    const tried = new Map<string, string>();
    for (;;) {
      const stale = (await this.#reader.fresh(staleSessions)).filter(({ id }) => !this.#unusable.has(id));
      if (stale.length === 0) return;
      for (const { id, last, indexed } of stale) {
        // What cannot be read keeps it from ever being complete.
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
        if (this.#now() - this.#toldAt > tellMs) {
          this.#toldAt = this.#now();
          this.#isAwaited = true;
          this.#progressed.emit({ ...this.#progress });
        }
      }
    }
  }

  #now(): number {
    return this.#clock.now().getTime();
  }

  /** Lets everything else have its turn, when it was long enough ago. */
  async #breathe(): Promise<void> {
    const spent = this.#now() - this.#sliceFrom;
    if (spent >= 0 && spent < sliceMs) return;
    // A clock that jumped back says nothing.
    if (spent >= 0) await new Promise<void>((resolve) => this.#clock.after(0, resolve));
    this.#sliceFrom = this.#now();
  }

  async #index({ id, indexed }: Stale): Promise<void> {
    const from = await this.#reader.known((db) => startOf(db, id, indexed));
    const told = this.#progress.done;
    let texts = noTexts();
    let size = 0;
    let first: number | undefined;
    let position = from;
    let before = await this.#reader.known((db) => lastBefore(db, id, from + 1));
    for (;;) {
      const rows = await this.#reader.known((db) => rowsAfter(db, id, position));
      for (const message of await this.messagesOf(rows)) {
        // Messages of one position belong together.
        if (size >= chunkSize && first !== undefined && message.position !== position) {
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
      this.#progress.done = Math.min(total, told + Math.max(0, position - indexed));
      if (rows.length === 0) break;
    }
    if (first !== undefined) await this.#put({ session: id, first, last: position }, texts, size, before);
  }

  /**
   * False: what comes before it is not there any more, for another process rewrote the database without it; then the
   * session is begun again.
   */
  async #put({ session, first, last }: Chunk, texts: Texts, size: number, before: number): Promise<boolean> {
    const person = await this.#signature([texts.person]);
    const agent = await this.#signature([texts.agent]);
    const bits = await this.#signature([texts.person, texts.agent, texts.tool]);
    const joins = await this.#reader.known((db) => {
      if (lastBefore(db, session, first) !== before) return false;
      db.transaction(() => {
        // The one that was smaller, and ends here no more.
        db.run("DELETE FROM search_chunks WHERE session_id = ? AND last >= ?", [session, first]);
        db.run(
          "INSERT INTO search_chunks (session_id, first, last, size, bits, person, agent) VALUES (?, ?, ?, ?, ?, ?, ?)",
          [session, first, last, size, bits ?? new Uint8Array(), person, agent],
        );
      });
      return true;
    });
    if (joins) this.#made += 1;
    return joins;
  }

  async #signature(lists: readonly (readonly string[])[]): Promise<Uint8Array | null> {
    const length = lists.flat().reduce((sum, text) => sum + text.length, 0);
    if (length === 0 && lists.length === 1) return null;
    const signature = new Signature(length);
    for (const text of lists.flat()) {
      for (let at = 0; at < text.length; at += strideSize - overlap) {
        signature.add(fold(text.slice(at, at + strideSize)));
        await this.#breathe();
      }
    }
    return signature.end();
  }

  /** What can be searched of these rows. */
  async messagesOf(rows: readonly IndexedRow[]): Promise<Iterable<Indexed>> {
    return eachOf(await unpacked(rows, this.#payloads));
  }

  /** The texts of pieces, those in payloads read from their files. */
  async texts(pieces: readonly Piece[]): Promise<string[]> {
    const hashes = pieces.flatMap(({ text }) => (typeof text === "string" ? [] : [text.payload]));
    const payloads = hashes.length > 0 ? await this.#payloads.texts(hashes) : undefined;
    return pieces.map(({ text }) => (typeof text === "string" ? text : (payloads?.get(text.payload) ?? "")));
  }
}

function noTexts(): Texts {
  return { person: [], agent: [], tool: [] };
}

/** Sessions with messages that are not taken in, the newest first. */
function staleSessions(db: Database): Stale[] {
  return db.all(
    staleSchema,
    `SELECT id, last, ifnull(indexed, 0) AS indexed FROM (SELECT id, touched,
       (SELECT max(position) FROM messages WHERE session_id = sessions.id AND ${isPosition("position")}) AS last,
       (SELECT max(last) FROM search_chunks WHERE session_id = sessions.id AND ${isPosition("last")}) AS indexed FROM sessions)
     WHERE last > ifnull(indexed, 0) ORDER BY touched DESC, id`,
  );
}

/** The position after which there is something to do: a last chunk that is small goes on, so that they do not become many. */
function startOf(db: Database, session: string, indexed: number): number {
  let from = indexed;
  db.each(
    "SELECT first, size FROM search_chunks WHERE session_id = ? AND last = ?",
    [session, indexed],
    ([first, size]) => {
      if (Number(size) < chunkSize) from = Number(first) - 1;
    },
  );
  return from;
}

/** The last position that is taken in before that one; 0: none. */
function lastBefore(db: Database, session: string, position: number): number {
  let last = 0;
  const sql = "SELECT ifnull(max(last), 0) FROM search_chunks WHERE session_id = ? AND last < ?";
  db.each(sql, [session, position], ([found]) => {
    last = Number(found);
  });
  return last;
}

/** A session's own next messages after a position; all of the last position among them. */
function rowsAfter(db: Database, session: string, position: number): IndexedRow[] {
  const sql = `SELECT ${messageColumns}, position FROM messages
    WHERE session_id = ? AND position > ? AND ${isPosition("position")} ORDER BY position LIMIT ${batch}`;
  const rows = db.all(rowSchema, sql, [session, position]);
  const last = rows.at(-1)?.position;
  if (last === undefined || rows.length < batch) return rows;
  return [...rows.filter((row) => row.position < last), ...rowsBetween(db, session, last, last)];
}

/** A session's own messages between two positions, both included, as rows. */
export function rowsBetween(db: Database, session: string, first: number, last: number): IndexedRow[] {
  const sql = `SELECT ${messageColumns}, position FROM messages
    WHERE session_id = ? AND position BETWEEN ? AND ? ORDER BY position`;
  return db.all(rowSchema, sql, [session, first, last]);
}

/** One at a time, for whoever needs the first of them only. */
function* eachOf(rows: readonly IndexedRow[]): Generator<Indexed> {
  for (const row of rows) yield indexed(row);
}

function indexed({ position, ...row }: IndexedRow): Indexed {
  try {
    return { position, pieces: piecesOf(fromRow(row)) };
  } catch {
    // Not a message: it is not shown either.
    return { position, pieces: [] };
  }
}
