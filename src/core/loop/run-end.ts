/** Why a run of the loop ended. */
import type { TurnEnd } from "../tools/tool.ts";
import type { Limit } from "./limits/limits.ts";

export type RunEnd =
  /** A call ended the turn: the user's next message is its result. */
  | { type: TurnEnd }
  /** An answer without a call. */
  | { type: "replied" }
  | { type: "limit"; limit: Limit }
  | { type: "stopped" }
  /** `held`: the session was restored, and the user has to continue it. */
  | { type: "failed"; held?: true }
  /** The user accepted a new task that begins with `context`. */
  | { type: "handed-over"; context: string };

/** Whether messages that were queued meanwhile are sent next. */
export function takesQueue(end: RunEnd): boolean {
  return end.type === "replied" || end.type === "completed" || (end.type === "failed" && end.held === true);
}
