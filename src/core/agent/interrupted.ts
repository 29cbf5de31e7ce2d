import type { Message } from "../../shared/message.ts";
import { isWindowStep } from "../window/window.ts";

/** Whether a stored conversation without open calls ended in the middle of a turn. */
export function isInterrupted(messages: readonly Message[]): boolean {
  const last = messages.at(-1);
  // Nothing is in progress after condensing at the user's request.
  if (!last || (isWindowStep(last) && last.display !== undefined)) return false;
  const isDone = last.blocks.some(({ type }) => type === "answers" || type === "chosen");
  return !isDone && (last.role !== "assistant" || last.interrupted === true);
}
