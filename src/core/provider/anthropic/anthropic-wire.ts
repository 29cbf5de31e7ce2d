/**
 * Converts the neutral history to the messages of the Messages API, and repairs it so that the API accepts it: roles
 * alternate, the results of all calls come first in the next message, and no text is empty.
 */
import type {
  ImageBlock,
  Message,
  ResultPart,
  ToolCallBlock,
  ToolResultBlock,
} from "../../../shared/message.ts";
import { isRecipientsOwn, type Recipient } from "../ownership.ts";
import type { ModelRequest } from "../provider.ts";
import {
  CONTINUE,
  callAsXml,
  EMPTY_RESULT,
  isCommonImage,
  LOST_BEGINNING,
  OTHER_IMAGE,
  resultsAfter,
  uniqueCalls,
  usableName,
  wellFormed,
} from "../wire-history.ts";
import { type SignedThinking, thinkingBack } from "./thinking.ts";

interface Cached {
  cache_control?: { type: "ephemeral" };
}
export type TextPart = { type: "text"; text: string } & Cached;
type ImagePart = { type: "image"; source: { type: "base64"; media_type: string; data: string } } & Cached;
type ToolUse = { type: "tool_use"; id: string; name: string; input: Record<string, unknown> } & Cached;
type ToolResult = { type: "tool_result"; tool_use_id: string; content: (TextPart | ImagePart)[] } & Cached;
type UserPart = TextPart | ImagePart | ToolResult;
type AssistantPart = TextPart | ToolUse | SignedThinking;
export type AnthropicMessage =
  | { role: "user"; content: UserPart[] }
  | { role: "assistant"; content: AssistantPart[] };

export interface WireOptions {
  recipient: Recipient;
  /** Whether the recipient gets its own thinking back. */
  thinking: boolean;
}

export function toAnthropic(
  { messages, protocol }: Pick<ModelRequest, "messages" | "protocol">,
  options: WireOptions,
): AnthropicMessage[] {
  const wire: AnthropicMessage[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    // The results were sent with their calls. Other parts of their message are from the user.
    if (message.role !== "assistant") {
      pushUser(wire, userParts(message));
      return;
    }
    if (wire.length === 0) pushUser(wire, [{ type: "text", text: LOST_BEGINNING }]);
    const names = uniqueCalls(message, ids, validId);
    pushAssistant(wire, assistantParts(message, names, protocol, options));
    const results = resultsAfter(messages, index, protocol);
    if (protocol === "xml") pushUser(wire, results.flatMap(resultAsText));
    else pushUser(wire, resultParts(results, [...names.values()]));
  });
  if (wire.length === 0) pushUser(wire, [{ type: "text", text: LOST_BEGINNING }]);
  if (wire.at(-1)?.role === "assistant") pushUser(wire, [{ type: "text", text: CONTINUE }]);
  return wire;
}

/** Returns the id in the form that the API requires. */
function validId(id: string): string {
  return id.replace(/[^a-zA-Z0-9_-]/g, "_").slice(0, 64);
}

function pushUser(wire: AnthropicMessage[], parts: UserPart[]): void {
  if (parts.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user") last.content.push(...parts);
  else wire.push({ role: "user", content: parts });
}

function pushAssistant(wire: AnthropicMessage[], parts: AssistantPart[]): void {
  if (parts.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "assistant") last.content.push(...parts);
  else wire.push({ role: "assistant", content: parts });
}

function userParts(message: Message): UserPart[] {
  return message.blocks.flatMap((block): UserPart[] => {
    if (block.type === "text") return textParts(block.text);
    return block.type === "image" ? [imagePart(block)] : [];
  });
}

function assistantParts(
  message: Message,
  names: ReadonlyMap<ToolCallBlock, string>,
  protocol: ModelRequest["protocol"],
  { recipient, thinking }: WireOptions,
): AssistantPart[] {
  const own = isRecipientsOwn(message, recipient);
  const parts = message.blocks.flatMap((block): AssistantPart[] => {
    if (block.type === "text") return textParts(block.text);
    if (block.type === "tool-call" && protocol === "xml") return textParts(`\n\n${callAsXml(block)}`);
    if (block.type === "tool-call") return [toolUse(block, names.get(block) ?? block.id)];
    const signed = own && thinking ? thinkingBack(block) : undefined;
    return signed ? [signed] : [];
  });
  // The API refuses an answer that ends with thinking, as one does that was cut off there.
  while (isThinking(parts.at(-1))) parts.pop();
  // Calls come last. An answer with thinking is returned in its own order, which its signatures may depend on.
  const ordered = parts.some(isThinking) ? parts : callsLast(parts);
  return protocol === "xml" ? joined(ordered) : ordered;
}

/** Returns the parts with adjacent texts as one, as the model wrote them. */
function joined(parts: readonly AssistantPart[]): AssistantPart[] {
  const joinedParts: AssistantPart[] = [];
  for (const part of parts) {
    const last = joinedParts.at(-1);
    if (part.type === "text" && last?.type === "text") last.text += part.text;
    else joinedParts.push(part.type === "text" ? { ...part, text: part.text.trimStart() } : part);
  }
  return joinedParts;
}

export function isThinking(part: { type: string } | undefined): boolean {
  return part?.type === "thinking" || part?.type === "redacted_thinking";
}

function callsLast(parts: readonly AssistantPart[]): AssistantPart[] {
  const isCall = ({ type }: AssistantPart) => Number(type === "tool_use");
  return [...parts].sort((a, b) => isCall(a) - isCall(b));
}

/** Removes the thinking of the messages. */
export function leaveOutThinking(messages: readonly AnthropicMessage[]): void {
  for (const message of messages) {
    if (message.role === "assistant" && message.content.some(isThinking))
      message.content = callsLast(message.content.filter((part) => !isThinking(part)));
  }
}

function toolUse(call: ToolCallBlock, id: string): ToolUse {
  return { type: "tool_use", id, name: usableName(call.name), input: wellFormedRecord(call.params) };
}

function wellFormedRecord(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [wellFormed(name), wellFormedValue(value)]),
  );
}

function wellFormedValue(value: unknown): unknown {
  if (typeof value === "string") return wellFormed(value);
  if (Array.isArray(value)) return value.map(wellFormedValue);
  return typeof value === "object" && value !== null ? wellFormedRecord({ ...value }) : value;
}

/** `ids`: of the calls, in the order of the results. */
function resultParts(results: readonly ToolResultBlock[], ids: readonly string[]): UserPart[] {
  return results.map((result, index): ToolResult => {
    const content = result.parts.flatMap(contentParts);
    if (content.length === 0) content.push({ type: "text", text: EMPTY_RESULT });
    return { type: "tool_result", tool_use_id: ids[index] ?? result.callId, content };
  });
}

function resultAsText({ label, parts }: ToolResultBlock): UserPart[] {
  const content = parts.flatMap(contentParts);
  const shown = content.length > 0 ? content : textParts(EMPTY_RESULT);
  return [...textParts(`[${label}] Result:`), ...shown];
}

function contentParts(part: ResultPart): (TextPart | ImagePart)[] {
  return part.type === "text" ? textParts(part.text) : [imagePart(part)];
}

function textParts(text: string): TextPart[] {
  return text.trim() === "" ? [] : [{ type: "text", text: wellFormed(text) }];
}

function imagePart({ mimeType, data }: Pick<ImageBlock, "mimeType" | "data">): ImagePart | TextPart {
  if (!isCommonImage(mimeType)) return { type: "text", text: OTHER_IMAGE };
  return { type: "image", source: { type: "base64", media_type: mimeType, data } };
}
