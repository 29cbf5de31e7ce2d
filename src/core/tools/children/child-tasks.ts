/** The subtasks of a task, as its tools use them. */
import type { ShownResult } from "../../../shared/message.ts";
import type { Totals } from "../../../shared/totals.ts";

/**
 * explore: it only reads, and answers with a report. work: it changes files in a git worktree of its own, and its changes are
 * proposed to the user.
 */
export type ChildKind = "explore" | "work";

export interface WantedChild {
  description: string;
  kind: ChildKind;
  /** `connection/id`. Default: the model of the task that starts it. */
  model?: string | undefined;
  /** The names of the tools that it gets. Default: all that its kind allows. */
  tools?: readonly string[] | undefined;
}

/** What is known of a task whose call did not end. */
export interface InterruptedChild {
  /** For the model. */
  text: string;
  shown: ShownResult;
  /** What it cost, which belongs to the task that started it. */
  spent: readonly Totals[];
}
