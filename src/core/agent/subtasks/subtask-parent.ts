import type { Allowances } from "../../loop/calls/allowances.ts";
import type { Approvals } from "../../loop/calls/approvals.ts";
import type { Limits, ParentLimits } from "../../loop/limits/limits.ts";
import type { Transcript } from "../../loop/transcript.ts";
import type { Host } from "../../ports/host.ts";
import type { ModelAccess } from "../../provider/model-access.ts";
import type { ChildTasks } from "../../tools/tool.ts";

/** What subtasks need of the session that starts them. */
export interface SubtaskParent {
  host: Host;
  transcript: Transcript;
  approvals: Approvals;
  limits: Limits;
  /** The settings as they apply in the session. */
  settings: ModelAccess["settings"];
}

/** The subtasks that started calls of a reopened session are waiting for. */
export interface OpenChildren extends Pick<ChildTasks, "interrupted"> {
  /** Whether the subtask of the call waits for the user to approve something. */
  asks(callId: string): Promise<boolean>;
}

/** A subtask always has the current permissions of its parent task, and shares its limits. The permission of its own session is ignored. */
export interface ChildTerms {
  allowances: Allowances;
  limits: ParentLimits;
}
