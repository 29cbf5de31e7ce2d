/** What a session needs of its host and its project, and what subtasks need of the session that starts them. */

import type { ReviewReport } from "../../shared/review.ts";
import type { SessionAgent } from "../../shared/session-agent.ts";
import type { Translate } from "../../shared/words/task-words.ts";
import type { Checkpoints } from "../checkpoints/checkpoints.ts";
import type { ProjectHooks } from "../hooks/project-hooks.ts";
import type { KeyMask } from "../key-mask.ts";
import type { Allowances } from "../loop/calls/allowances.ts";
import type { Approvals } from "../loop/calls/approvals.ts";
import type { BackgroundCommands } from "../loop/calls/background-list.ts";
import type { WorkspaceCommands } from "../loop/calls/workspace-commands.ts";
import type { Limits, ParentLimits } from "../loop/limits/limits.ts";
import type { AfterCall, BeforeCall } from "../loop/loop.ts";
import type { Transcript } from "../loop/transcript.ts";
import type { ProjectMemory } from "../memory/project-memory.ts";
import type { Host } from "../ports/host.ts";
import type { ModelAccess } from "../provider/model-access.ts";
import type { ProjectServers } from "../servers/project-servers.ts";
import type { WorktreeUse } from "../sessions/open/worktree-use.ts";
import type { PlanDocuments } from "../sessions/plan-documents.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import type { FileWriters } from "../tools/editing/file-writers.ts";
import type { ToolRegistry } from "../tools/registry.ts";
import type { RequiredOutput } from "../tools/set/required-output.ts";
import type { ToolSwitches } from "../tools/switches/tool-switches.ts";
import type { ChildTasks } from "../tools/tool.ts";
import type { DailySpending } from "./daily-spending.ts";
import type { TurnSlots } from "./project/turn-slots.ts";

export interface SessionParts extends ModelAccess {
  host: Host;
  store: SessionStore;
  registry: ToolRegistry;
  keys: KeyMask;
  /** The project's MCP servers. Default: none. */
  servers?: ProjectServers;
  /** What the user chose about tools. Default: all that are registered are offered. */
  toolSwitches?: ToolSwitches;
  /** The project's hooks. Default: none run. */
  hooks?: ProjectHooks;
  /** What is remembered about the project. Default: nothing. */
  memory?: ProjectMemory;
  /** The project's checkpoints. Default: changes cannot be undone. */
  checkpoints?: Checkpoints;
  /** The commands that continue in the background. Default: they are not tracked. */
  background?: BackgroundCommands;
  /** See `TranscriptDeps`. */
  projectPath?: string;
  worktreeUse?: WorktreeUse;
  /** What requests cost today on this machine. Default: not counted. */
  spending?: DailySpending;
  /** Which tasks of the project wrote files. Default: there is one task. */
  writers?: FileWriters;
  /** The form that final answers must have. Default: any text. */
  output?: RequiredOutput;
  /** The user's language, for what the product writes into a conversation. Default: English. */
  t?: Translate;
  /** Receives the report of a review in the session. */
  reviewed?(session: string, report: ReviewReport, fileOf: (path: string) => string): void;
  /** Nobody can retry, so an answer that breaks off or is empty is requested again. */
  unattended?: boolean;
  /** Limits how many tasks work at once. Default: any number do. */
  slots?: Pick<TurnSlots, "take">;
  /** See `TaskDeps`. Default: nothing but what the loop itself does. */
  beforeCall?: readonly BeforeCall[];
  afterCall?: readonly AfterCall[];
  /** Adds an entry that the user chose to the allow list of the user's settings. */
  allowCommand?(entry: string): Promise<void>;
  /** Removes an entry from the allow list of the user's settings. */
  disallowCommand?(entry: string): Promise<void>;
  /** The commands that the user allows in this project. Default: none can be. */
  workspaceCommands?: WorkspaceCommands;
  /** The files of plans that the user opened. Default: plans have no files. */
  plans?: PlanDocuments;
  /** Creates what starts the session's subtasks. Default: it cannot start any. */
  subtasks?(parent: SubtaskParent): ChildTasks & OpenChildren;
  /** Set for the session of a subtask. */
  terms?: ChildTerms;
  /**
   * The user chooses the settings as they open a session, so the settings apply to a call that was waiting in it. Default: such a
   * call asks again, whatever the settings allow.
   */
  settingsAreFresh?: boolean;
}

/** What subtasks need of the session that starts them. */
export interface SubtaskParent {
  host: Host;
  transcript: Transcript;
  approvals: Approvals;
  limits: Limits;
  /** The settings as they apply in the session. */
  settings: ModelAccess["settings"];
  /** The agents whose limits apply in its turn. */
  agents(): readonly SessionAgent[];
}

/** The subtasks that started calls of a reopened session are waiting for. */
export interface OpenChildren extends Pick<ChildTasks, "interrupted"> {
  /** Whether the subtask of the call waits for the user to approve something. */
  asks(callId: string): Promise<boolean>;
}

/**
 * A subtask always has the current permissions of its parent task, the limits of its agents, and shares its limits. The permission of
 * its own session is ignored.
 */
export interface ChildTerms {
  allowances: Allowances;
  limits: ParentLimits;
  /** The agents of the parent task. */
  agents(): readonly SessionAgent[];
}
