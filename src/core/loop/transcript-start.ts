/** What a transcript needs, and how it begins. */
import type { TaskEvent } from "../../shared/event.ts";
import type { Worktree } from "../../shared/history/worktree.ts";
import type { Message, Mode } from "../../shared/message.ts";
import type { SessionPermission } from "../../shared/permission/session-permission.ts";
import type { KeyMask } from "../key-mask.ts";
import type { Host } from "../ports/host.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { ToolSet } from "../tools/set/tool-set.ts";

/** Where a branch begins: before this message of the session `from`. */
export interface ForkPoint {
  from: string;
  messageId: string;
}

export interface TranscriptDeps {
  host: Host;
  store: SessionStore;
  registry: ToolSet;
  keys: KeyMask;
  /** Counts what requests cost. */
  spending?: { add(spent: { cost: number; requests: number }): void } | undefined;
  /** Receives every event. */
  publish(event: TaskEvent): void;
}

/** The state of a new session, before its first message. */
export interface TranscriptStart {
  id: string;
  mode: Mode;
  /** Default: the settings alone decide. */
  permission?: SessionPermission;
  /** Set for a branch whose first message replaces that message. */
  forkOf?: ForkPoint;
  /** The session whose task starts this one. */
  parent?: string;
  /** Of that session: plan mode applies here too, from that moment. */
  parentMode?(): Mode;
  /** The worktree that it works in. */
  worktree?: Worktree;
  /** The transcript begins with these messages and is never stored: for an answer that may not become part of a session. */
  scratch?: readonly Message[];
}
