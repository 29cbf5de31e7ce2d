/** What a conversation asks for next. It follows from the messages alone, so a task can continue from any point. */
import { type Message, type ToolCallBlock, unansweredCalls } from "../../shared/message.ts";

export type Move =
  /** The last answer's calls have no results yet. */
  | { type: "calls"; calls: ToolCallBlock[] }
  /** The last answer was cut off, or holds what looks like a call and could not be read: the model is told so. */
  | { type: "correct"; why: "cut-off" | "unread" }
  /** The model is asked. `afterResults`: a user message with the environment comes first. */
  | { type: "ask"; afterResults: boolean }
  /** It is the user's turn. */
  | { type: "rest" };

/** `holdsUnread`: whether the last answer holds what looks like a call and could not be read as one. */
export function nextMove(messages: readonly Message[], holdsUnread: boolean): Move {
  const calls = unansweredCalls(messages);
  if (calls.length > 0) return { type: "calls", calls };
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { type: "ask", afterResults: last?.role === "tool" };
  if (last.interrupted) return { type: "correct", why: "cut-off" };
  return holdsUnread ? { type: "correct", why: "unread" } : { type: "rest" };
}
