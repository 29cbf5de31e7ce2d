/**
 * A project's stored sessions: durable before they are reported, and shared with all processes that work on the
 * project.
 */

import type { SessionOrigin } from "../../shared/history/session-origin.ts";
import type { Worktree } from "../../shared/history/worktree.ts";
import type { Message, Mode } from "../../shared/message.ts";
import type { SessionPermission } from "../../shared/permission/session-permission.ts";
import type { HistoryQuery, IndexProgress, SessionSummary } from "../../shared/protocol.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Totals } from "../../shared/totals.ts";
import type { Disposable } from "../lifecycle.ts";
import type { SessionPatch } from "./journal/records.ts";
import type { StoreProblem } from "./problems.ts";
import type { HistoryPage } from "./search/session-list.ts";

export interface NewSession {
  id: string;
  projectPath: string;
  model: string;
  title: string;
  mode: Mode;
  /** Default: the settings alone decide. */
  permission?: SessionPermission;
  /** Default: the user chose none. */
  agent?: SessionAgent;
  /** The session whose task started this one. Default: the user started it. */
  parent?: string | undefined;
  /** Default: it works in the project's folder. */
  worktree?: Worktree;
  /** Set: it is imported and read-only. */
  origin?: SessionOrigin;
  startedAt: string;
}

export interface StoredSession {
  summary: SessionSummary;
  mode: Mode;
  permission: SessionPermission;
  /** Absent: the user chose none. unreadable: what is stored about it is damaged. */
  agent?: SessionAgent | "unreadable" | undefined;
  /** The todo list, as Markdown. */
  todo: string;
  model: string;
  /** null: the session is open. */
  endedAt: string | null;
  totals: Totals;
  /** unreadable: it works in a worktree, and what is stored about it is damaged. Absent: it works in the project's folder. */
  worktree?: Worktree | "unreadable";
  /** Set: it is imported and read-only. unreadable: what is stored about its origin is damaged. */
  origin?: SessionOrigin | "unreadable" | undefined;
  messages: Message[];
}

/** Up to `count` messages of a session, before its last `skip` messages. */
export interface SessionPart {
  skip: number;
  count: number;
}

/**
 * Every change survives the end of this process, however it ends, when its promise resolves, and a power failure after
 * `sync`, or a few seconds later. It costs only what it adds. A change that cannot be written rejects and changes nothing.
 * Callers need not await earlier calls: calls keep their order.
 */
export interface SessionStore {
  /** With `first`, the session and its first message are written together, or neither is. */
  create(input: NewSession, first?: Message): Promise<void>;
  /**
   * Creates a session that begins with the messages before `beforeMessageId` in another session; undefined: with all its
   * messages. Both sessions share these messages. Rejects if the message is not in that session. With `first`, the session
   * and its own first message are written together, or neither is.
   */
  fork(
    sessionId: string,
    beforeMessageId: string | undefined,
    input: NewSession,
    first?: Message,
  ): Promise<void>;
  /** Stores a complete session, which becomes visible only when all of it is written. Ids must be new. */
  import(input: NewSession, messages: readonly Message[], patch: SessionPatch): Promise<void>;
  /**
   * Appending an identical message again changes nothing; a different message with the same id rejects. `patch`: other
   * changes to the session, in the same write.
   */
  append(sessionId: string, message: Message, patch?: SessionPatch): Promise<void>;
  update(sessionId: string, patch: SessionPatch): Promise<void>;
  /** Records that a call began, before it runs. A call that began and has no result was interrupted. */
  markCall(sessionId: string, callId: string, state: "started"): Promise<void>;
  /** Returns the calls that began and have no result. */
  startedCalls(sessionId: string): Promise<Set<string>>;
  /** Newest first by the last change, regardless of the clock. Excludes sessions that the user deleted. */
  list(projectPath?: string): Promise<SessionSummary[]>;
  /**
   * Returns a page of the list in the requested order. With search text, returns only sessions that contain all of its
   * words.
   */
  find(query: HistoryQuery): Promise<HistoryPage>;
  /** Returns a session with all its messages, or with part of them. */
  load(sessionId: string, part?: SessionPart): Promise<StoredSession | undefined>;
  /** Returns the origins of all imported sessions. Excludes sessions that the user deleted. */
  origins(): Promise<SessionOrigin[]>;
  /** Returns the session that changed last. */
  latest(): Promise<string | undefined>;
  /**
   * Returns the sessions that are not closed (`endedAt`) and that no other process works on, the last changed first: those to
   * restore after a reload. Excludes sessions that another session's task started, which continues them.
   */
  unfinished(): Promise<string[]>;
  /** Returns sessions that the user deleted but that still exist, with the time of deletion. */
  deleted(): Promise<{ id: string; deletedAt: string }[]>;
  /**
   * Claims the session for this process. Returns false if another process has it; `takeOver` takes it from that
   * process, whose further changes then reject with SessionTakenOver.
   */
  claim(sessionId: string, takeOver?: boolean): Promise<boolean>;
  /** Releases a claim. */
  release(sessionId: string): Promise<void>;
  /** Returns the sessions that other processes work on. */
  elsewhere(): Promise<ReadonlySet<string>>;
  /** Removes a session permanently. Only the user may request this. */
  remove(sessionId: string): Promise<void>;
  /**
   * Removes files that no session needs, which processes that died left behind, and returns how many. Does nothing
   * while other processes work on the project. Other calls to the store run in between.
   */
  sweep(): Promise<number>;
  /** Resolves when all changes so far survive a power failure. Never rejects: a failure is one of `problems`. */
  sync(): Promise<void>;
  /** Rewrites the database now. */
  checkpoint(): Promise<void>;
  /** Closes the store. No other call works afterwards. */
  close(): Promise<void>;
  /** Fires periodically while the search index is built, if that takes long, and when it is complete. */
  readonly onIndexing: (listener: (progress: IndexProgress) => void) => Disposable;
  /** Problems found so far. */
  readonly problems: readonly StoreProblem[];
  /** Fires for each new problem. */
  readonly onProblem: (listener: (problem: StoreProblem) => void) => Disposable;
  /** Whether this process has read what is stored, because a call asked for it. */
  readonly isRead: boolean;
  /** Whether it has, or will at close, because the database is written then. */
  readonly isReadAnyway: boolean;
  /** The store was opened read-only or written by a newer version. All changes reject. */
  readonly readOnly: boolean;
}
