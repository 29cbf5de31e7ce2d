/** A project's conversations: said once they are on disk, shared with whatever other process works on the project. */
import type { Totals } from "../../shared/event.ts";
import type { Message, Mode } from "../../shared/message.ts";
import type { HistoryQuery, IndexProgress, SessionSummary } from "../../shared/protocol.ts";
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
  startedAt: string;
}

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

/** Messages of a session before its last `skip` ones, up to `count` of them. */
export interface SessionPart {
  skip: number;
  count: number;
}

/**
 * Every change is durable when its promise resolves, and costs what it adds. A change that could not be written
 * rejects and leaves everything as it was. Calls may be made without waiting for the one before: they keep their order.
 */
export interface SessionStore {
  /** With `first`, its first message: both are on disk, or neither is. */
  create(input: NewSession, first?: Message): Promise<void>;
  /**
   * A new session that begins with what came before a message of another one. The messages stay where they are and are
   * in both. Rejects when the message is not in that session. With `first`, its own first message: both are on disk, or
   * neither is.
   */
  fork(sessionId: string, beforeMessageId: string, input: NewSession, first?: Message): Promise<void>;
  /** A whole session at once, which is not there until all of it is. Ids must be new. */
  import(input: NewSession, messages: readonly Message[], patch: SessionPatch): Promise<void>;
  /**
   * Appending the very same message again changes nothing; another one under its id rejects. `patch`: what else of the
   * session changes by it, in one write with it.
   */
  append(sessionId: string, message: Message, patch?: SessionPatch): Promise<void>;
  update(sessionId: string, patch: SessionPatch): Promise<void>;
  /** Said before done: a call that began and has no result was interrupted. */
  markCall(sessionId: string, callId: string, state: "started"): Promise<void>;
  /** Calls that began and have no result. */
  startedCalls(sessionId: string): Promise<Set<string>>;
  /** Newest first, by the last change, whatever the clock did. Without those that the person deleted. */
  list(projectPath?: string): Promise<SessionSummary[]>;
  /** A part of the list, in the order asked for; with words to look for, those that contain all of them. */
  find(query: HistoryQuery): Promise<HistoryPage>;
  /** With its messages, or with a part of them. */
  load(sessionId: string, part?: SessionPart): Promise<StoredSession | undefined>;
  /** The session that changed last. */
  latest(): Promise<string | undefined>;
  /** The session that changed last of those that nobody closed (`endedAt`) and no other process works on: the one to
   * restore after a reload. */
  active(): Promise<string | undefined>;
  /** Sessions that the person deleted and that are still there, with when. */
  deleted(): Promise<{ id: string; deletedAt: string }[]>;
  /**
   * From now on this process works on the session. False: another one does; `takeOver` takes it from that one, whose
   * further changes reject with SessionTakenOver.
   */
  claim(sessionId: string, takeOver?: boolean): Promise<boolean>;
  /** Ends `claim`. */
  release(sessionId: string): Promise<void>;
  /** Sessions that other processes work on. */
  elsewhere(): Promise<ReadonlySet<string>>;
  /** For good. The person's own wish, nothing else. */
  remove(sessionId: string): Promise<void>;
  /**
   * Frees the files that no session needs, which a process that died has left; how many. Nothing while others work on
   * the project. What else is asked of the store comes in between.
   */
  sweep(): Promise<number>;
  /** Rewrites the database now. */
  checkpoint(): Promise<void>;
  /** After it, nothing works. */
  close(): Promise<void>;
  /** Now and then while the store makes what searches need, where that takes long, and when that is complete. */
  readonly onIndexing: (listener: (progress: IndexProgress) => void) => Disposable;
  /** What was found and got over so far. */
  readonly problems: readonly StoreProblem[];
  /** What is found from now on. */
  readonly onProblem: (listener: (problem: StoreProblem) => void) => Disposable;
  /** Opened so, or written by a newer version: everything that changes something rejects. */
  readonly readOnly: boolean;
}
