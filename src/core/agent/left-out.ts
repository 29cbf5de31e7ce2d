/** Lists the parts that a window step omits from later requests, and gives each part in full, as the session keeps it. */
import { type Message, toolCalls } from "../../shared/message.ts";
import type { LeftOutPart, Result } from "../../shared/protocol.ts";
import { windowState } from "../window/window.ts";
import { type CallFacts, messageOfRow } from "./earlier.ts";

type Call = ReturnType<typeof toolCalls>[number];

/** Parts that are listed; characters of a message's excerpt, and of a document's name. */
const MOST = 500;
const EXCERPT_LENGTH = 120;
const NAME_LENGTH = 60;

/** The parts that the step of that notice (its row's id) omits, in order; none if there is no such step. */
export function leftOutBy(
  messages: readonly Message[],
  notice: string,
  facts: CallFacts,
): Result<"chat/left-out"> {
  const at = messageOfRow(messages, notice);
  const message = messages[at];
  const block = message?.blocks[Number(notice.slice((message?.id.length ?? 0) + 1))];
  if (block?.type !== "window") return { parts: [], more: 0 };
  const upTo = messages.findIndex(({ id }) => id === block.leftOut?.upTo);
  // Parts that an earlier step omits are listed under its own notice.
  const from = windowState(messages.slice(0, at)).leftOutUpTo + 1;
  const parts = messages.slice(from, upTo + 1).flatMap((each) => partsOf(each, facts));
  const shortened = new Set(block.shortened);
  for (const { id } of parts) shortened.delete(id);
  for (const each of shortened.size === 0 ? [] : messages.slice(0, at)) {
    for (const call of toolCalls(each)) if (shortened.has(call.id)) parts.push(named(call, facts));
  }
  return { parts: parts.slice(0, MOST), more: Math.max(0, parts.length - MOST) };
}

function partsOf(message: Message, facts: CallFacts): LeftOutPart[] {
  const said = message.display ?? (message.role === "assistant" ? textOf(message) : "");
  const subject = firstLine(said, EXCERPT_LENGTH);
  const parts: LeftOutPart[] = subject === "" ? [] : [{ id: message.id, subject }];
  return [...parts, ...toolCalls(message).map((call) => named(call, facts))];
}

const named = (call: Call, facts: CallFacts): LeftOutPart => ({
  id: call.id,
  title: titleOf(facts.face(call.name)) ?? call.name,
  subject: facts.subject(call),
});

const titleOf = (face: ReturnType<CallFacts["face"]>) => face?.title.done ?? face?.title.doing;

/** A part in full, with a name: a call's result or a message. undefined: no part has that id. */
export function partOf(messages: readonly Message[], id: string): { name: string; text: string } | undefined {
  const message = messages.find((each) => each.id === id);
  if (message) {
    const text = message.display ?? textOf(message);
    return { name: fileName(firstLine(text, NAME_LENGTH)), text };
  }
  for (const { blocks } of messages) {
    for (const block of blocks) {
      if (block.type !== "tool-result" || block.callId !== id) continue;
      const texts = block.parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`));
      return { name: fileName(block.label.slice(0, NAME_LENGTH)), text: texts.join("\n\n") };
    }
  }
  return undefined;
}

function textOf({ blocks }: Message): string {
  return blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

function firstLine(text: string, length: number): string {
  return (text.trim().split("\n", 1)[0] ?? "").slice(0, length);
}

function fileName(words: string): string {
  return `${words.replace(/[\\/:*?"'<>|\s]+/g, " ").trim() || "-"}.txt`;
}
