/**
 * Converts the neutral history to a chat-completions request, and repairs it so that strict endpoints accept it: every
 * call is followed by its result, and no content is empty.
 */
import type {
  ImageBlock,
  Message,
  ResultPart,
  ToolCallBlock,
  ToolResultBlock,
} from "../../../shared/message.ts";
import { cachedValue } from "../../cached-value.ts";
import type { Quirk } from "../api.ts";
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
import {
  ALTERNATING_ROLES,
  NO_SYSTEM,
  PLAIN_CONTENT,
  REASONING_BACK,
  SHORT_IDS,
  SIGNED_CALLS,
} from "./quirks.ts";
import { extraOfCall, extraOfText } from "./thought-signatures.ts";

type TextPart = { type: "text"; text: string };
type ImagePart = { type: "image_url"; image_url: { url: string } };
type WirePart = TextPart | ImagePart;
interface WireCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
  extra_content?: Record<string, unknown>;
}
export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: WirePart[] | string }
  | {
      role: "assistant";
      content: string | null;
      tool_calls?: WireCall[];
      reasoning_content?: string;
      reasoning_details?: Record<string, unknown>[];
      extra_content?: Record<string, unknown>;
    }
  | { role: "tool"; tool_call_id: string; content: string };

/** `reasoningBack`: its template uses the reasoning of its own messages with calls. */
type ChatRecipient = Recipient & { reasoningBack?: boolean };

/** Returns the request's messages for `recipient`. */
export function toWire(
  request: ModelRequest,
  recipient: ChatRecipient,
  quirks: ReadonlySet<Quirk> = new Set(),
): WireMessage[] {
  const messages = messagesOf(request, recipient, quirks);
  const alternating = quirks.has(ALTERNATING_ROLES) ? alternated(messages) : messages;
  const wire = quirks.has(NO_SYSTEM) ? withoutSystem(alternating) : alternating;
  return quirks.has(PLAIN_CONTENT) ? wire.map(plain) : wire;
}

/** An answer between results and a message that cannot be part of them. */
const SEEN = "I have the results.";

/** Makes what follows results part of the last one. Images cannot be, so an answer is put before them. */
function alternated(messages: readonly WireMessage[]): WireMessage[] {
  const wire: WireMessage[] = [];
  for (const message of messages) {
    const last = wire.at(-1);
    if (last?.role !== "tool" || message.role !== "user") wire.push(message);
    else {
      const text = textOf(message.content);
      if (text === undefined) wire.push({ role: "assistant", content: SEEN }, message);
      else wire[wire.length - 1] = { ...last, content: `${last.content}\n\n${text}` };
    }
  }
  return wire;
}

/** Puts the instructions before the first user message, which always follows them. */
function withoutSystem([system, first, ...rest]: readonly WireMessage[]): WireMessage[] {
  if (system?.role !== "system" || first?.role !== "user")
    throw new TypeError("The request has no instructions with a message after them.");
  const text = { type: "text" as const, text: system.content };
  const content =
    typeof first.content === "string" ? [{ type: "text" as const, text: first.content }] : first.content;
  return [{ role: "user", content: [text, ...content] }, ...rest];
}

/** Returns the message with a single string as content, if it contains no image. */
function plain(message: WireMessage): WireMessage {
  const text = message.role === "user" ? textOf(message.content) : undefined;
  return text === undefined ? message : { role: "user", content: text };
}

/** Returns the content as a single string; undefined if it contains an image. */
function textOf(content: WirePart[] | string): string | undefined {
  if (typeof content === "string") return content;
  const texts = content.map((part) => (part.type === "text" ? part.text : undefined));
  return texts.includes(undefined) ? undefined : texts.join("\n\n");
}

function messagesOf(
  request: ModelRequest,
  recipient: ChatRecipient,
  quirks: ReadonlySet<Quirk>,
): WireMessage[] {
  const wire: WireMessage[] = [{ role: "system", content: request.system }];
  const { messages, protocol } = request;
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "user") {
      pushUser(wire, userParts(message));
    } else if (message.role === "assistant") {
      // Endpoints require the first message to be a user message.
      if (wire.length === 1) pushUser(wire, [{ type: "text", text: LOST_BEGINNING }]);
      const renamed = uniqueCalls(message, ids, quirks.has(SHORT_IDS) ? shortId : undefined);
      pushAssistant(wire, message, { ids: renamed, protocol, recipient, quirks });
      pushResults(wire, resultsAfter(messages, index, protocol), renamed, protocol);
    } else {
      // The results were sent with their calls. Images in the message are from the user.
      pushUser(wire, userParts(message));
    }
  });
  if (wire.length === 1) pushUser(wire, [{ type: "text", text: LOST_BEGINNING }]);
  if (wire.at(-1)?.role === "assistant") pushUser(wire, [{ type: "text", text: CONTINUE }]);
  return wire;
}

function shortId(_id: string, count: number): string {
  return `call${String(count + 1).padStart(5, "0")}`;
}

function userParts(message: Message): WirePart[] {
  const parts: WirePart[] = [];
  for (const block of message.blocks) {
    if (block.type === "text" && block.text.trim() !== "")
      parts.push({ type: "text", text: wellFormed(block.text) });
    if (block.type === "image") parts.push(imagePart(block));
  }
  return parts;
}

function imagePart(image: Pick<ImageBlock, "mimeType" | "data">): WirePart {
  if (!isCommonImage(image.mimeType)) return { type: "text", text: OTHER_IMAGE };
  return { type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
}

/** Merges adjacent parts into one user message, because some endpoints require alternating roles. */
function pushUser(wire: WireMessage[], parts: WirePart[]): void {
  if (parts.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user" && typeof last.content !== "string") last.content.push(...parts);
  else wire.push({ role: "user", content: parts });
}

/** A call is sent again with every later request of its task. */
const argumentTexts = new WeakMap<ToolCallBlock, string>();

function argumentsOf(block: ToolCallBlock): string {
  return cachedValue(argumentTexts, block, () => wellFormed(JSON.stringify(block.params)));
}

interface AssistantContext {
  ids: ReadonlyMap<ToolCallBlock, string>;
  protocol: ModelRequest["protocol"];
  recipient: ChatRecipient;
  quirks: ReadonlySet<Quirk>;
}

function pushAssistant(wire: WireMessage[], message: Message, context: AssistantContext): void {
  const { ids, protocol, recipient, quirks } = context;
  const own = isRecipientsOwn(message, recipient);
  const pieces: string[] = [];
  const reasoningPieces: string[] = [];
  const calls: WireCall[] = [];
  for (const block of message.blocks) {
    if (block.type === "text") pieces.push(block.text);
    if (block.type === "reasoning") reasoningPieces.push(block.text);
    if (block.type !== "tool-call") continue;
    if (protocol === "xml") pieces.push(`\n\n${callAsXml(block)}`);
    else {
      calls.push({
        id: ids.get(block) ?? block.id,
        type: "function",
        function: { name: usableName(block.name), arguments: argumentsOf(block) },
        ...extraOfCall(block, { own, first: calls.length === 0, signsAll: quirks.has(SIGNED_CALLS) }),
      });
    }
  }
  const content = wellFormed(pieces.join("").trim());
  const { reasoningDetails } = message;
  const reasoning = wellFormed(reasoningPieces.join(""));
  // The reasoning of every turn is sent, so that requests begin alike; templates drop that of earlier turns.
  const isWanted = recipient.reasoningBack && own && calls.length > 0 && reasoning !== "";
  const returned = {
    ...(isWanted || quirks.has(REASONING_BACK) ? { reasoning_content: reasoning } : {}),
    // Calls that are part of the text are sent in our own form, but the signature belongs to the original text.
    ...(own && (protocol === "native" || ids.size === 0) ? extraOfText(message.blocks) : {}),
    ...(own && protocol === "native" && reasoningDetails ? { reasoning_details: reasoningDetails } : {}),
  };
  if (calls.length > 0) {
    wire.push({
      role: "assistant",
      content: content === "" ? null : content,
      tool_calls: calls,
      ...returned,
    });
  } else if (content !== "") {
    wire.push({ role: "assistant", content, ...returned });
  }
}

function pushResults(
  wire: WireMessage[],
  results: ToolResultBlock[],
  ids: ReadonlyMap<ToolCallBlock, string>,
  protocol: ModelRequest["protocol"],
): void {
  if (protocol === "xml") {
    for (const result of results) {
      const parts = result.parts
        .map(resultPart)
        .filter((part) => part.type !== "text" || part.text.trim() !== "");
      pushUser(wire, [
        { type: "text", text: wellFormed(`[${result.label}] Result:`) },
        ...(parts.length > 0 ? parts : [{ type: "text" as const, text: EMPTY_RESULT }]),
      ]);
    }
    return;
  }
  const images: WirePart[] = [];
  // One per call, in the order of the calls.
  const names = [...ids.values()];
  for (const [index, result] of results.entries()) {
    const texts: string[] = [];
    for (const part of result.parts) {
      if (part.type === "text") texts.push(part.text);
      else images.push({ type: "text", text: wellFormed(`Image from ${result.label}:`) }, imagePart(part));
    }
    const content = wellFormed(texts.join("\n"));
    const id = names[index] ?? result.callId;
    wire.push({ role: "tool", tool_call_id: id, content: content.trim() === "" ? EMPTY_RESULT : content });
  }
  pushUser(wire, images);
}

function resultPart(part: ResultPart): WirePart {
  return part.type === "text" ? { type: "text", text: wellFormed(part.text) } : imagePart(part);
}
