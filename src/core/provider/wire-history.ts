/** What the requests of every API derive from the neutral history in the same way. */
import {
  type Message,
  type ResultPart,
  type ToolCallBlock,
  type ToolResultBlock,
  toolCalls,
} from "../../shared/message.ts";
import { fencedData } from "../fence.ts";
import type { Protocol } from "./provider.ts";

const NO_RESULT = "This call was interrupted; whether it took effect is not known.";
export const EMPTY_RESULT = "(no output)";
/** Takes the place of a first user message, which endpoints require. */
export const LOST_BEGINNING = "[The beginning of this conversation could not be read back.]";

/** Follows a history that ends with the model's words, which newer models refuse. */
export const CONTINUE = "Continue.";
/** Takes the place of an image in a format that endpoints refuse. */
export const OTHER_IMAGE = "[An image was here. Its format is not supported.]";

/** Whether endpoints take images of this type. */
export function isCommonImage(mimeType: string): boolean {
  return /^image\/(?:png|jpeg|gif|webp)$/.test(mimeType);
}

/**
 * Returns the ids under which the message's calls are sent, and adds them to `used`: an id that an earlier call uses is
 * replaced by a unique one. `form` returns an id in the form that the API accepts; `count`: how many ids are used.
 */
export function uniqueCalls(
  message: Message,
  used: Set<string>,
  form: (id: string, count: number) => string = (id) => id,
): Map<ToolCallBlock, string> {
  const names = new Map<ToolCallBlock, string>();
  for (const call of toolCalls(message)) {
    const wanted = form(call.id, used.size) || "call";
    let id = wanted;
    for (let number = 2; used.has(id); number++) id = `${wanted}-${number}`;
    used.add(id);
    names.set(call, id);
  }
  return names;
}

/**
 * Returns one result for each call of the assistant message at `index`, in the order of the calls. Data from
 * outside is fenced where it could be taken for something else.
 */
export function resultsAfter(
  messages: readonly Message[],
  index: number,
  protocol: Protocol,
): ToolResultBlock[] {
  const results = new Map<string, ToolResultBlock>();
  for (let i = index + 1; messages[i]?.role === "tool"; i++) {
    for (const block of messages[i]?.blocks ?? [])
      if (block.type === "tool-result") results.set(block.callId, block);
  }
  const calls = toolCalls(messages[index]);
  return calls.map((call) => withFences(results.get(call.id) ?? interrupted(call), protocol));
}

function withFences(result: ToolResultBlock, protocol: Protocol): ToolResultBlock {
  const parts = result.parts.map((part) => withFence(part, protocol));
  return { ...result, parts };
}

const withFenceOf = new WeakMap<ResultPart, ResultPart>();

/** In XML, results are parts of user messages. The role marks a native result, but pages and servers may still pretend to be another. */
function withFence(part: ResultPart, protocol: Protocol): ResultPart {
  if (part.type !== "text" || part.origin === undefined || part.text.trim() === "") return part;
  if (protocol === "native" && part.origin === "local") return part;
  let sent = withFenceOf.get(part);
  if (sent === undefined) {
    sent = { ...part, text: fencedData(part.text) };
    withFenceOf.set(part, sent);
  }
  return sent;
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

/** Returns a tool's name that APIs accept: a model may invent any name, and its call stays in the history. */
export function usableName(name: string): string {
  return name.replace(/[^\w-]/g, "_").slice(0, 64) || "unknown";
}

/** Returns a call in the XML protocol. */
export function callAsXml(call: ToolCallBlock): string {
  const params = Object.entries(call.params).map(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    const long = text.includes("\n");
    return long ? `<${name}>\n${text}\n</${name}>` : `<${name}>${text}</${name}>`;
  });
  return [`<${call.name}>`, ...params, `</${call.name}>`].join("\n");
}

/** Endpoints refuse JSON that contains a lone surrogate, but a file may contain one. */
export function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text)
    ? text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    : text;
}
