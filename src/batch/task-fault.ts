/** Why a task could not run, as a code with values. The words are in batch-words.ts. */
export type TaskFaultCode =
  | { code: "not-cloned"; repo: string; why: string }
  | { code: "no-revision"; rev: string }
  | { code: "no-git" }
  | { code: "no-folder"; folder: string }
  | { code: "no-worktree"; folder: string; why: string }
  | { code: "no-guard"; why: string }
  /** Each attempt ended without a report. `how`: an exit code or a signal. */
  | { code: "crashed"; how: string; errors: string }
  | { code: "overdue"; seconds: number }
  /** Megabytes of the diff, and how many it may have. */
  | { code: "large-patch"; size: number; most: number }
  /** Of the batch as a whole. */
  | { code: "cost-limit" }
  | { code: "not-understood"; why: string }
  | { code: "stalled"; why: string };

export class TaskFault extends Error {
  constructor(readonly fault: TaskFaultCode) {
    super(fault.code);
  }
}
