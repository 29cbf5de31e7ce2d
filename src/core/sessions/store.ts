/** The session store: runs changes in the order of their calls, and reads what all processes wrote. */
import { patchSessions } from "../../shared/history/session-lists.ts";
import type { SessionOrigin } from "../../shared/history/session-origin.ts";
import type { Message } from "../../shared/message.ts";
import type { HistoryQuery, SessionSummary } from "../../shared/protocol.ts";
import * as z from "../../shared/zod.ts";
import { SerialQueue } from "../async.ts";
import { messageOf } from "../errors.ts";
import type { Disposable } from "../lifecycle.ts";
import type { Storage } from "../ports/storage.ts";
import type { Assets, Clock, Log } from "../ports/system.ts";
import {
  countMessages,
  forkAtEnd,
  forkBefore,
  messageRows,
  newestRows,
  nextPosition,
  type StoredForkPoint,
} from "./db/lineage.ts";
import { MOST_PACKS, PACK_ABOVE, packMessages } from "./db/packs.ts";
import { PayloadStore } from "./db/payloads.ts";
import {
  IS_DELETED,
  IS_LISTED,
  optionalWorktree,
  originOf,
  permissionOf,
  sessionRows,
  storedAgent,
  summaryOf,
  totalsOf,
} from "./db/session-rows.ts";
import { StoredMessages } from "./db/stored-messages.ts";
import type { JournalRecord, SessionPatch, StoredMessage } from "./journal/records.ts";
import { Replica } from "./journal/replica.ts";
import { Claims } from "./open/claims.ts";
import { type StoreProblem, withSaveErrors } from "./problems.ts";
import { SearchIndex } from "./search/search-index.ts";
import { type HistoryPage, SessionHistory } from "./search/session-list.ts";
import type { NewSession, SessionPart, SessionStore, StoredSession } from "./session-store.ts";
import { payloadsOf, releaseUnused, sweepPayloads } from "./sweep.ts";

const idSchema = z.object({ id: z.string() });
const callSchema = z.object({ call_id: z.string() });
const originSchema = z.object({ id: z.string(), origin: z.string() });
const deletedSchema = z.object({ id: z.string(), deleted_at: z.string() });

/**
 * Milliseconds to wait for another process's checkpoint, or for the lock of a process that died during one. Skipping a
 * checkpoint loses nothing, because the journals contain everything.
 */
const PASSING_WAIT_MS = 200;
const CLOSE_WAIT_MS = 2_000;
/**
 * Milliseconds after which a change is synced to the disk if no caller requested it earlier. A power failure can lose only
 * changes of that time.
 */
const SYNC_AFTER_MS = 3_000;
/** Milliseconds spent on the search index at close. The rest is built at the next search. */
const CLOSE_INDEX_MS = 300;

class Store implements SessionStore {
  readonly #replica: Replica;
  readonly #payloads: PayloadStore;
  readonly #messages: StoredMessages;
  readonly #claims: Claims;
  readonly #clock: Clock;
  readonly #index: SearchIndex;
  readonly #history: SessionHistory;
  readonly #queue = new SerialQueue();
  /** Positions of the last messages of sessions that only this process has changed since it looked them up. */
  readonly #ends = new Map<string, number>();
  /** Ids of the messages that this process began to append. */
  readonly #begun = new Set<string>();
  #closing = false;
  /** Set while something is not synced. */
  #syncLater: Disposable | undefined;

  constructor(replica: Replica, payloads: PayloadStore, claims: Claims, clock: Clock, packAbove: number) {
    this.#replica = replica;
    replica.onOthers = () => this.#ends.clear();
    replica.beforeWriting = async (db) => {
      await packMessages(db, payloads, packAbove, this.#closing ? MOST_PACKS.closing : MOST_PACKS.working);
      this.#index.saved();
    };
    this.#payloads = payloads;
    payloads.onLost((payload) => replica.reportLostPayload(payload));
    this.#messages = new StoredMessages(payloads, replica.problems);
    this.#claims = claims;
    this.#clock = clock;
    const reader = {
      fresh: <T>(query: (db: Replica["db"]) => T) => this.#reading(query),
      known: <T>(query: (db: Replica["db"]) => T) =>
        this.#queue.run(async () => {
          await this.#replica.read();
          return query(this.#replica.db);
        }),
    };
    this.#index = new SearchIndex(reader, payloads, clock, (error) =>
      replica.problems.add("record-unusable", `search: ${messageOf(error)}`),
    );
    this.#index.onProgress(({ done, total }) => {
      if (this.readOnly || this.#closing) return;
      if (done < total ? !this.#index.isTimeToSave() : !this.#index.isWorthSaving) return;
      void this.#queue.run(() => this.tryCheckpoint(PASSING_WAIT_MS));
    });
    this.#history = new SessionHistory(reader, this.#index);
  }

  get problems(): readonly StoreProblem[] {
    return this.#replica.problems.list;
  }

  get onProblem(): SessionStore["onProblem"] {
    return this.#replica.problems.onAdded;
  }

  get onIndexing(): SessionStore["onIndexing"] {
    return this.#index.onProgress;
  }

  get isRead(): boolean {
    return this.#replica.isRead;
  }

  get isReadAnyway(): boolean {
    return this.#replica.isRead || this.#replica.wantsCheckpointAtClose;
  }

  get readOnly(): boolean {
    return !this.#replica.writable;
  }

  create(input: NewSession, first?: Message): Promise<void> {
    return this.#queue.run(() => this.#begin(input, undefined, first));
  }

  fork(
    sessionId: string,
    beforeMessageId: string | undefined,
    input: NewSession,
    first?: Message,
  ): Promise<void> {
    return this.#queue.run(async () => {
      await this.#expect(sessionId);
      await this.#replica.read();
      const { db } = this.#replica;
      const fork =
        beforeMessageId === undefined ? forkAtEnd(db, sessionId) : forkBefore(db, sessionId, beforeMessageId);
      if (!fork) throw new Error(`there is no message ${beforeMessageId} in session ${sessionId}`);
      await this.#begin(input, fork, first);
    });
  }

  /** Writes a single record, so that a crash cannot leave the session without its first message. */
  async #begin({ id: session, ...rest }: NewSession, fork?: StoredForkPoint, first?: Message): Promise<void> {
    const begun = { session, ...rest, ...(fork ? { fork } : {}) };
    const before = fork?.at ?? 0;
    if (!first) {
      await this.#commit({ op: "create", ...begun });
      this.#ends.set(session, before);
      return;
    }
    const { stored, payloads } = await this.#messages.externalize(first);
    const position = before + 1;
    const placed = { position, message: stored, payloads: [...payloads.keys()] };
    await this.#commit({ op: "begin", ...begun, first: placed });
    this.#ends.set(session, position);
    // Another process may have removed a payload as unused just before this record referred to it.
    await this.#payloads.ensure(payloads);
  }

  import(input: NewSession, messages: readonly Message[], patch: SessionPatch): Promise<void> {
    const { id: session, ...rest } = input;
    return this.#queue.run(async () => {
      // If a crash interrupts the import, what remains is a deleted session.
      const changes: Change[] = [{ op: "begin", session, ...rest, patch: { deletedAt: this.#now() } }];
      const all = new Map<string, Uint8Array>();
      for (const [index, message] of messages.entries()) {
        const { stored, payloads } = await this.#messages.externalize(message);
        for (const [hash, bytes] of payloads) all.set(hash, bytes);
        const change = { op: "message" as const, session, position: index + 1, message: stored };
        changes.push({ ...change, payloads: [...payloads.keys()] });
      }
      changes.push({ op: "update", session, patch: { ...patch, deletedAt: null } });
      this.#ends.delete(session);
      await this.#commit(...changes);
      await this.#payloads.ensure(all);
    });
  }

  append(sessionId: string, message: Message, patch?: SessionPatch): Promise<void> {
    return this.#queue.run(async () => {
      const end = await this.#expect(sessionId);
      await this.#claims.check(sessionId);
      const { stored, payloads } = await this.#messages.externalize(message);
      if (await this.#isStored(stored)) return;
      const position = end + 1;
      const appended = { op: "message" as const, session: sessionId, position, message: stored };
      await this.#commit(
        { ...appended, payloads: [...payloads.keys()] },
        ...(patch ? [{ op: "update" as const, session: sessionId, patch }] : []),
      );
      if (this.#ends.has(sessionId)) this.#ends.set(sessionId, position);
      // Another process may have removed a payload as unused just before this record referred to it.
      await this.#payloads.ensure(payloads);
    });
  }

  update(sessionId: string, patch: SessionPatch): Promise<void> {
    return this.#queue.run(async () => {
      await this.#expect(sessionId);
      await this.#claims.check(sessionId);
      await this.#commit({ op: "update", session: sessionId, patch });
    });
  }

  markCall(sessionId: string, callId: string, _state: "started"): Promise<void> {
    return this.#queue.run(async () => {
      await this.#expect(sessionId);
      await this.#claims.check(sessionId);
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
      const where = projectPath === undefined ? "" : "AND project_path = ?";
      const rest = `WHERE ${IS_LISTED} ${where} ORDER BY touched DESC, id`;
      return sessionRows(db, rest, projectPath === undefined ? [] : [projectPath]).map(summaryOf);
    });
  }

  origins(): Promise<SessionOrigin[]> {
    return this.#reading((db) => {
      const where = `WHERE origin IS NOT NULL AND NOT ${IS_DELETED}`;
      const rows = db.all(originSchema, `SELECT id, origin FROM sessions ${where}`);
      const origins = rows.map(originOf);
      return origins.filter((origin) => origin !== undefined && origin !== "unreadable");
    });
  }

  async find(query: HistoryQuery): Promise<HistoryPage> {
    const page = await this.#history.find(query);
    const elsewhere = await this.elsewhere();
    const mark = ({ id }: SessionSummary) => (elsewhere.has(id) ? { elsewhere: true } : undefined);
    return { ...page, sessions: patchSessions(page.sessions, mark) };
  }

  async load(sessionId: string, part?: SessionPart): Promise<StoredSession | undefined> {
    const stored = await this.#reading((db) => {
      const [session] = sessionRows(db, "WHERE id = ?", [sessionId]);
      const rows = part ? newestRows(db, sessionId, part.skip, part.count) : messageRows(db, sessionId);
      return session && { session, rows, messageCount: countMessages(db, sessionId) };
    });
    if (!stored) return undefined;
    const { session, messageCount } = stored;
    return {
      summary: { ...summaryOf(session), messageCount },
      mode: session.mode,
      permission: permissionOf(session),
      ...(session.agent === null ? {} : { agent: storedAgent(session) }),
      todo: session.todo,
      model: session.model_used,
      endedAt: session.ended_at,
      totals: totalsOf(session),
      ...optionalWorktree(session),
      ...(session.origin === null ? {} : { origin: originOf(session) }),
      messages: await this.#messages.read(stored.rows, session.title || session.id),
    };
  }

  latest(): Promise<string | undefined> {
    const sql = `SELECT id FROM sessions WHERE ${IS_LISTED} ORDER BY touched DESC, id LIMIT 1`;
    return this.#reading((db) => db.first(idSchema, sql)?.id);
  }

  async unfinished(): Promise<string[]> {
    const sql = `SELECT id FROM sessions WHERE ended_at IS NULL AND parent IS NULL AND ${IS_LISTED} ORDER BY touched DESC, id`;
    const open = await this.#reading((db) => db.all(idSchema, sql));
    const elsewhere = await this.elsewhere();
    return open.flatMap(({ id }) => (elsewhere.has(id) ? [] : [id]));
  }

  deleted(): Promise<{ id: string; deletedAt: string }[]> {
    const sql = `SELECT id, deleted_at FROM sessions WHERE ${IS_DELETED} ORDER BY deleted_at, id`;
    return this.#reading((db) =>
      db.all(deletedSchema, sql).map((row) => ({ id: row.id, deletedAt: row.deleted_at })),
    );
  }

  claim(sessionId: string, takeOver = false): Promise<boolean> {
    return this.#claims.take(sessionId, takeOver);
  }

  release(sessionId: string): Promise<void> {
    return this.#claims.release(sessionId);
  }

  elsewhere(): Promise<ReadonlySet<string>> {
    return this.#claims.elsewhere();
  }

  remove(sessionId: string): Promise<void> {
    return this.#queue.run(async () => {
      await this.#replica.refresh();
      const own = payloadsOf(this.#replica, sessionId);
      await this.#commit({ op: "remove", session: sessionId });
      this.#ends.clear();
      try {
        const release = () => releaseUnused(this.#replica, this.#payloads, own);
        await this.#replica.withLock(release, CLOSE_WAIT_MS);
      } catch (error) {
        // The session is gone. Its files only take up space.
        this.#replica.problems.add("checkpoint-failed", messageOf(error));
      }
    });
  }

  async sweep(): Promise<number> {
    if ((await this.elsewhere()).size > 0) return 0;
    return sweepPayloads(this.#replica, this.#payloads, (work) => this.#queue.run(work));
  }

  sync(): Promise<void> {
    return this.#queue.run(() => this.#sync());
  }

  checkpoint(): Promise<void> {
    return this.#queue.run(() => this.#replica.checkpoint());
  }

  async close(): Promise<void> {
    this.#closing = true;
    // The index is built from the database, which is not read for it alone.
    if (this.#replica.hasUnsaved && this.isReadAnyway && !this.readOnly)
      await this.#index.refresh(CLOSE_INDEX_MS);
    await this.#index.stop();
    if (this.#index.isWorthSaving && !this.readOnly) this.#replica.keepAtClose();
    await this.#queue.run(async () => {
      await this.#sync();
      if (this.#replica.wantsCheckpointAtClose) await this.tryCheckpoint(CLOSE_WAIT_MS);
      await this.#replica.close();
      await this.#claims.releaseAll();
    });
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }

  async tryCheckpoint(waitMs: number): Promise<void> {
    try {
      await this.#replica.checkpoint(waitMs);
    } catch (error) {
      this.#replica.postpone();
      this.#replica.problems.add("checkpoint-failed", messageOf(error));
    }
  }

  async #commit(...changes: Change[]): Promise<void> {
    const at = this.#now();
    await this.#replica.commit(changes.map((change) => (seq) => ({ ...change, seq, at })));
    this.#syncLater ??= this.#clock.after(SYNC_AFTER_MS, () => void this.sync());
    // Queued separately, so that it runs after this change is acknowledged.
    if (this.#replica.wantsCheckpoint) void this.#queue.run(() => this.tryCheckpoint(PASSING_WAIT_MS));
  }

  async #sync(): Promise<void> {
    this.#syncLater?.dispose();
    this.#syncLater = undefined;
    try {
      await this.#replica.sync();
    } catch (error) {
      this.#replica.problems.add("not-synced", messageOf(error));
    }
  }

  /** Returns the position of the session's last message; 0: it has none. */
  async #expect(sessionId: string): Promise<number> {
    const known = this.#ends.get(sessionId);
    if (known !== undefined) return known;
    await this.#replica.read();
    if (!this.#isKnown(sessionId)) await this.#replica.refresh();
    if (!this.#isKnown(sessionId)) throw new Error(`there is no session ${sessionId}`);
    const end = nextPosition(this.#replica.db, sessionId) - 1;
    this.#ends.set(sessionId, end);
    return end;
  }

  /** A message has an id of its own, so only one that was begun to be appended before can be stored. */
  async #isStored(message: StoredMessage): Promise<boolean> {
    if (!this.#begun.has(message.id)) {
      this.#begun.add(message.id);
      return false;
    }
    await this.#replica.read();
    return this.#messages.isStored(this.#replica.db, message);
  }

  #isKnown(sessionId: string): boolean {
    return (
      this.#replica.db.first(idSchema, "SELECT id FROM sessions WHERE id = ?", [sessionId]) !== undefined
    );
  }

  #reading<T>(query: (db: Replica["db"]) => T): Promise<T> {
    return this.#queue.run(async () => {
      await this.#replica.refresh();
      return query(this.#replica.db);
    });
  }
}

type WithoutStamp<R> = R extends JournalRecord ? Omit<R, "seq" | "at"> : never;
type Change = WithoutStamp<JournalRecord>;

export interface StoreOptions {
  readOnly?: boolean;
  /** What is stored is asked for at once, so that it need not be found out whether a writer could do without. */
  readsNow?: boolean;
  /** For tests: those of a later version. */
  migrations?: readonly string[];
  /** For tests: the size of a database in bytes above which older messages are packed. */
  packAbove?: number;
}

/**
 * Opens the session store of a project. Writes nothing unless the database needs a repair or a migration; with `readOnly`, not even
 * then.
 */
export async function openSessionStore(
  storage: Storage,
  assets: Assets,
  clock: Clock,
  log: Log,
  options: StoreOptions = {},
): Promise<SessionStore> {
  const disk = withSaveErrors(storage);
  const replica = new Replica(disk, assets, log, options.migrations, options.readOnly);
  await (options.readOnly || options.readsNow ? replica.refresh() : replica.open());
  const store = new Store(
    replica,
    new PayloadStore(disk, log),
    new Claims(storage),
    clock,
    options.packAbove ?? PACK_ABOVE,
  );
  if (replica.mustCheckpoint) await store.tryCheckpoint(PASSING_WAIT_MS);
  return store;
}
