/** What a transcript needs, and how it begins. */
import type { TaskEvent } from "../../shared/event.ts";
import type { Worktree } from "../../shared/history/worktree.ts";
import type { Message, Mode } from "../../shared/message.ts";
import type { SessionPermission } from "../../shared/permission/session-permission.ts";
import type { KeyMask } from "../key-mask.ts";
import type { Host } from "../ports/host.ts";
import type { WorktreeUse } from "../sessions/open/worktree-use.ts";
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
  /** The project's folder, if the session works in another one. Default: that of the host. */
  projectPath?: string | undefined;
  /** Which sessions are open in which worktree. Default: none is shared. */
  worktreeUse?: WorktreeUse | undefined;
  /** Counts what requests cost. */
  spending?: { add(spent: { cost: number; requests: number }): void } | undefined;
  /** Receives every event. */
  publish(event: TaskEvent): void;
}

/** The state of a new session, before its first message. */
export interface TranscriptStart {
  id: string;
  mode: Mode;
  /** The worktree that the session works in. Default: it works in the project's folder. */
  worktree?: Worktree | "unreadable";
  /** The session whose task started this one. Default: the user started it. */
  parent?: string;
  /** Default: the settings alone decide. */
  permission?: SessionPermission;
  /** Set for a branch whose first message replaces that message. */
  forkOf?: ForkPoint;
  /** The mode of the parent session. While it is plan mode, this session is in plan mode too. */
  parentMode?(): Mode;
  /** The transcript begins with these messages and is never stored. Set for an answer that may not become part of a session. */
  scratch?: readonly Message[];
}
