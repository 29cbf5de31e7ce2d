/** What a step that made room left out of the requests since: which parts, and each of them whole, as the session keeps it. */
import { type Message, toolCalls } from "../../shared/message.ts";
import type { LeftOutPart, Result } from "../../shared/protocol.ts";
import { windowState } from "../window/window.ts";
import { type CallFacts, messageOfRow } from "./earlier.ts";

type Call = ReturnType<typeof toolCalls>[number];

/** Parts that are named; characters of what was said that name it, and of a document's name. */
const most = 500;
const excerptLength = 120;
const nameLength = 60;

/** The parts that the step of that notice (its row's id) left out, in order; none where there is no such step. */
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
  // What an earlier step left out stands under that one's notice.
  const from = windowState(messages.slice(0, at)).leftOutUpTo + 1;
  const parts = messages.slice(from, upTo + 1).flatMap((each) => partsOf(each, facts));
  const shortened = new Set(block.shortened);
  for (const { id } of parts) shortened.delete(id);
  for (const each of shortened.size === 0 ? [] : messages.slice(0, at)) {
    for (const call of toolCalls(each)) if (shortened.has(call.id)) parts.push(named(call, facts));
  }
  return { parts: parts.slice(0, most), more: Math.max(0, parts.length - most) };
}

function partsOf(message: Message, facts: CallFacts): LeftOutPart[] {
  const said = message.display ?? (message.role === "assistant" ? textOf(message) : "");
  const subject = firstLine(said, excerptLength);
  const parts: LeftOutPart[] = subject === "" ? [] : [{ id: message.id, subject }];
  return [...parts, ...toolCalls(message).map((call) => named(call, facts))];
}

const named = (call: Call, facts: CallFacts): LeftOutPart => ({
  id: call.id,
  title: titleOf(facts.face(call.name)) ?? call.name,
  subject: facts.subject(call),
});

const titleOf = (face: ReturnType<CallFacts["face"]>) => face?.title.done ?? face?.title.doing;

/** A part whole, with a name for it: what a call gave back, or what was said. Undefined: there is none of that id. */
export function partOf(messages: readonly Message[], id: string): { name: string; text: string } | undefined {
  const message = messages.find((each) => each.id === id);
  if (message) {
    const text = message.display ?? textOf(message);
    return { name: fileName(firstLine(text, nameLength)), text };
  }
  for (const { blocks } of messages) {
    for (const block of blocks) {
      if (block.type !== "tool-result" || block.callId !== id) continue;
      const texts = block.parts.map((part) => (part.type === "text" ? part.text : `[${part.mimeType}]`));
      return { name: fileName(block.label.slice(0, nameLength)), text: texts.join("\n\n") };
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
