/**
 * Pages of a stored session for the view: the newest messages first, earlier pages on request. Opening a session costs one
 * page, whatever its length.
 */
import type { EventBody } from "../../shared/event.ts";
import { productName } from "../../shared/history/session-origin.ts";
import { type Message, type ToolCallBlock, toolCalls } from "../../shared/message.ts";
import type { ToolPresentation } from "../../shared/tool-presentation.ts";
import { shownPart } from "../../shared/view/reducer.ts";

/** Messages in a page, and characters of their content; a single message may exceed the latter. */
const PAGE_MESSAGES = 200;
const PAGE_SIZE = 400_000;

export type MessagePage = Extract<EventBody, { type: "earlier" }>;

/** Facts about stored calls: the subject of a call, and the presentation of a tool. */
export interface CallFacts {
  subject(call: ReturnType<typeof toolCalls>[number]): string;
  presentation(tool: string): ToolPresentation | undefined;
}

/** The page of messages before `end`, as an event. */
export function pageBefore(messages: readonly Message[], end: number, facts: CallFacts): MessagePage {
  const page: Message[] = [];
  const subjects: Record<string, string> = {};
  const faces: Record<string, ToolPresentation> = {};
  let size = 0;
  let start = end;
  for (; start > 0; start--) {
    const message = messages[start - 1];
    if (!message) break;
    // A page does not begin with a result, which belongs to the row of its call.
    const isFull = end - start >= PAGE_MESSAGES || size >= PAGE_SIZE;
    if (isFull && messages[start]?.role !== "tool") break;
    addPresentations(faces, message, facts);
    const shown = shownPart(named(message), faces);
    page.push(shown);
    size += sizeOf(shown);
    for (const call of toolCalls(message)) subjects[call.id] = subjectOf(call, facts);
  }
  return { type: "earlier", messages: page.reverse(), subjects, faces, left: start };
}

/** Calls of another product with its name: a tool of this product may have the same name. */
function named(message: Message): Message {
  if (!toolCalls(message).some(({ foreign }) => foreign !== undefined)) return message;
  const blocks = message.blocks.map((block) =>
    block.type === "tool-call" && block.foreign !== undefined
      ? { ...block, name: `${productName(block.foreign)}: ${block.name}`, params: {} }
      : block,
  );
  return { ...message, blocks };
}

/** What a call is about. Of a tool of another product: the argument that is probably that. */
function subjectOf(call: ToolCallBlock, facts: Pick<CallFacts, "subject">): string {
  if (call.foreign === undefined) return facts.subject(call);
  const values = SUBJECT_NAMES.map((name) => call.params[name]);
  return values.find((value) => typeof value === "string")?.slice(0, SUBJECT_LENGTH) ?? "";
}

/** Names of the arguments that say what a call is about, in most products. */
const SUBJECT_NAMES = [
  "command",
  "cmd",
  "file_path",
  "filePath",
  "path",
  "pattern",
  "query",
  "url",
  "description",
];
const SUBJECT_LENGTH = 1_000;

function addPresentations(
  faces: Record<string, ToolPresentation>,
  message: Message,
  facts: Pick<CallFacts, "presentation">,
): void {
  for (const name of toolsIn(message)) {
    const presentation = Object.hasOwn(faces, name) ? undefined : facts.presentation(name);
    if (presentation) faces[name] = presentation;
  }
}

/** Characters of a message's content. */
function sizeOf({ blocks, display = "" }: Message): number {
  return JSON.stringify(blocks).length + display.length;
}

/** The tools that the message's rows name: those of its calls, and of the steps of subtasks that these started. */
function toolsIn(message: Message): string[] {
  const steps = message.blocks.flatMap((block) =>
    block.type === "tool-result" ? (block.shown?.task?.steps ?? []) : [],
  );
  const own = toolCalls(message).filter(({ foreign }) => foreign === undefined);
  return [...own.map(({ name }) => name), ...steps.map(({ tool }) => tool)];
}

/** The index of the message with the given row: its own id, or that of a block, a call or a checkpoint. */
export function messageOfRow(messages: readonly Message[], row: string): number {
  const id = row.replace(/^checkpoint:/, "");
  return messages.findIndex(
    (message) =>
      message.id === id ||
      id.startsWith(`${message.id}:`) ||
      toolCalls(message).some((call) => call.id === id),
  );
}
