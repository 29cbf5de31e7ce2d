/**
 * Converts the neutral history to messages for the editor's models, and repairs it: every call has its result, and no message
 * is empty. There is no system role, so the instructions are the first user message.
 */
import type { Message, ResultPart, ToolCallBlock, ToolResultBlock } from "../../../shared/message.ts";
import type { EditorMessage, EditorPart } from "../../ports/editor-models.ts";
import type { ModelRequest } from "../provider.ts";
import {
  callAsXml,
  EMPTY_RESULT,
  resultsAfter,
  uniqueCalls,
  usableName,
  wellFormed,
} from "../wire-history.ts";

const IMAGE_NOTE = "[An image was here. It cannot be shown to you.]";

export function editorMessages({ system, messages, protocol }: ModelRequest): EditorMessage[] {
  const sent: EditorMessage[] = [];
  push(sent, "user", [{ type: "text", text: wellFormed(system) }]);
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role !== "assistant") {
      // The results were sent with their calls.
      push(sent, "user", userParts(message));
      return;
    }
    const names = uniqueCalls(message, ids);
    push(sent, "assistant", answerParts(message, names, protocol));
    const results = resultsAfter(messages, index, protocol);
    const parts =
      protocol === "xml" ? results.flatMap(resultAsText) : resultParts(results, [...names.values()]);
    push(sent, "user", parts);
  });
  return sent;
}

/** Merges adjacent messages of one role. */
function push(sent: EditorMessage[], role: EditorMessage["role"], parts: EditorPart[]): void {
  const content = parts.filter((part) => part.type !== "text" || part.text.trim() !== "");
  if (content.length === 0) return;
  const last = sent.at(-1);
  if (last?.role === role) last.parts.push(...content);
  else sent.push({ role, parts: content });
}

function userParts({ blocks }: Message): EditorPart[] {
  return blocks.flatMap((block): EditorPart[] => {
    if (block.type === "image") return [{ type: "text", text: IMAGE_NOTE }];
    return block.type === "text" ? [{ type: "text", text: wellFormed(block.text) }] : [];
  });
}

function answerParts(
  { blocks }: Message,
  names: ReadonlyMap<ToolCallBlock, string>,
  protocol: ModelRequest["protocol"],
): EditorPart[] {
  return blocks.flatMap((block): EditorPart[] => {
    if (block.type === "text") return [{ type: "text", text: wellFormed(block.text) }];
    if (block.type !== "tool-call") return [];
    if (protocol === "xml") return [{ type: "text", text: wellFormed(callAsXml(block)) }];
    const id = names.get(block) ?? block.id;
    return [{ type: "call", id, name: usableName(block.name), input: block.params }];
  });
}

function resultParts(results: readonly ToolResultBlock[], ids: readonly string[]): EditorPart[] {
  return results.map((result, index) => ({
    type: "result",
    id: ids[index] ?? result.callId,
    text: textOf(result.parts),
  }));
}

function resultAsText({ label, parts }: ToolResultBlock): EditorPart[] {
  return [{ type: "text", text: wellFormed(`[${label}] Result:\n${textOf(parts)}`) }];
}

function textOf(parts: readonly ResultPart[]): string {
  const texts = parts.map((part) => (part.type === "text" ? wellFormed(part.text) : IMAGE_NOTE));
  return texts.join("\n").trim() === "" ? EMPTY_RESULT : texts.join("\n");
}
