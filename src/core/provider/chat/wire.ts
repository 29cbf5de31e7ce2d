/**
 * Converts the neutral history to a chat-completions request, and repairs it so that strict endpoints accept it: every
 * call is followed by its result, and no content is empty.
 */
import {
  type ImageBlock,
  type Message,
  type ResultPart,
  type ToolCallBlock,
  type ToolResultBlock,
  toolCalls,
} from "../../../shared/message.ts";
import type { Quirk } from "../api.ts";
import { isOwn, type Recipient } from "../ownership.ts";
import type { ModelRequest } from "../provider.ts";
import { PLAIN_CONTENT, REASONING_BACK, SHORT_IDS } from "./quirks.ts";

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
    }
  | { role: "tool"; tool_call_id: string; content: string };

const NO_RESULT = "This call was interrupted; whether it took effect is not known.";
const EMPTY_RESULT = "(no output)";
const LOST_BEGINNING = "[The beginning of this conversation could not be read back.]";

/** Returns the request's messages for `recipient`. */
export function toWire(
  request: ModelRequest,
  recipient: Recipient,
  quirks: ReadonlySet<Quirk> = new Set(),
): WireMessage[] {
  const wire = messagesOf(request, recipient, quirks);
  return quirks.has(PLAIN_CONTENT) ? wire.map(plain) : wire;
}

/** Returns the message with a single string as content, if it contains no image. */
function plain(message: WireMessage): WireMessage {
  if (message.role !== "user" || typeof message.content === "string") return message;
  const texts = message.content.map((part) => (part.type === "text" ? part.text : undefined));
  return texts.includes(undefined) ? message : { role: "user", content: texts.join("\n\n") };
}

function messagesOf(request: ModelRequest, recipient: Recipient, quirks: ReadonlySet<Quirk>): WireMessage[] {
  const wire: WireMessage[] = [{ role: "system", content: request.system }];
  const { messages, protocol } = request;
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "user") {
      pushUser(wire, userParts(message));
    } else if (message.role === "assistant") {
      // Endpoints require the first message to be a user message.
      if (wire.length === 1) pushUser(wire, [{ type: "text", text: LOST_BEGINNING }]);
      const renamed = uniqueCalls(message, ids, quirks.has(SHORT_IDS));
      pushAssistant(wire, message, { ids: renamed, protocol, recipient, quirks });
      pushResults(wire, resultsAfter(messages, index), renamed, protocol);
    } else {
      // The results were sent with their calls. Images in the message are from the user.
      pushUser(wire, userParts(message));
    }
  });
  return wire;
}

/** Returns the ids under which the calls are sent: an id that an earlier call uses is replaced by a unique one. */
function uniqueCalls(message: Message, ids: Set<string>, short: boolean): Map<ToolCallBlock, string> {
  const names = new Map<ToolCallBlock, string>();
  for (const call of toolCalls(message)) {
    let id = call.id;
    if (short) id = `call${String(ids.size + 1).padStart(5, "0")}`;
    else for (let number = 2; ids.has(id); number++) id = `${call.id}-${number}`;
    ids.add(id);
    names.set(call, id);
  }
  return names;
}

/** Returns one result for each call of the assistant message at `index`, in the order of the calls. */
function resultsAfter(messages: readonly Message[], index: number): ToolResultBlock[] {
  const found = new Map<string, ToolResultBlock>();
  for (let i = index + 1; messages[i]?.role === "tool"; i++) {
    for (const block of messages[i]?.blocks ?? [])
      if (block.type === "tool-result") found.set(block.callId, block);
  }
  const calls = toolCalls(messages[index]);
  return calls.map((call) => found.get(call.id) ?? interrupted(call));
}

function interrupted(call: ToolCallBlock): ToolResultBlock {
  return {
    type: "tool-result",
    callId: call.id,
    name: call.name,
    label: call.name,
    outcome: "interrupted",
    parts: [{ type: "text", text: NO_RESULT }],
  };
}

function userParts(message: Message): WirePart[] {
  const parts: WirePart[] = [];
  for (const block of message.blocks) {
    if (block.type === "text" && block.text !== "")
      parts.push({ type: "text", text: wellFormed(block.text) });
    if (block.type === "image") parts.push(imagePart(block));
  }
  return parts;
}

function imagePart(image: Pick<ImageBlock, "mimeType" | "data">): ImagePart {
  return { type: "image_url", image_url: { url: `data:${image.mimeType};base64,${image.data}` } };
}

/** Merges adjacent parts into one user message, because some endpoints require alternating roles. */
function pushUser(wire: WireMessage[], parts: WirePart[]): void {
  if (parts.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user" && typeof last.content !== "string") last.content.push(...parts);
  else wire.push({ role: "user", content: parts });
}

interface AssistantContext {
  ids: ReadonlyMap<ToolCallBlock, string>;
  protocol: ModelRequest["protocol"];
  recipient: Recipient;
  quirks: ReadonlySet<Quirk>;
}

function pushAssistant(wire: WireMessage[], message: Message, context: AssistantContext): void {
  const { ids, protocol, recipient, quirks } = context;
  const own = isOwn(message, recipient);
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
        function: { name: block.name, arguments: wellFormed(JSON.stringify(block.params)) },
        ...(own && block.extra ? { extra_content: block.extra } : {}),
      });
    }
  }
  const content = wellFormed(pieces.join("").trim());
  const { reasoningDetails } = message;
  const returned = {
    ...(quirks.has(REASONING_BACK) ? { reasoning_content: wellFormed(reasoningPieces.join("")) } : {}),
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

function callAsXml(call: ToolCallBlock): string {
  const params = Object.entries(call.params).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const long = text.includes("\n");
    return long ? `<${name}>\n${text}\n</${name}>` : `<${name}>${text}</${name}>`;
  });
  return [`<${call.name}>`, ...params, `</${call.name}>`].join("\n");
}

function pushResults(
  wire: WireMessage[],
  results: ToolResultBlock[],
  ids: ReadonlyMap<ToolCallBlock, string>,
  protocol: ModelRequest["protocol"],
): void {
  if (protocol === "xml") {
    for (const result of results) {
      const parts = result.parts.map(resultPart).filter((part) => part.type !== "text" || part.text !== "");
      pushUser(wire, [
        { type: "text", text: `[${result.label}] Result:` },
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
      else images.push({ type: "text", text: `Image from ${result.label}:` }, imagePart(part));
    }
    const content = wellFormed(texts.join("\n"));
    const id = names[index] ?? result.callId;
    wire.push({ role: "tool", tool_call_id: id, content: content === "" ? EMPTY_RESULT : content });
  }
  pushUser(wire, images);
}

function resultPart(part: ResultPart): WirePart {
  return part.type === "text" ? { type: "text", text: wellFormed(part.text) } : imagePart(part);
}

/** Endpoints refuse JSON that contains a lone surrogate, but a file may contain one. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text)
    ? text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    : text;
}
