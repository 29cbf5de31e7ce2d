/** A project's conversations: said once they are on disk, shared with whatever other process works on the project. */
import { z } from "zod";
import type { Totals } from "../../shared/event.ts";
import { type Message, type Mode, messageSchema } from "../../shared/message.ts";
import type { SessionSummary } from "../../shared/protocol.ts";
import { messageOf } from "../errors.ts";
import type { Assets, Clock, Log, Storage } from "../ports.ts";
import { PayloadStore } from "./payloads.ts";
import type { StoreProblem } from "./problems.ts";
import { type JournalRecord, type SessionPatch, storedMessageSchema } from "./records.ts";
import { Replica } from "./replica.ts";
import { fromRow, type MessageRow, messageRowSchema, toRow } from "./rows.ts";
import { sessionColumns, sessionRowSchema, summaryOf, totalsOf } from "./session-rows.ts";

export interface StoredSession {
  summary: SessionSummary;
  mode: Mode;
  /** The todo list, Markdown. */
  todo: string;
  model: string;
  /** null: not closed. */
  endedAt: string | null;
  totals: Totals;
  messages: Message[];
}

/**
 * Every change is durable when its promise resolves, and costs what it adds. A change that could not be written
 * rejects and leaves everything as it was. Calls may be made without waiting for the one before: they keep their order.
 */
export interface SessionStore {
  create(input: {
    id: string;
    projectPath: string;
    model: string;
    title: string;
    mode: Mode;
    startedAt: string;
  }): Promise<void>;
  /** Appending the very same message again changes nothing; another one under its id rejects. */
  append(sessionId: string, message: Message): Promise<void>;
  update(sessionId: string, patch: SessionPatch): Promise<void>;
  /** Said before done: a call that began and has no result was interrupted. */
  markCall(sessionId: string, callId: string, state: "started"): Promise<void>;
  /** Calls that began and have no result. */
  startedCalls(sessionId: string): Promise<Set<string>>;
  /** Newest first, by the last change, whatever the clock did. */
  list(projectPath?: string): Promise<SessionSummary[]>;
  load(sessionId: string): Promise<StoredSession | undefined>;
  /** The session that changed last. */
  latest(): Promise<string | undefined>;
  /** The session that changed last of those that nobody closed (`endedAt`): the one to restore after a reload. */
  active(): Promise<string | undefined>;
  /** For good. The person's own wish, nothing else. */
  remove(sessionId: string): Promise<void>;
  /** Rewrites the database now. */
  checkpoint(): Promise<void>;
  /** After it, nothing works. */
  close(): Promise<void>;
  /** What was found and got over so far. */
  readonly problems: readonly StoreProblem[];
  /** Written by a newer version: everything that changes something rejects. */
  readonly readOnly: boolean;
}

const idSchema = z.object({ id: z.string() });
const callSchema = z.object({ call_id: z.string() });
const positionSchema = z.object({ position: z.number() });
const payloadSchema = z.object({ payload: z.string() });

/**
 * Milliseconds to wait for another process's checkpoint, or for the lock of one that died in the middle of one. Nothing
 * is lost without: the journals hold everything.
 */
const passingWaitMs = 200;
const closeWaitMs = 2_000;

/**
 * Writes nothing unless the database needs a repair or a migration. `migrations` is for tests of a later version.
 */
export async function openSessionStore(
  storage: Storage,
  assets: Assets,
  clock: Clock,
  log: Log,
  migrations?: readonly string[],
): Promise<SessionStore> {
  const replica = new Replica(storage, assets, log, migrations);
  await replica.refresh();
  const store = new Store(replica, new PayloadStore(storage, log), clock);
  if (replica.mustCheckpoint) await store.tryCheckpoint(passingWaitMs);
  return store;
}

class Store implements SessionStore {
  readonly #replica: Replica;
  readonly #payloads: PayloadStore;
  readonly #clock: Clock;
  #last: Promise<unknown> = Promise.resolve();

  constructor(replica: Replica, payloads: PayloadStore, clock: Clock) {
    this.#replica = replica;
    this.#payloads = payloads;
    this.#clock = clock;
  }

  get problems(): readonly StoreProblem[] {
    return this.#replica.problems.list;
  }

  get readOnly(): boolean {
    return !this.#replica.writable;
  }

  create(input: Parameters<SessionStore["create"]>[0]): Promise<void> {
    const { id, ...rest } = input;
    return this.#inTurn(() => this.#commit({ op: "create", session: id, ...rest }));
  }

  append(sessionId: string, message: Message): Promise<void> {
    return this.#inTurn(async () => {
      await this.#expect(sessionId);
      const lifted = await this.#payloads.lift(message);
      // A copy through JSON is what comes back, whatever was in the object that was given.
      const stored = storedMessageSchema.parse(JSON.parse(JSON.stringify(lifted.value)));
      if (this.#isStored(stored)) return;
      await this.#commit({
        op: "message",
        session: sessionId,
        position: this.#nextPosition(sessionId),
        message: stored,
        payloads: [...lifted.payloads.keys()],
      });
      // Another process may have removed one as unused just before this record named it.
      await this.#payloads.ensure(lifted.payloads);
    });
  }

  update(sessionId: string, patch: SessionPatch): Promise<void> {
    return this.#inTurn(async () => {
      await this.#expect(sessionId);
      await this.#commit({ op: "update", session: sessionId, patch });
    });
  }

  markCall(sessionId: string, callId: string, _state: "started"): Promise<void> {
    return this.#inTurn(async () => {
      await this.#expect(sessionId);
      await this.#commit({ op: "call", session: sessionId, callId });
    });
  }

  startedCalls(sessionId: string): Promise<Set<string>> {
    return this.#reading((db) => {
      const rows = db.all(callSchema, "SELECT call_id FROM started_calls WHERE session_id = ?", [sessionId]);
      return new Set(rows.map((row) => row.call_id));
    });
  }

  list(projectPath?: string): Promise<SessionSummary[]> {
    return this.#reading((db) => {
      const where = projectPath === undefined ? "" : "WHERE project_path = ?";
      const sql = `SELECT ${sessionColumns} FROM sessions ${where} ORDER BY touched DESC, id`;
      return db.all(sessionRowSchema, sql, projectPath === undefined ? [] : [projectPath]).map(summaryOf);
    });
  }

  async load(sessionId: string): Promise<StoredSession | undefined> {
    const found = await this.#reading((db) => {
      const sql = `SELECT ${sessionColumns} FROM sessions WHERE id = ?`;
      const session = db.first(sessionRowSchema, sql, [sessionId]);
      const rows = db.all(
        messageRowSchema,
        `SELECT id, timestamp, role, content, tool_calls, tool_results, body FROM messages
         WHERE session_id = ? ORDER BY position, timestamp, id`,
        [sessionId],
      );
      return session && { session, rows };
    });
    if (!found) return undefined;
    const { session } = found;
    return {
      summary: summaryOf(session),
      mode: session.mode,
      todo: session.todo,
      model: session.model_used,
      endedAt: session.ended_at,
      totals: totalsOf(session),
      messages: await this.#messagesOf(found.rows),
    };
  }

  latest(): Promise<string | undefined> {
    return this.#reading(
      (db) => db.first(idSchema, "SELECT id FROM sessions ORDER BY touched DESC, id LIMIT 1")?.id,
    );
  }

  active(): Promise<string | undefined> {
    const sql = "SELECT id FROM sessions WHERE ended_at IS NULL ORDER BY touched DESC, id LIMIT 1";
    return this.#reading((db) => db.first(idSchema, sql)?.id);
  }

  remove(sessionId: string): Promise<void> {
    return this.#inTurn(async () => {
      await this.#replica.refresh();
      const all = "SELECT payload FROM payload_uses WHERE session_id = ?";
      const own = this.#replica.db.all(payloadSchema, all, [sessionId]).map((row) => row.payload);
      await this.#commit({ op: "remove", session: sessionId });
      try {
        await this.#replica.locked(async () => {
          const used = await this.#usedOf(own);
          const unused = own.filter((payload) => !used.has(payload));
          await this.#payloads.release(unused, () => this.#usedOf(unused));
        }, closeWaitMs);
      } catch (error) {
        // The session is gone; its files only take space.
        this.#replica.problems.add("checkpoint-failed", messageOf(error));
      }
    });
  }

  checkpoint(): Promise<void> {
    return this.#inTurn(() => this.#replica.checkpoint());
  }

  close(): Promise<void> {
    return this.#inTurn(async () => {
      if (this.#replica.hasUnsaved) await this.tryCheckpoint(closeWaitMs);
      this.#replica.close();
    });
  }

  async tryCheckpoint(waitMs: number): Promise<void> {
    try {
      await this.#replica.checkpoint(waitMs);
    } catch (error) {
      this.#replica.postpone();
      this.#replica.problems.add("checkpoint-failed", messageOf(error));
    }
  }

  async #messagesOf(rows: readonly MessageRow[]): Promise<Message[]> {
    const stored: unknown[] = [];
    const unreadable = (id: string, error: unknown) =>
      this.#replica.problems.add("message-unreadable", `${id}: ${messageOf(error)}`);
    for (const row of rows) {
      try {
        stored.push(fromRow(row));
      } catch (error) {
        unreadable(row.id, error);
      }
    }
    const messages: Message[] = [];
    for (const value of await this.#payloads.lower(stored)) {
      const { success, data, error } = messageSchema.safeParse(value);
      if (success) messages.push(data);
      else unreadable(idSchema.safeParse(value).data?.id ?? "?", error);
    }
    return messages;
  }

  async #commit(change: Change): Promise<void> {
    const at = this.#clock.now().toISOString();
    await this.#replica.commit((seq) => ({ ...change, seq, at }));
    // In its own turn, after this change was acknowledged.
    if (this.#replica.wantsCheckpoint) void this.#inTurn(() => this.tryCheckpoint(passingWaitMs));
  }

  async #expect(sessionId: string): Promise<void> {
    if (this.#isKnown(sessionId)) return;
    await this.#replica.refresh();
    if (!this.#isKnown(sessionId)) throw new Error(`there is no session ${sessionId}`);
  }

  #isKnown(sessionId: string): boolean {
    return (
      this.#replica.db.first(idSchema, "SELECT id FROM sessions WHERE id = ?", [sessionId]) !== undefined
    );
  }

  #isStored(message: z.infer<typeof storedMessageSchema>): boolean {
    const sql = `SELECT id, timestamp, role, content, tool_calls, tool_results, body FROM messages WHERE id = ?`;
    const known = this.#replica.db.first(messageRowSchema, sql, [message.id]);
    if (!known) return false;
    if (JSON.stringify(known) === JSON.stringify(messageRowSchema.parse(toRow(message)))) return true;
    throw new Error(`another message is stored as ${message.id}`);
  }

  #nextPosition(sessionId: string): number {
    const sql = "SELECT ifnull(max(position), 0) + 1 AS position FROM messages WHERE session_id = ?";
    return this.#replica.db.first(positionSchema, sql, [sessionId])?.position ?? 1;
  }

  async #usedOf(payloads: readonly string[]): Promise<ReadonlySet<string>> {
    await this.#replica.refresh();
    const sql = "SELECT payload FROM payload_uses WHERE payload = ? LIMIT 1";
    return new Set(payloads.filter((payload) => this.#replica.db.first(payloadSchema, sql, [payload])));
  }

  #reading<T>(query: (db: Replica["db"]) => T): Promise<T> {
    return this.#inTurn(async () => {
      await this.#replica.refresh();
      return query(this.#replica.db);
    });
  }

  /** One after the other, in the order of the calls; a failure is its caller's alone. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work, work);
    this.#last = turn.catch(() => {});
    return turn;
  }
}

type WithoutStamp<R> = R extends JournalRecord ? Omit<R, "seq" | "at"> : never;
type Change = WithoutStamp<JournalRecord>;
