/** What the tasks that a session starts need of that session, and what such a task gets of it. */
import type { Allowances } from "../../loop/calls/allowances.ts";
import type { Approvals } from "../../loop/calls/approvals.ts";
import type { Limits, ParentLimits } from "../../loop/limits/limits.ts";
import type { Transcript } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { ChildTasks } from "../../tools/tool.ts";

export interface SubtaskParent {
  host: Host;
  transcript: Transcript;
  approvals: Approvals;
  limits: Limits;
  /** The settings as they apply in the session. */
  settings: ModelAccess["settings"];
}

/** What becomes of calls that started tasks when they are not continued at once. */
export interface OpenChildren extends Pick<ChildTasks, "interrupted"> {
  /** Whether the task of the call waits for the user to approve something. */
  asks(callId: string): Promise<boolean>;
}

/**
 * What a task that another one started is bound to. It has the permissions of that one, whatever they are at the moment, and its
 * own session's permission is not asked.
 */
export interface ChildTerms {
  allowances: Allowances;
  limits: ParentLimits;
}
