/**
 * The part of a stored session that the view holds: its newest messages, and pages of what came before as they are asked
 * for. A session of any length opens at the cost of one page.
 */
import type { EventBody } from "../../shared/event.ts";
import { type Message, toolCalls } from "../../shared/message.ts";
import { shownPart } from "../../shared/view/reducer.ts";

/** Messages of a page, and characters of what they show; one message may be more. */
const pageMessages = 200;
const pageSize = 400_000;

export type Page = Extract<EventBody, { type: "earlier" }>;

/** The messages before `end` that come next, as an event; `subjectOf` names what a call is about. */
export function pageBefore(
  messages: readonly Message[],
  end: number,
  subjectOf: (call: ReturnType<typeof toolCalls>[number]) => string,
): Page {
  const page: Message[] = [];
  const subjects: Record<string, string> = {};
  let size = 0;
  let start = end;
  for (; start > 0; start--) {
    const message = messages[start - 1];
    if (!message) break;
    // A result belongs to the row of its call, so a page does not begin with one.
    const isFull = end - start >= pageMessages || size >= pageSize;
    if (isFull && messages[start]?.role !== "tool") break;
    const shown = shownPart(message);
    page.push(shown);
    size += JSON.stringify(shown.blocks).length + (shown.display?.length ?? 0);
    for (const call of toolCalls(message)) subjects[call.id] = subjectOf(call);
  }
  return { type: "earlier", messages: page.reverse(), subjects, left: start };
}

/** The index of the message that a row belongs to: its own id, a block of it, a call of it, its checkpoint. */
export function messageOfRow(messages: readonly Message[], row: string): number {
  const id = row.replace(/^checkpoint:/, "");
  return messages.findIndex(
    (message) =>
      message.id === id ||
      id.startsWith(`${message.id}:`) ||
      toolCalls(message).some((call) => call.id === id),
  );
}
