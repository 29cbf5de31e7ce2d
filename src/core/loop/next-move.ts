/** The next step of a conversation. It depends only on the messages, so a task can continue from any point. */
import { type Message, type ToolCallBlock, unansweredCalls } from "../../shared/message.ts";
import { isEmpty } from "./answer.ts";

export type Move =
  /** The last answer's calls have no results yet. */
  | { type: "calls"; calls: ToolCallBlock[] }
  /** The last answer was cut off or contains an unreadable call, and the model must be told. */
  | { type: "correct"; why: "cut-off" | "unread" }
  /** Request an answer from the model; the last one may have been empty. `afterResults`: what is new of the environment comes first. */
  | { type: "ask"; afterResults: boolean }
  /** It is the user's turn. */
  | { type: "rest" };

/** `hasUnreadableCall`: whether the last answer contains an unreadable call. */
export function nextMove(messages: readonly Message[], hasUnreadableCall: boolean): Move {
  const calls = unansweredCalls(messages);
  if (calls.length > 0) return { type: "calls", calls };
  const last = messages.at(-1);
  if (last?.role !== "assistant") return { type: "ask", afterResults: last?.role === "tool" };
  if (last.interrupted) return { type: "correct", why: "cut-off" };
  if (hasUnreadableCall) return { type: "correct", why: "unread" };
  return isEmpty(last) ? { type: "ask", afterResults: false } : { type: "rest" };
}
