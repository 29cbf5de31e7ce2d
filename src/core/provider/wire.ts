/**
 * The neutral history as a chat-completions request, and the answer's chunks as parts. The history is repaired on the
 * way so that a strict endpoint takes it: every call is followed by its result, and no content is empty.
 */
import { z } from "zod";
import {
  type ImageBlock,
  type Message,
  type ResultPart,
  type ToolCallBlock,
  type ToolResultBlock,
  toolCalls,
  type Usage,
} from "../../shared/message.ts";
import type { ModelRequest, StreamPart, ToolCallDelta } from "./provider.ts";

type TextPart = { type: "text"; text: string };
type ImagePart = { type: "image_url"; image_url: { url: string } };
export type WirePart = TextPart | ImagePart;
export type WireMessage =
  | { role: "system"; content: string }
  | { role: "user"; content: WirePart[] }
  | {
      role: "assistant";
      content: string | null;
      tool_calls?: { id: string; type: "function"; function: { name: string; arguments: string } }[];
    }
  | { role: "tool"; tool_call_id: string; content: string };

const noResult = "This call was interrupted; whether it took effect is not known.";
const emptyResult = "(no output)";
const lostBeginning = "[The beginning of this conversation could not be read back.]";

export function toWire(request: ModelRequest): WireMessage[] {
  const wire: WireMessage[] = [{ role: "system", content: request.system }];
  const { messages, protocol } = request;
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role === "user") {
      pushUser(wire, personParts(message));
    } else if (message.role === "assistant") {
      // An endpoint wants to hear from a person first.
      if (wire.length === 1) pushUser(wire, [{ type: "text", text: lostBeginning }]);
      const renamed = uniqueCalls(message, ids);
      pushAssistant(wire, message, renamed, protocol);
      pushResults(wire, resultsAfter(messages, index), renamed, protocol);
    } else {
      // Its results went out with the calls they answer; images that came along are the person's.
      pushUser(wire, personParts(message));
    }
  });
  return wire;
}

/** The names under which its calls go out: an id that an earlier call has is another one here. */
function uniqueCalls(message: Message, ids: Set<string>): Map<ToolCallBlock, string> {
  const names = new Map<ToolCallBlock, string>();
  for (const call of toolCalls(message)) {
    let id = call.id;
    for (let number = 2; ids.has(id); number++) id = `${call.id}-${number}`;
    ids.add(id);
    names.set(call, id);
  }
  return names;
}

/** One result for each call of the assistant message at `index`, in the calls' order. */
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
    parts: [{ type: "text", text: noResult }],
  };
}

function personParts(message: Message): WirePart[] {
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

/** One user message for adjacent parts: some endpoints insist on alternating roles. */
function pushUser(wire: WireMessage[], parts: WirePart[]): void {
  if (parts.length === 0) return;
  const last = wire.at(-1);
  if (last?.role === "user") last.content.push(...parts);
  else wire.push({ role: "user", content: parts });
}

function pushAssistant(
  wire: WireMessage[],
  message: Message,
  ids: ReadonlyMap<ToolCallBlock, string>,
  protocol: ModelRequest["protocol"],
): void {
  const pieces: string[] = [];
  const calls: { id: string; type: "function"; function: { name: string; arguments: string } }[] = [];
  for (const block of message.blocks) {
    if (block.type === "text") pieces.push(block.text);
    if (block.type !== "tool-call") continue;
    if (protocol === "xml") pieces.push(`\n\n${callAsXml(block)}`);
    else {
      const text = wellFormed(JSON.stringify(block.params));
      calls.push({
        id: ids.get(block) ?? block.id,
        type: "function",
        function: { name: block.name, arguments: text },
      });
    }
  }
  const content = wellFormed(pieces.join("").trim());
  if (calls.length > 0) {
    wire.push({ role: "assistant", content: content === "" ? null : content, tool_calls: calls });
  } else if (content !== "") {
    wire.push({ role: "assistant", content });
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
        ...(parts.length > 0 ? parts : [{ type: "text" as const, text: emptyResult }]),
      ]);
    }
    return;
  }
  const images: WirePart[] = [];
  // In the order of the calls, one for each.
  const names = [...ids.values()];
  for (const [index, result] of results.entries()) {
    const texts: string[] = [];
    for (const part of result.parts) {
      if (part.type === "text") texts.push(part.text);
      else images.push({ type: "text", text: `Image from ${result.label}:` }, imagePart(part));
    }
    const content = wellFormed(texts.join("\n"));
    const id = names[index] ?? result.callId;
    wire.push({ role: "tool", tool_call_id: id, content: content === "" ? emptyResult : content });
  }
  pushUser(wire, images);
}

function resultPart(part: ResultPart): WirePart {
  return part.type === "text" ? { type: "text", text: wellFormed(part.text) } : imagePart(part);
}

/** JSON that holds a lone surrogate is refused by endpoints; a file may still contain one. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text)
    ? text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd")
    : text;
}

const optionalText = z.string().nullish();
const deltaSchema = z.object({
  content: optionalText,
  reasoning_content: optionalText,
  reasoning: optionalText,
  tool_calls: z
    .array(
      z.object({
        index: z.number().nullish(),
        id: optionalText,
        function: z
          .object({
            name: optionalText,
            arguments: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
});
const usageSchema = z.object({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().nullish() }).nullish(),
  /** OpenRouter reports the price of the request in credits (USD). */
  cost: z.number().nullish(),
});
/** A chunk of a stream, or a whole answer (`message`) from an endpoint that does not stream. */
export const chunkSchema = z.object({
  choices: z
    .array(
      z.object({ delta: deltaSchema.nullish(), message: deltaSchema.nullish(), finish_reason: optionalText }),
    )
    .nullish(),
  usage: usageSchema.nullish(),
  error: z.union([z.string(), z.looseObject({ message: optionalText, code: z.unknown() })]).nullish(),
});
/** A refusal in place of a chunk: in the words of vLLM, with nothing around it. */
export const refusalSchema = z.looseObject({
  object: z.literal("error"),
  message: z.string(),
  code: z.unknown(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export function* partsOf(chunk: Chunk): Generator<StreamPart> {
  const choice = chunk.choices?.[0];
  const delta = choice?.delta ?? choice?.message;
  if (delta) {
    const reasoning = delta.reasoning_content ?? delta.reasoning;
    if (reasoning) yield { type: "reasoning", delta: reasoning };
    if (delta.content) yield { type: "text", delta: delta.content };
    if (delta.tool_calls && delta.tool_calls.length > 0) {
      const deltas = delta.tool_calls.map((call): ToolCallDelta => {
        const args = call.function?.arguments ?? undefined;
        return {
          index: call.index ?? undefined,
          id: call.id ?? undefined,
          name: call.function?.name ?? undefined,
          arguments: typeof args === "object" ? JSON.stringify(args) : args,
        };
      });
      yield { type: "tool-calls", deltas };
    }
  }
  if (choice?.finish_reason) yield { type: "finish", reason: choice.finish_reason };
  // No prompt has no tokens: where zeros stand, nothing was counted.
  if (chunk.usage?.prompt_tokens) yield { type: "usage", usage: readUsage(chunk.usage) };
}

function readUsage(usage: z.infer<typeof usageSchema>): Usage {
  const cached = usage.prompt_tokens_details?.cached_tokens;
  return {
    inputTokens: usage.prompt_tokens ?? 0,
    outputTokens: usage.completion_tokens ?? 0,
    ...(cached ? { cachedTokens: cached } : {}),
    ...(usage.cost ? { cost: usage.cost } : {}),
  };
}
