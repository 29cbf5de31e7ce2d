/** Estimates a prompt with room to spare, so that an answer of the rest of the window fits. */
import type { Block, Message } from "../../../shared/message.ts";
import type { ModelRequest } from "../provider.ts";

/** Tokens of the largest image of a common size. */
const IMAGE_TOKENS = 5_000;
/** Of a message or a block, besides its text. */
const FRAME_TOKENS = 8;

/** Returns more tokens than the prompt has, as far as its characters show. */
export function promptSize({
  system,
  messages,
  tools,
}: Pick<ModelRequest, "system" | "messages" | "tools">): number {
  const fixed = textSize(system) + textSize(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + messageSize(message), fixed);
}

function messageSize({ blocks }: Message): number {
  return blocks.reduce((sum, block) => sum + FRAME_TOKENS + blockSize(block), FRAME_TOKENS);
}

function blockSize(block: Block): number {
  switch (block.type) {
    case "text":
      return textSize(block.text);
    case "reasoning":
      return block.signed ? textSize(JSON.stringify(block.signed)) : 0;
    case "tool-call":
      return textSize(block.name) + textSize(JSON.stringify(block.params));
    case "tool-result":
      return block.parts.reduce(
        (sum, part) => sum + (part.type === "text" ? textSize(part.text) : IMAGE_TOKENS),
        textSize(block.label),
      );
    case "image":
      return IMAGE_TOKENS;
    // Not sent.
    case "refused":
    case "window":
    case "rules":
    case "answers":
    case "chosen":
      return 0;
  }
}

function textSize(text: string): number {
  let wide = 0;
  for (const { length } of text.match(/[^\0-\x7f]+/g) ?? []) wide += length;
  return (text.length - wide) / 3 + wide * 1.5;
}
