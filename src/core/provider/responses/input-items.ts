/**
 * Converts the neutral history to the input items of a Responses request, and repairs it so that strict endpoints accept
 * it: every call has its result, no content is empty, and reasoning precedes what followed from it.
 */
import type {
  Block,
  ImageBlock,
  Message,
  ResultPart,
  ToolCallBlock,
  ToolResultBlock,
} from "../../../shared/message.ts";
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
import { phaseOf, type ReasoningItem, returnedItem } from "./reasoning-item.ts";
import { NO_REASONING_BACK, PLAIN_OUTPUT } from "./responses-quirks.ts";

type InputText = { type: "input_text"; text: string };
type InputPart = InputText | { type: "input_image"; image_url: string; detail: "auto" };

export type InputItem =
  | { type: "message"; role: "user"; content: InputPart[] }
  | {
      type: "message";
      role: "assistant";
      content: [{ type: "output_text"; text: string }];
      phase?: string;
    }
  | { type: "function_call"; call_id: string; name: string; arguments: string }
  | { type: "function_call_output"; call_id: string; output: string | InputPart[] }
  | ReasoningItem;

/** The API's limit for call ids. */
const LONGEST_ID = 64;

/** Returns the request's messages for `recipient`. */
export function inputItems(
  { messages, protocol }: Pick<ModelRequest, "messages" | "protocol">,
  recipient: Recipient,
  quirks: ReadonlySet<Quirk> = new Set(),
): InputItem[] {
  const items: InputItem[] = [];
  const ids = new Set<string>();
  messages.forEach((message, index) => {
    if (message.role !== "assistant") {
      // The results were sent with their calls. Images in a tool message are from the user.
      pushUser(items, userParts(message));
      return;
    }
    if (items.length === 0) pushUser(items, [inputText(LOST_BEGINNING)]);
    const names = uniqueCalls(message, ids, (id) => wellFormed(id.slice(0, LONGEST_ID - 8)));
    const own = isRecipientsOwn(message, recipient);
    const returns = { own, reasoning: own && !quirks.has(NO_REASONING_BACK) };
    const answer = protocol === "xml" ? withCallsAsText(message.blocks) : message.blocks;
    items.push(...answerItems(answer, names, returns));
    const results = resultsAfter(messages, index, protocol);
    if (protocol === "xml") pushUser(items, results.flatMap(resultAsText));
    else pushResults(items, results, [...names.values()], quirks);
  });
  const last = items.at(-1);
  if (last === undefined) pushUser(items, [inputText(LOST_BEGINNING)]);
  else if ("role" in last && last.role === "assistant") pushUser(items, [inputText(CONTINUE)]);
  return items;
}

function withCallsAsText(blocks: readonly Block[]): Block[] {
  return blocks.map((block) =>
    block.type === "tool-call" ? { type: "text", text: `\n\n${callAsXml(block)}` } : block,
  );
}

/**
 * Returns an answer's items in their order. Adjacent texts are one message. Reasoning that nothing follows is left out:
 * the API refuses it.
 */
function answerItems(
  blocks: readonly Block[],
  ids: ReadonlyMap<ToolCallBlock, string>,
  returns: { own: boolean; reasoning: boolean },
): InputItem[] {
  const items: InputItem[] = [];
  let reasoning: ReasoningItem[] = [];
  let texts: string[] = [];
  const push = (item: InputItem): void => {
    items.push(...reasoning, item);
    reasoning = [];
  };
  const endText = (phase?: string): void => {
    const text = wellFormed(texts.join("").trim());
    texts = [];
    if (text === "") return;
    const content: [{ type: "output_text"; text: string }] = [{ type: "output_text", text }];
    push({ type: "message", role: "assistant", content, ...(phase === undefined ? {} : { phase }) });
  };
  for (const block of blocks) {
    if (block.type === "text") texts.push(block.text);
    else if (block.type === "reasoning") {
      const item = returns.reasoning ? returnedItem(block.signed) : undefined;
      const phase = returns.own ? phaseOf(block.signed) : undefined;
      if (!item && phase === undefined) continue;
      endText(phase);
      if (item) reasoning.push(item);
    } else if (block.type === "tool-call") {
      endText();
      push({
        type: "function_call",
        call_id: ids.get(block) ?? block.id,
        name: usableName(block.name),
        arguments: wellFormed(JSON.stringify(block.params)),
      });
    }
  }
  endText();
  return items;
}

function pushResults(
  items: InputItem[],
  results: readonly ToolResultBlock[],
  ids: readonly string[],
  quirks: ReadonlySet<Quirk>,
): void {
  const images: InputPart[] = [];
  for (const [index, result] of results.entries()) {
    const parts = result.parts.map(inputPart).filter(isGiven);
    const pictures = parts.filter((part) => part.type === "input_image");
    const text = parts
      .map((part) => (part.type === "input_text" ? part.text : ""))
      .join("\n")
      .trim();
    const plain = pictures.length === 0 || quirks.has(PLAIN_OUTPUT);
    if (plain && pictures.length > 0) images.push(inputText(`Image from ${result.label}:`), ...pictures);
    items.push({
      type: "function_call_output",
      call_id: ids[index] ?? result.callId,
      output: plain ? text || EMPTY_RESULT : parts,
    });
  }
  pushUser(items, images);
}

function resultAsText({ label, parts }: ToolResultBlock): InputPart[] {
  const given = parts.map(inputPart).filter(isGiven);
  return [inputText(`[${label}] Result:`), ...(given.length > 0 ? given : [inputText(EMPTY_RESULT)])];
}

function userParts({ blocks }: Message): InputPart[] {
  return blocks.flatMap((block) =>
    block.type === "text" || block.type === "image" ? [inputPart(block)].filter(isGiven) : [],
  );
}

function pushUser(items: InputItem[], content: InputPart[]): void {
  if (content.length > 0) items.push({ type: "message", role: "user", content });
}

function inputPart(part: ResultPart | { type: "text"; text: string } | ImageBlock): InputPart {
  if (part.type === "text") return inputText(part.text);
  if (!isCommonImage(part.mimeType)) return inputText(OTHER_IMAGE);
  return { type: "input_image", image_url: `data:${part.mimeType};base64,${part.data}`, detail: "auto" };
}

function inputText(text: string): InputText {
  return { type: "input_text", text: wellFormed(text) };
}

function isGiven(part: InputPart): boolean {
  return part.type !== "input_text" || part.text.trim() !== "";
}
