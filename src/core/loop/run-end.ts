/** Why a run of the loop ended, with what that means for whoever started it. */
import type { TurnEnd } from "../tools/tool.ts";
import type { Limit } from "./limits.ts";

export type RunEnd =
  /** A call ended the turn: the user's next words are its result. */
  | { type: TurnEnd }
  /** An answer without a call: the user's turn. */
  | { type: "replied" }
  | { type: "limit"; limit: Limit }
  | { type: "stopped" }
  | { type: "failed" }
  /** The user agreed to continue in a new task that begins with `context`. */
  | { type: "handed-over"; context: string };
