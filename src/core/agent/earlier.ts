/**
 * The part of a stored session that the view holds: its newest messages, and pages of what came before as they are asked
 * for. A session of any length opens at the cost of one page.
 */
import type { EventBody } from "../../shared/event.ts";
import { type Message, toolCalls } from "../../shared/message.ts";
import type { ToolFace } from "../../shared/tool-face.ts";
import { shownPart } from "../../shared/view/reducer.ts";

/** Messages of a page, and characters of what they show; one message may be more. */
const pageMessages = 200;
const pageSize = 400_000;

export type Page = Extract<EventBody, { type: "earlier" }>;

/** What is known of the calls of stored messages: what each is about, and how those of a tool look. */
export interface CallFacts {
  subject(call: ReturnType<typeof toolCalls>[number]): string;
  face(tool: string): ToolFace | undefined;
}

/** The messages before `end` that come next, as an event. */
export function pageBefore(messages: readonly Message[], end: number, facts: CallFacts): Page {
  const page: Message[] = [];
  const subjects: Record<string, string> = {};
  const faces: Record<string, ToolFace> = {};
  let size = 0;
  let start = end;
  for (; start > 0; start--) {
    const message = messages[start - 1];
    if (!message) break;
    // A result belongs to the row of its call, so a page does not begin with one.
    const isFull = end - start >= pageMessages || size >= pageSize;
    if (isFull && messages[start]?.role !== "tool") break;
    for (const { name } of toolCalls(message)) {
      const face = Object.hasOwn(faces, name) ? undefined : facts.face(name);
      if (face) faces[name] = face;
    }
    const shown = shownPart(message, faces);
    page.push(shown);
    size += JSON.stringify(shown.blocks).length + (shown.display?.length ?? 0);
    for (const call of toolCalls(message)) subjects[call.id] = facts.subject(call);
  }
  return { type: "earlier", messages: page.reverse(), subjects, faces, left: start };
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
